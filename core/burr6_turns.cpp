#include "burr6_turns.hpp"
#include "portable.hpp"
#include "reach.hpp"
#include "turning.hpp"

#include <bit>
#include <utility>

namespace kumitate {

namespace {

constexpr unsigned slot_bits = 14;
constexpr std::size_t slots = std::size_t{1} << slot_bits;
constexpr int near = 32, close = 16;   // quarters of cells; half cells
constexpr int apart = 16;              // cells, more than sticks are from each other
constexpr std::int32_t clearance = 40; // of routes, in grains
constexpr int nearby = 4;              // half cells
constexpr std::size_t most_scenes = 1 << 16;
constexpr std::size_t most_boxes = 20'000; // of a flood

constexpr std::array<std::array<std::uint64_t, six>, six> with = [] {
    std::array<std::array<std::uint64_t, six>, six> words{};
    for (unsigned i = 0; i < six; ++i)
        for (unsigned j = 0; j < six; ++j)
            words[i][j] = sets_with(i, j);
    return words;
}();

// The pairs that are parted when a set turns: twice the number, and 1 more if it has the second.
struct Parted {
    std::uint8_t count[64]{}, of[64][9]{};
    constexpr Parted() {
        for (unsigned set = 0; set < 64; ++set)
            for (unsigned p = 0; p < pairs.size(); ++p) {
                const bool first = set >> pairs[p].i & 1, second = set >> pairs[p].j & 1;
                if (first != second)
                    of[set][count[set]++] = static_cast<std::uint8_t>(2 * p + second);
            }
    }
};
constexpr Parted parted;

// How far the faces where two sticks touch reach along another axis.
struct Extent {
    int low = 1000, high = -1000;
    void include(int from, int to) {
        low = std::min(low, from);
        high = std::max(high, to);
    }
};

int floor_half(int n) {
    return (n - (n & 1)) / 2;
}

// Whether some cells, turned by one, two or three quarters, fit within half a cell of where they
// were. Layers are bits, around squares of half a cell.
bool fits_turned(std::span<const FlatPiece> moving, std::span<const FlatPiece> staying) {
    Box box{{1 << 20, 1 << 20, 0}, {-(1 << 20), -(1 << 20), 0}};
    for (const FlatPiece &piece : moving)
        for (const FlatCell &cell : piece)
            box.include({cell.u, cell.v, 0});
    // The middle of the box is at the sum of its ends, and of a cell, in quarters of a cell.
    const int mid_u = box.low.x + box.high.x + 2, mid_v = box.low.y + box.high.y + 2;
    constexpr int half = 12; // squares from the middle
    std::array<std::array<std::uint64_t, 2 * half>, 2 * half> taken{};
    const auto bit = [&](const FlatCell &cell) {
        return std::uint64_t{1} << ((cell.layer >> 1) + apart);
    };
    const auto each_square = [](int u, int v, auto &&call) { // of a cell
        for (int x = u; x < u + 2; ++x)
            for (int y = v; y < v + 2; ++y)
                if (x >= 0 && x < 2 * half && y >= 0 && y < 2 * half)
                    call(x, y);
    };
    const int from_u = floor_half(mid_u) - half, from_v = floor_half(mid_v) - half;
    for (const FlatPiece &piece : staying)
        for (const FlatCell &cell : piece)
            each_square(cell.u - from_u, cell.v - from_v, [&](int x, int y) {
                taken[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)] |= bit(cell);
            });
    const auto fits = [&](int quarters, int du, int dv) {
        for (const FlatPiece &piece : moving)
            for (const FlatCell &cell : piece) {
                int a = 2 * cell.u + 2 - mid_u, b = 2 * cell.v + 2 - mid_v; // from the middle
                for (int q = 0; q < quarters; ++q)
                    a = std::exchange(b, a), a = -a;
                // Back to its low corner; if that is between half cells, to the next one.
                const int u = mid_u + a - 1, v = mid_v + b - 1;
                bool hit = false;
                each_square(
                    floor_half(u) + du - from_u, floor_half(v) + dv - from_v, [&](int x, int y) {
                        hit |= (taken[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)] &
                                bit(cell)) != 0;
                    });
                if (hit)
                    return false;
            }
        return true;
    };
    for (int quarters = 1; quarters < 4; ++quarters)
        for (int du = -1; du <= 1; ++du)
            for (int dv = -1; dv <= 1; ++dv)
                if (fits(quarters, du, dv))
                    return true;
    return false;
}

} // namespace

TurnSearch::TurnSearch(const std::array<Box, six> &boxes, int length, std::int32_t tolerance)
    : boxes_(boxes), arms_(length), tolerance_(tolerance), known_(slots),
      hits_(std::size_t{1} << 22) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (unsigned i = 0; i < six; ++i)
            lying_[axis] |= Arms::lies_along(boxes[i], axis) ? 1u << i : 0;
}

std::uint8_t TurnSearch::ending(const std::array<const Stick *, six> &sticks,
                                std::span<const SlideState> states) {
    sticks_ = sticks;
    found_ = stuck;
    constexpr std::uint64_t without_first = 0x5555555555555555u; // the others go down instead
    for (const SlideState &state : states) {
        std::array<std::array<int, six>, 3> whole;
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t i = 0; i < six; ++i)
                whole[axis][i] = 2 * (state.along(axis, i) - state.along(axis, 0));
        at_ = whole;
        Touching at_whole, between;
        for (std::size_t p = 0; p < pairs.size(); ++p)
            at_whole[p] = contacts(p);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
            const std::uint64_t along_u = (state.movable[u] & without_first) | 1,
                                along_v = (state.movable[v] & without_first) | 1;
            at_ = whole;
            for (std::uint64_t sets_u = along_u; sets_u; sets_u &= sets_u - 1)
                for (std::uint64_t sets_v = along_v; sets_v; sets_v &= sets_v - 1) {
                    const auto up_u = static_cast<unsigned>(std::countr_zero(sets_u)),
                               up_v = static_cast<unsigned>(std::countr_zero(sets_v));
                    if (up_u + up_v == 0) {
                        turn_about(axis, at_whole);
                        continue;
                    }
                    for (unsigned i = 0; i < six; ++i) {
                        at_[u][i] = whole[u][i] + static_cast<int>(up_u >> i & 1);
                        at_[v][i] = whole[v][i] + static_cast<int>(up_v >> i & 1);
                    }
                    bool overlap = false;
                    for (std::size_t p = 0; p < pairs.size() && !overlap; ++p) {
                        const auto [i, j] = pairs[p];
                        const bool parted = ((up_u >> i ^ up_u >> j) | (up_v >> i ^ up_v >> j)) & 1;
                        between[p] = parted ? contacts(p) : at_whole[p];
                        overlap = between[p].overlap;
                    }
                    if (!overlap)
                        turn_about(axis, between);
                }
            if (found_ == turning)
                return turning;
        }
    }
    return found_;
}

// Finds the sets that can begin to turn, and whether they do.
void TurnSearch::turn_about(std::size_t axis, const Touching &touching) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::array<TwoWindows, pairs.size()> open;
    std::uint64_t held = no_move;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const auto [i, j] = pairs[p];
        const auto x = static_cast<std::int16_t>(at_[u][i]),
                   y = static_cast<std::int16_t>(at_[v][i]);
        const auto less_x = static_cast<std::int16_t>(-x), less_y = static_cast<std::int16_t>(-y);
        const TwoWindows here =
            touching[p].open[axis] + TwoWindows{less_x, x, less_y, y, less_x, x, less_y, y};
        open[p] = here;
        const TwoWindows wide = here + with_neighbours_swapped(here);
        const auto empty = std::bit_cast<std::array<std::uint64_t, 2>>(wide < 0);
        held |= (empty[0] ? with[i][j] : 0) | (empty[1] ? with[j][i] : 0);
    }
    if (~held == 0 || found_ == turning)
        return;
    const auto one_by_one = std::bit_cast<std::array<Window, 2 * pairs.size()>>(open);
    const Window all = box(u, v);
    const auto some = [](Window pivots) {
        return pivots[0] + pivots[1] >= 0 && pivots[2] + pivots[3] >= 0;
    };
    for (std::uint64_t sets = ~held; sets && found_ != turning; sets &= sets - 1) {
        const auto set = static_cast<unsigned>(std::countr_zero(sets));
        Window pivots = one_by_one[parted.of[set][0]];
        for (unsigned at = 1; at < parted.count[set]; ++at) {
            const Window &other = one_by_one[parted.of[set][at]];
            pivots = pivots < other ? pivots : other;
        }
        if (!some(pivots))
            continue;
        const Window inside = pivots < all ? pivots : all;
        if (some(inside) && turns(axis, set, inside))
            found_ = turning;
        else if (!(set & ~lying_[axis]) || !(~set & everything & ~lying_[axis]))
            found_ = std::min(
                found_, turned_on_a_route(axis, set & ~lying_[axis] ? set ^ everything : set));
    }
}

// The box around the sticks.
TurnSearch::Window TurnSearch::box(std::size_t u, std::size_t v) const {
    Extent across, up;
    for (std::size_t i = 0; i < six; ++i) {
        const Box &stick = boxes_[i];
        across.include(2 * arms_.low(stick, u) + at_[u][i],
                       2 * arms_.high(stick, u) + 2 + at_[u][i]);
        up.include(2 * arms_.low(stick, v) + at_[v][i], 2 * arms_.high(stick, v) + 2 + at_[v][i]);
    }
    return Window{static_cast<std::int16_t>(-across.low), static_cast<std::int16_t>(across.high),
                  static_cast<std::int16_t>(-up.low), static_cast<std::int16_t>(up.high)};
}

// About pivots at quarters of cells. Those that lead from half cells to half cells by a quarter
// turn have an even sum; about the others there are half turns.
bool TurnSearch::turns(std::size_t axis, unsigned set, Window pivots) {
    for (int v = -2 * pivots[2]; v <= 2 * pivots[3]; ++v)
        for (int u = -2 * pivots[0]; u <= 2 * pivots[1]; ++u)
            if (passes(axis, set, u, v, 0) && ((u + v) % 2 == 0 || passes(axis, set, u, v, 1)))
                return true;
    return false;
}

// Whether a set that has turned by this many quarters can go on by one, counter-clockwise. What was
// in its way the last time often is again.
bool TurnSearch::passes(std::size_t axis, unsigned set, int u, int v, unsigned quarter) {
    if ((set >> last_.i & 1) && !(set >> last_.j & 1) && hit(axis, last_, u, v, quarter))
        return false;
    const std::size_t s = (axis + 1) % 3, t = (axis + 2) % 3;
    Crossing at;
    for (at.i = 0; at.i < six; ++at.i)
        for (at.j = 0; at.j < six; ++at.j) {
            if (!(set >> at.i & 1) || set >> at.j & 1)
                continue;
            const Box &a = boxes_[at.i], &b = boxes_[at.j];
            for (at.x = arms_.low(a, s); at.x <= arms_.high(a, s); ++at.x)
                for (at.y = arms_.low(a, t); at.y <= arms_.high(a, t); ++at.y)
                    for (at.z = arms_.low(b, s); at.z <= arms_.high(b, s); ++at.z)
                        for (at.w = arms_.low(b, t); at.w <= arms_.high(b, t); ++at.w)
                            if (hit(axis, at, u, v, quarter)) {
                                last_ = at;
                                return false;
                            }
        }
    return true;
}

// Whether a column of a stick hits one of another on its way.
bool TurnSearch::hit(std::size_t axis, const Crossing &at, int u, int v, unsigned quarter) {
    const std::size_t s = (axis + 1) % 3, t = (axis + 2) % 3;
    const std::uint64_t mine = column(at.i, axis, at.x, at.y),
                        other = column(at.j, axis, at.z, at.w);
    const int layers = (at_[axis][at.i] - at_[axis][at.j]) / 2 + apart;
    KUMITATE_EXPECT(layers >= 0 && layers < 2 * apart, "sticks are not far from each other");
    if (!(mine << layers & other << apart))
        return false;
    // The middles of the columns, in quarters of a cell from the pivot.
    const int here_x = 4 * at.x + 2 + 2 * at_[s][at.i] - u,
              here_y = 4 * at.y + 2 + 2 * at_[t][at.i] - v,
              there_x = 4 * at.z + 2 + 2 * at_[s][at.j] - u,
              there_y = 4 * at.w + 2 + 2 * at_[t][at.j] - v;
    return quarter == 0 ? cell_hits(here_x, here_y, there_x, there_y)
                        : cell_hits(-here_y, here_x, there_x, there_y);
}

// Whether a cell hits another on its first quarter turn; their middles, in quarters of a cell from
// the pivot.
bool TurnSearch::cell_hits(int x, int y, int other_x, int other_y) {
    const auto ask = [&] { return overlap({x, y, 2, 2}, {other_x, other_y, 2, 2}); };
    const int u = x + near, v = y + near;
    const int s = (other_x - x) / 2 + close, t = (other_y - y) / 2 + close;
    if ((u | v) & ~(2 * near - 1) || (s | t) & ~(2 * close - 1) || (other_x - x) % 2 != 0 ||
        (other_y - y) % 2 != 0)
        return ask();
    std::uint8_t &known =
        hits_[static_cast<std::size_t>(((u * 2 * near + v) * 2 * close + s) * 2 * close + t)];
    if (known == 0)
        known = ask() ? 2 : 1;
    return known == 2;
}

// All cells of a stick along an axis; bit 0 is the first that a long stick may have.
unsigned TurnSearch::column(std::size_t i, std::size_t axis, int x, int y) const {
    return arms_.longer(sticks_[i]->column[axis][Arms::column(x, y)],
                        Arms::lies_along(boxes_[i], axis));
}

// The cells of a stick as seen along an axis, in half cells.
FlatPiece TurnSearch::cells(std::size_t axis, std::size_t i) const {
    const std::size_t s = (axis + 1) % 3, t = (axis + 2) % 3;
    FlatPiece piece;
    for (int x = arms_.low(boxes_[i], s); x <= arms_.high(boxes_[i], s); ++x)
        for (int y = arms_.low(boxes_[i], t); y <= arms_.high(boxes_[i], t); ++y)
            for (unsigned left = column(i, axis, x, y); left; left &= left - 1)
                piece.push_back({2 * std::countr_zero(left) + at_[axis][i], 2 * x + at_[s][i],
                                 2 * y + at_[t][i]});
    return piece;
}

// Whether sticks along the axis turn about a pivot that moves.
std::uint8_t TurnSearch::turned_on_a_route(std::size_t axis, unsigned set) {
    std::vector<FlatPiece> moving, staying;
    for (std::size_t i = 0; i < six; ++i)
        (set >> i & 1 ? moving : staying).push_back(cells(axis, i));
    if (!fits_turned(moving, staying))
        return stuck;
    const auto ask = [&](const std::vector<FlatPiece> &around) {
        const Reach found = reach(Scene(moving, around, 2), 2 * tolerance_, clearance, most_boxes);
        for (const auto *stops : {&found.near, &found.far})
            for (const Landing &it : *stops)
                if (it.stop.quarters % 4 != 0)
                    return turning;
        return found.certain ? stuck : unclear;
    };
    // What does not turn among the cells nearby does not turn at all, and they are often the same.
    const FlatCell base = moving[0][0];
    std::vector<std::int32_t> key;
    std::vector<FlatPiece> around;
    const auto note = [&](const FlatPiece &piece) {
        key.push_back(static_cast<std::int32_t>(piece.size()));
        for (const FlatCell &cell : piece)
            for (const std::int32_t number :
                 {cell.layer - base.layer, cell.u - base.u, cell.v - base.v})
                key.push_back(number);
    };
    for (const FlatPiece &piece : moving)
        note(piece);
    for (const FlatPiece &piece : staying) {
        FlatPiece &some = around.emplace_back();
        for (const FlatCell &cell : piece)
            if (std::any_of(moving.begin(), moving.end(), [&](const FlatPiece &it) {
                    return std::any_of(it.begin(), it.end(), [&](const FlatCell &mine) {
                        return mine.layer == cell.layer && std::abs(mine.u - cell.u) <= nearby &&
                               std::abs(mine.v - cell.v) <= nearby;
                    });
                }))
                some.push_back(cell);
        if (some.empty())
            around.pop_back();
        else
            note(some);
    }
    if (routed_.size() > most_scenes)
        routed_.clear();
    const auto [known, is_new] = routed_.try_emplace(std::move(key), stuck);
    if (is_new)
        known->second = ask(around);
    return known->second == stuck ? stuck : ask(staying);
}

const TurnSearch::Contacts &TurnSearch::contacts(std::size_t pair) {
    const auto [i, j] = pairs[pair];
    std::array<int, 3> distance;
    std::uint64_t key = 16 * (std::uint64_t{sticks_[i]->number} << 16 | sticks_[j]->number) + pair;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        distance[axis] = at_[axis][i] - at_[axis][j];
        key = 64 * key + static_cast<std::uint64_t>(distance[axis] + 32);
    }
    Contacts &slot = known_[key * 0x9e3779b97f4a7c15u >> (64 - slot_bits)];
    if (slot.key != key) {
        slot = find_contacts(pair, distance);
        slot.key = key;
    }
    return slot;
}

TurnSearch::Contacts TurnSearch::find_contacts(std::size_t pair,
                                               const std::array<int, 3> &distance) const {
    const auto [i, j] = pairs[pair];
    Extent faces[3][2][2]; // by axis of the turn, axis along which they look, and whether up
    bool overlap = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t s = (axis + 1) % 3, t = (axis + 2) % 3;
        if (distance[axis] % 2 != 0)
            continue; // faces that are half a cell from each other do not touch
        const int by = distance[axis] / 2 + apart;
        const Box &a = boxes_[i], &b = boxes_[j];
        for (int x = arms_.low(a, s); x <= arms_.high(a, s); ++x)
            for (int y = arms_.low(a, t); y <= arms_.high(a, t); ++y) {
                const std::uint64_t mine = std::uint64_t{column(i, axis, x, y)} << by;
                if (!mine)
                    continue;
                // The columns of the other beside which it is, in whole or in part.
                const int x_now = 2 * x + distance[s], y_now = 2 * y + distance[t];
                for (int z = floor_half(x_now); 2 * z < x_now + 2; ++z)
                    for (int w = floor_half(y_now); 2 * w < y_now + 2; ++w) {
                        if (z < arms_.low(b, s) || z > arms_.high(b, s) || w < arms_.low(b, t) ||
                            w > arms_.high(b, t))
                            continue;
                        const std::uint64_t other = std::uint64_t{column(j, axis, z, w)} << apart;
                        overlap |= (mine & other) != 0;
                        const bool touches[2] = {(mine >> 1 & other) != 0,
                                                 (mine << 1 & other) != 0};
                        for (unsigned up = 0; up < 2; ++up)
                            if (touches[up]) {
                                const int z_now = 2 * z - distance[s], w_now = 2 * w - distance[t];
                                // These faces turn about t, with s across, and about s.
                                faces[t][0][up].include(std::max(2 * x, z_now),
                                                        std::min(2 * x, z_now) + 2);
                                faces[s][1][up].include(std::max(2 * y, w_now),
                                                        std::min(2 * y, w_now) + 2);
                            }
                    }
            }
    }
    Contacts found;
    found.overlap = overlap;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        // At (a, b) from the pivot, a point moves along (-b, a): a face that looks up along u must
        // be above the pivot, one that looks up along v left of it.
        const auto &[along_u, along_v] = faces[axis];
        const std::array<int, 8> open{-along_v[1].high, along_v[0].low,   -along_u[0].high,
                                      along_u[1].low,   -along_v[0].high, along_v[1].low,
                                      -along_u[1].high, along_u[0].low};
        for (std::size_t at = 0; at < open.size(); ++at)
            found.open[axis][at] = static_cast<std::int16_t>(open[at]);
    }
    return found;
}

} // namespace kumitate
