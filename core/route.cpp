#include "route.hpp"

#include "arc.hpp"
#include "long.hpp"

#include <cmath>
#include <numeric>

namespace kumitate {

Rectangle turned(Rectangle r, std::int32_t quarters) {
    for (quarters = (quarters % 4 + 4) % 4; quarters > 0; --quarters)
        r = {-r.y, r.x, r.high, r.wide};
    return r;
}

namespace {

// Some cells of a layer: the low corners of the lowest and of the highest ones.
struct Area {
    std::int32_t layer, low_u, low_v, high_u, high_v;
    bool contains(const Area &a) const {
        return layer == a.layer && low_u <= a.low_u && low_v <= a.low_v && high_u >= a.high_u &&
               high_v >= a.high_v;
    }
    Rectangle rectangle(std::int32_t centre_u, std::int32_t centre_v, std::int32_t units) const {
        const std::int32_t half_unit = half_cell_grains / units;
        return {(low_u + high_u + units - centre_u) * half_unit,
                (low_v + high_v + units - centre_v) * half_unit,
                (high_u - low_u + units) * half_unit, (high_v - low_v + units) * half_unit};
    }
};

// Areas that no longer one contains, so that every block of one or two cells a side lies in one of
// them: where a point is farther than the tolerance from all faces, such a block is around it.
std::vector<Area> areas_of(FlatPiece cells, std::int32_t units) {
    std::sort(cells.begin(), cells.end());
    const auto full = [&](const Area &a) {
        for (std::int32_t u = a.low_u; u <= a.high_u; u += units)
            for (std::int32_t v = a.low_v; v <= a.high_v; v += units)
                if (!std::binary_search(cells.begin(), cells.end(), FlatCell{a.layer, u, v}))
                    return false;
        return true;
    };
    std::vector<Area> areas;
    for (const auto &[layer, u, v] : cells)
        for (const auto &[right, up] : {std::pair{1, 1}, {1, 0}, {0, 1}, {0, 0}}) {
            Area area{layer, u, v, u + right * units, v + up * units};
            if (!full(area) || std::any_of(areas.begin(), areas.end(),
                                           [&](const Area &a) { return a.contains(area); }))
                continue;
            for (bool grows = true; grows;) {
                grows = false;
                for (Area more :
                     {Area{layer, area.low_u - units, area.low_v, area.high_u, area.high_v},
                      Area{layer, area.low_u, area.low_v, area.high_u + units, area.high_v},
                      Area{layer, area.low_u, area.low_v - units, area.high_u, area.high_v},
                      Area{layer, area.low_u, area.low_v, area.high_u, area.high_v + units}})
                    if (more.contains(area) && full(more))
                        area = more, grows = true;
            }
            areas.push_back(area);
        }
    return areas;
}

bool inside(const Rectangle &a, const Rectangle &b) {
    return std::abs(a.x - b.x) <= b.wide - a.wide && std::abs(a.y - b.y) <= b.high - a.high;
}

bool inside(const Meeting &a, const Meeting &b) {
    return inside(a.moves, b.moves) && inside(a.stays, b.stays);
}

} // namespace

Scene::Scene(std::span<const FlatPiece> moving, std::span<const FlatPiece> staying,
             std::int32_t units)
    : units(units) {
    constexpr std::int32_t far = farthest_cell;
    const auto check = [&](std::span<const FlatPiece> pieces) {
        for (const FlatPiece &piece : pieces)
            for (const FlatCell &cell : piece)
                if (std::max(cell.u, cell.v) > far || std::min(cell.u, cell.v) < -far)
                    throw Refusal("a cell lies more than 1024 cells from the origin; move it");
    };
    check(moving);
    check(staying);
    std::int32_t low_u = far, low_v = far, high_u = -far, high_v = -far;
    for (const FlatPiece &piece : moving)
        for (const FlatCell &cell : piece) {
            low_u = std::min(low_u, cell.u), high_u = std::max(high_u, cell.u);
            low_v = std::min(low_v, cell.v), high_v = std::max(high_v, cell.v);
        }
    if (low_u > high_u)
        throw Refusal("nothing moves; give the moving set a cell");
    centre_u = low_u + high_u + units, centre_v = low_v + high_v + units;
    radius = static_cast<std::int32_t>(
        std::ceil(std::hypot(high_u - low_u + units, high_v - low_v + units) / units));
    for (const FlatPiece &piece : moving)
        this->moving.insert(this->moving.end(), piece.begin(), piece.end());
    // Cells in none of the layers of the moving set do not matter.
    std::int32_t low = this->moving[0].layer, high = low;
    for (const FlatCell &cell : this->moving)
        low = std::min(low, cell.layer), high = std::max(high, cell.layer);
    std::vector<FlatPiece> near;
    for (const FlatPiece &piece : staying) {
        near.emplace_back();
        for (const FlatCell &cell : piece)
            if (cell.layer > low - units && cell.layer < high + units)
                near.back().push_back(cell);
        this->staying.insert(this->staying.end(), near.back().begin(), near.back().end());
    }
    std::vector<Area> movers, stayers;
    for (const FlatPiece &piece : moving)
        for (const Area &area : areas_of(piece, units))
            movers.push_back(area);
    for (const FlatPiece &piece : near)
        for (const Area &area : areas_of(piece, units))
            stayers.push_back(area);
    std::vector<Meeting> all;
    for (const Area &a : movers)
        for (const Area &b : stayers)
            if (std::abs(a.layer - b.layer) < units)
                all.push_back({a.rectangle(centre_u, centre_v, units), b.rectangle(0, 0, units)});
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const Meeting &one : all)
        if (std::none_of(all.begin(), all.end(),
                         [&](const Meeting &other) { return one != other && inside(one, other); }))
            meetings.push_back(one);
}

Pose start_of(const Scene &scene) {
    return {scene.centre_u, scene.centre_v, 2 * scene.units, 0};
}

Pose lattice_pose(const Scene &scene, std::int32_t quarters, std::int32_t u, std::int32_t v) {
    const Rectangle centre = turned({scene.centre_u, scene.centre_v, 0, 0}, quarters);
    return {centre.x + 2 * u, centre.y + 2 * v, 2 * scene.units, quarters * quarter};
}

Route reversed(const Route &route) {
    Route back{plainly(route.back())};
    for (std::size_t i = route.size() - 1; i-- > 0;) {
        const Pose &here = route[i], &next = route[i + 1];
        const std::int64_t common = std::gcd(here.per, next.per), more = next.per / common,
                           same = here.per / common;
        if (next.on_arc)
            back.push_back({here.x * more, here.y * more, here.per * more, here.turn, true,
                            next.about_x * same, next.about_y * same});
        else
            back.push_back(plainly(here));
    }
    return back;
}

namespace {

template <class Number> struct Quadratic { // a s^2 + b s + c, for s from 0 to 1
    Number a, b, c;
};
template <class Number> struct Conditions {
    std::array<Quadratic<Number>, 8> all;
    Number size; // no term that was added up on the way was larger
};

// The conditions A cos + B sin + C > 0, two along each of four directions: that the distance of the
// centres is less than the sum of the half widths. Rectangles are seen from the pivot.
template <class Number> struct Seen {
    Number x, y, wide, high;
};
template <class Number, class Add>
void each_condition(const Seen<Number> &moves, const Seen<Number> &stays, Add &&add) {
    for (const int side : {1, -1}) {
        const Number mx = side * moves.x, my = side * moves.y, sx = side * stays.x,
                     sy = side * stays.y;
        add(moves.wide - mx, moves.high + my, stays.wide + sx);
        add(moves.high - my, moves.wide - mx, stays.high + sy);
        add(stays.wide + sx, stays.high + sy, moves.wide - mx);
        add(stays.high + sy, stays.wide - sx, moves.high - my);
    }
}

// A leg in one quadrant, turned back so that it lies in the first.
template <class Number> struct Leg {
    Number x0, y0, x1, y1, per; // centres
    Number k0, k1;              // angles
};

template <class Number>
Conditions<Number> conditions(const Leg<Number> &leg, const Meeting &pair, Number tolerance) {
    constexpr Number all = quarter, unit = cell_grains;
    const auto seen = [&](const Rectangle &r) {
        return Seen<Number>{static_cast<Number>(r.x), static_cast<Number>(r.y), r.wide - tolerance,
                            r.high - tolerance};
    };
    const Seen<Number> moves = seen(pair.moves), stays = seen(pair.stays);
    const auto most = [](std::initializer_list<Number> numbers) {
        Number sum = 0;
        for (const Number number : numbers)
            sum += number < 0 ? -number : number;
        return sum;
    };
    const Number lengths =
        most({moves.x, moves.y, moves.wide, moves.high, stays.x, stays.y, stays.wide, stays.high});
    const Number k0 = leg.k0, k1 = leg.k1, per = leg.per;
    Conditions<Number> made;
    std::size_t n = 0;
    if (k0 == k1) {
        const Number cos = all * all - k0 * k0, sin = 2 * k0 * all, one = all * all + k0 * k0;
        const auto add = [&](bool end) {
            const Number x = end ? leg.x1 : leg.x0, y = end ? leg.y1 : leg.y0;
            n = 0;
            each_condition<Number>(
                {per * moves.x, per * moves.y, per * moves.wide, per * moves.high},
                {per * stays.x - unit * x, per * stays.y - unit * y, per * stays.wide,
                 per * stays.high},
                [&](Number a, Number b, Number c) {
                    const Number value = a * cos + b * sin + c * one;
                    if (end)
                        made.all[n].b = value - made.all[n].c;
                    else
                        made.all[n] = {0, 0, value};
                    ++n;
                });
        };
        add(false);
        add(true);
        made.size = 8 * one * (per * lengths + unit * most({leg.x0, leg.y0, leg.x1, leg.y1}));
        return made;
    }
    // With t = k / all and d from the first centre to the second, d' being d turned by a quarter:
    // the pivot is ((t1 - t0) (P0 + P1) + (1 + t0 t1) d') / 2 (t1 - t0), and seen from it, before
    // any turn, the centre is at -((1 - t0 t1) d' + (t0 + t1) d) / 2 (t1 - t0).
    const Number sense = k1 > k0 ? 1 : -1, by = k1 - k0, scale = 2 * sense * by * all;
    const Number dx = leg.x1 - leg.x0, dy = leg.y1 - leg.y0;
    const Number less = all * all - k0 * k1, more = all * all + k0 * k1, sum = all * (k0 + k1);
    const Number gx = -sense * (sum * dx - less * dy), gy = -sense * (sum * dy + less * dx);
    const Number px = sense * (all * by * (leg.x0 + leg.x1) - more * dy),
                 py = sense * (all * by * (leg.y0 + leg.y1) + more * dx);
    const Number size = scale * per;
    each_condition<Number>({size * moves.x + unit * gx, size * moves.y + unit * gy,
                            size * moves.wide, size * moves.high},
                           {size * stays.x - unit * px, size * stays.y - unit * py,
                            size * stays.wide, size * stays.high},
                           [&](Number cos, Number sin, Number rest) {
                               const Number a = rest - cos, b = 2 * sin * all, c = rest + cos;
                               made.all[n++] = {a * by * by, (2 * a * k0 + b) * by,
                                                a * k0 * k0 + b * k0 + c * all * all};
                           });
    made.size = 8 * all * all * (size * lengths + unit * most({gx, gy, px, py}));
    return made;
}

// Whether the conditions hold together at some time; in whole numbers.

int sign(const Long &u, const Long &v, const Long &d) { // of u + v sqrt(d)
    const int su = u.sign(), sv = d.sign() == 0 ? 0 : v.sign();
    if (su * sv >= 0)
        return su != 0 ? su : sv;
    return su * (u * u - v * v * d).sign();
}

struct Surd { // (p + s sqrt(d)) / q, q > 0
    Long p, s, q, d;
};

bool from_0_to_1(const Surd &t) {
    return sign(t.p, t.s, t.d) >= 0 && sign(t.p - t.q, t.s, t.d) < 0;
}

bool positive_after(const Quadratic<Int128> &f, const Surd &t) {
    const Long a = f.a, b = f.b, c = f.c;
    const Long slope = a * t.p + a * t.p + b * t.q;
    if (const int here = sign(a * (t.p * t.p + t.s * t.s * t.d) + b * t.p * t.q + c * t.q * t.q,
                              slope * t.s, t.d))
        return here > 0;
    if (const int rises = sign(slope, (a + a) * t.s, t.d))
        return rises > 0;
    return f.a > 0;
}

using Exact = std::array<Quadratic<Int128>, 8>;
bool hold_together(const Exact &all) {
    // They do in open intervals, each of which begins at 0 or at a root.
    const auto begins = [&](const Surd &t) {
        return from_0_to_1(t) &&
               std::all_of(all.begin(), all.end(),
                           [&](const Quadratic<Int128> &f) { return positive_after(f, t); });
    };
    if (begins({0, 0, 1, 0}))
        return true;
    for (const Quadratic<Int128> &f : all) {
        if (f.a == 0) {
            if (f.b != 0 && begins({f.b > 0 ? -f.c : f.c, 0, f.b > 0 ? f.b : -f.b, 0}))
                return true;
            continue;
        }
        const Long a = f.a, b = f.b, c = f.c, d = b * b - Long(4) * a * c;
        if (d.sign() < 0)
            continue;
        const Long p = f.a > 0 ? -b : b, q = f.a > 0 ? a + a : -(a + a);
        if (begins({p, 1, q, d}) || begins({p, -1, q, d}))
            return true;
    }
    return false;
}

// The same in floating point, with room to spare: 1, 0, or -1 if they come too near to zero.
int hold_together(const std::array<Quadratic<double>, 8> &all, double margin, double from,
                  double to, int depth) {
    double lowest = 1, middle = (from + to) / 2;
    for (const auto &[a, b, c] : all) {
        const auto value = [&](double s) { return (a * s + b) * s + c; };
        double most = std::max(value(from), value(to));
        if (a < 0)
            if (const double top = -b / (2 * a); top > from && top < to)
                most = std::max(most, value(top));
        if (most < -margin)
            return 0;
        lowest = std::min(lowest, value(middle) - margin);
    }
    if (lowest > 0)
        return 1;
    if (depth == 0)
        return -1;
    const int first = hold_together(all, margin, from, middle, depth - 1);
    if (first == 1)
        return 1;
    const int second = hold_together(all, margin, middle, to, depth - 1);
    return second == 0 ? first : second;
}

template <class Number> Leg<Number> leg_between(const Pose &from, const Pose &to) {
    const std::int64_t common = std::gcd(from.per, to.per);
    const Number per = Number(from.per / common) * Number(to.per);
    const Number less = Number(to.per / common), more = Number(from.per / common);
    return {
        Number(from.x) * less, Number(from.y) * less, Number(to.x) * more, Number(to.y) * more, per,
        Number(from.turn),     Number(to.turn)};
}

bool hits(const Meeting &pair, std::int32_t tolerance, const Pose &from, const Pose &to) {
    if (to.on_arc)
        return hits_on_arc(pair, tolerance, from, to);
    const Conditions<double> about =
        conditions<double>(leg_between<double>(from, to), pair, tolerance);
    constexpr double largest = 0x1p120; // squares of cubes of such numbers are Long
    if (about.size > largest)
        return true;
    if (const int known = hold_together(about.all, 1e-14 * about.size, 0, 1, 5); known >= 0)
        return known == 1;
    return hold_together(conditions<Int128>(leg_between<Int128>(from, to), pair, tolerance).all);
}

} // namespace

bool hits(const Scene &scene, std::int32_t tolerance, const Pose &from, const Pose &to) {
    const std::int32_t low = std::min(from.turn, to.turn), high = std::max(from.turn, to.turn);
    std::int32_t quadrant = low / quarter - (low % quarter < 0);
    if (high > (quadrant + 1) * quarter || (to.on_arc && low == high))
        return true;
    Pose a = from, b = to;
    a.turn -= quadrant * quarter;
    b.turn -= quadrant * quarter;
    return std::any_of(scene.meetings.begin(), scene.meetings.end(), [&](const Meeting &pair) {
        return hits(Meeting{turned(pair.moves, quadrant), pair.stays}, tolerance, a, b);
    });
}

namespace {

bool same_place(const Pose &a, const Pose &b) {
    return a.turn == b.turn && Int128{a.x} * b.per == Int128{b.x} * a.per &&
           Int128{a.y} * b.per == Int128{b.y} * a.per;
}

// The same route with fewer legs, or an empty one if a leg hits something.
Route shortened(const Scene &scene, std::int32_t tolerance, const Route &route) {
    Route legs{route.front()};
    for (std::size_t i = 0; i + 1 < route.size();) {
        std::size_t step = route.size() - 1 - i;
        Pose next = plainly(route[i + step]);
        while (hits(scene, tolerance, route[i], next)) {
            if (next == route[i + 1])
                return {};
            // Only as it was found may the next leg be an arc.
            if (step /= 2; step == 0)
                step = 1, next = route[i + 1];
            else
                next = plainly(route[i + step]);
        }
        i += step;
        if (!same_place(legs.back(), next))
            legs.push_back(next);
    }
    return legs;
}

// Draws the poses of a route nearer to each other, so that it does not lead farther than it must.
void tighten(const Scene &scene, std::int32_t tolerance, Route &route) {
    for (int round = 0; round < 6; ++round)
        for (std::size_t i = 1; i + 1 < route.size(); ++i) {
            if (route[i].on_arc || route[i + 1].on_arc)
                continue;
            const Pose &before = route[i - 1], &after = route[i + 1];
            const auto between = [](std::int64_t a, std::int64_t b, std::int64_t c) {
                constexpr std::int64_t grain = quarter / 1024;
                return (a + 2 * b + c) / (4 * grain) * grain;
            };
            const Pose pose{between(before.x, route[i].x, after.x),
                            between(before.y, route[i].y, after.y), quarter, route[i].turn};
            if (!hits(scene, tolerance, before, pose) && !hits(scene, tolerance, pose, after))
                route[i] = pose;
        }
}

} // namespace

Route tightened(const Scene &scene, std::int32_t tolerance, const Route &route) {
    Route legs = shortened(scene, tolerance, route);
    tighten(scene, tolerance, legs);
    return legs;
}

} // namespace kumitate
