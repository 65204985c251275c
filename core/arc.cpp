#include "arc.hpp"

#include "long.hpp"

#include <cmath>
#include <numeric>

namespace kumitate {

namespace {

template <class Number> struct Point {
    Number x, y;
};

// The angle whose half has the tangent k / all: its cosine and sine, and what both are parts of.
template <class Number> struct Angle {
    Number cos, sin, one;
    Angle(std::int64_t k, std::int64_t all)
        : cos(Number(all * all - k * k)), sin(Number(2 * k * all)), one(Number(all * all + k * k)) {
    }
};

template <class Number> using Coefficients = std::array<Number, 5>;

// a cos + b sin + c + d cos^2 + e cos sin + f sin^2, from one tangent to another, times something
// positive: its Bernstein coefficients.
template <class Number>
Coefficients<Number> bernstein(const Number &a, const Number &b, const Number &c, const Number &d,
                               const Number &e, const Number &f, std::int64_t k0, std::int64_t k1,
                               std::int64_t all) {
    // In powers of t, times (1 + t^2)^2.
    const Number two(2), four(4);
    const Coefficients<Number> powers{c + d + a, two * (b + e), two * (c - d) + four * f,
                                      two * (b - e), c + d - a};
    // In powers of s, with t = (k0 + s (k1 - k0)) / all, times all^4: by Horner's rule.
    const auto start = Number(k0), by = Number(k1 - k0), whole = Number(all);
    Coefficients<Number> q{powers[4], Number(0), Number(0), Number(0), Number(0)};
    Number scale = whole;
    for (std::size_t i = 4; i-- > 0; scale = scale * whole) {
        for (std::size_t j = 4; j > 0; --j)
            q[j] = q[j] * start + q[j - 1] * by;
        q[0] = q[0] * start + powers[i] * scale;
    }
    // Times 12.
    const Number q0 = Number(12) * q[0], q1 = Number(3) * q[1], q2 = two * q[2],
                 q3 = Number(3) * q[3], q4 = Number(12) * q[4];
    const Number three(3), six(6);
    return {q0, q0 + q1, q0 + two * q1 + q2, q0 + three * q1 + three * q2 + q3,
            q0 + four * q1 + six * q2 + four * q3 + q4};
}

template <class Number> using Conditions = std::array<Coefficients<Number>, 8>;

template <class Number>
Conditions<Number> conditions(const Meeting &pair, std::int32_t tolerance, const Pose &from,
                              const Pose &to) {
    const std::int64_t common = std::gcd(std::gcd<std::int64_t>(from.turn, to.turn), quarter);
    const std::int64_t k0 = from.turn / common, k1 = to.turn / common, all = quarter / common;
    const Angle<Number> first(k0, all), last(k1, all);
    // Lengths are in grains / (per * span), where span is the sine of the whole angle, enlarged.
    // The two centres are seen from that of the ellipse.
    const std::int64_t shared = std::gcd(from.per, to.per);
    const auto from_per = Number(from.per / shared), to_per = Number(to.per / shared),
               grains = Number(cell_grains);
    const Number per = from_per * Number(to.per);
    const Point<Number> about{Number(to.about_x) * from_per, Number(to.about_y) * from_per};
    const Point<Number> here{Number(from.x) * to_per - about.x, Number(from.y) * to_per - about.y};
    const Point<Number> there{Number(to.x) * from_per - about.x, Number(to.y) * from_per - about.y};
    const bool forth = k1 > k0;
    const Number turned_by = last.sin * first.cos - last.cos * first.sin;
    const Number span = forth ? turned_by : -turned_by;
    const auto wave = [&](const Number &a, const Number &b) {
        const Number c = grains * (a * last.sin * first.one - b * first.sin * last.one),
                     s = grains * (b * first.cos * last.one - a * last.cos * first.one);
        return forth ? Point<Number>{c, s} : Point<Number>{-c, -s};
    };
    const auto [bx, cx] = wave(here.x, there.x);
    const auto [by, cy] = wave(here.y, there.y);
    const Number size = per * span, centre = grains * span;
    const auto length = [&](std::int64_t number) { return size * Number(number); };
    const Rectangle &m = pair.moves, &s = pair.stays;
    const Number wide = length(m.wide - tolerance), high = length(m.high - tolerance),
                 stays_wide = length(s.wide - tolerance), stays_high = length(s.high - tolerance);
    Conditions<Number> made;
    for (const int side : {1, -1}) {
        const Number sign(side), none(0);
        const Number mx = length(side * m.x), my = length(side * m.y);
        const Number sx = sign * (length(s.x) - centre * about.x),
                     sy = sign * (length(s.y) - centre * about.y);
        const Number px = sign * bx, py = sign * by, qx = sign * cx, qy = sign * cy;
        auto *const four = made.data() + (side > 0 ? 0 : 4);
        four[0] = bernstein<Number>(wide - mx - px, high + my - qx, stays_wide + sx, none, none,
                                    none, k0, k1, all);
        four[1] = bernstein<Number>(high - my - py, wide - mx - qy, stays_high + sy, none, none,
                                    none, k0, k1, all);
        four[2] = bernstein<Number>(stays_wide + sx, stays_high + sy, wide - mx, -px, -qx - py, -qy,
                                    k0, k1, all);
        four[3] = bernstein<Number>(stays_high + sy, stays_wide - sx, high - my, -py, px - qy, qx,
                                    k0, k1, all);
    }
    return made;
}

// More than any term that is added up for the conditions.
double size_of(const Meeting &pair, const Pose &from, const Pose &to) {
    const std::int64_t common = std::gcd(std::gcd<std::int64_t>(from.turn, to.turn), quarter);
    const double all = quarter / static_cast<double>(common);
    double lengths = 0;
    for (const Rectangle &r : {pair.moves, pair.stays})
        for (const std::int32_t number : {r.x, r.y, r.wide, r.high})
            lengths += std::abs(number);
    const auto cells = [](std::int64_t x, std::int64_t y, std::int64_t per) {
        return (std::abs(double(x)) + std::abs(double(y))) / double(per);
    };
    lengths += cell_grains * (cells(from.x, from.y, from.per) + cells(to.x, to.y, to.per) +
                              cells(to.about_x, to.about_y, to.per));
    const double per = double(from.per) * double(to.per) / double(std::gcd(from.per, to.per));
    return 4096 * per * std::pow(all, 8) * lengths; // sines and their like are below 2 all^4
}

// Whether in each part of the leg some condition is never positive.
template <class Number, class Sign>
bool apart(const Conditions<Number> &all, Sign &&sign, int depth) {
    bool overlap = true; // at the beginning of this part
    for (const Coefficients<Number> &one : all) {
        if (std::all_of(one.begin(), one.end(), [&](const Number &b) { return sign(b) <= 0; }))
            return true;
        overlap = overlap && sign(one[0]) > 0;
    }
    if (overlap || depth == 0)
        return false;
    // De Casteljau: sums of neighbours, times the powers of two that make up for missing halves.
    Conditions<Number> first, second;
    for (std::size_t n = 0; n < all.size(); ++n) {
        Coefficients<Number> row = all[n];
        for (std::size_t left = 5; left-- > 0;) {
            const Number scale(1 << left);
            first[n][4 - left] = row[0] * scale;
            second[n][left] = row[left] * scale;
            for (std::size_t i = 0; i < left; ++i)
                row[i] = row[i] + row[i + 1];
        }
    }
    return apart(first, sign, depth - 1) && apart(second, sign, depth - 1);
}

} // namespace

bool hits_on_arc(const Meeting &pair, std::int32_t tolerance, const Pose &from, const Pose &to) {
    constexpr int most_cuts = 12;
    // Coefficients times those of this many cuts, 16 for each, must be Long.
    const double size = size_of(pair, from, to);
    if (size > 0x1p600)
        return true;
    // In floating point, with room to spare, most pairs are known to be apart.
    const double margin = 1e-13 * size;
    const auto surely = [&](double b) { return b < -margin ? -1 : 1; };
    if (apart(conditions<double>(pair, tolerance, from, to), surely, 3))
        return false;
    const auto sign = [](const Long &b) { return b.sign(); };
    return !apart(conditions<Long>(pair, tolerance, from, to), sign, most_cuts);
}

} // namespace kumitate
