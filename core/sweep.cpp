#include "sweep.hpp"
#include "portable.hpp"

#include <map>
#include <numeric>

namespace kumitate {

static Vector vector_of(Shift s) {
    return {s.x, s.y, s.z};
}

static Vector operator-(const Vector &a, const Vector &b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

static Int128 dot(const Vector &a, const Vector &b) {
    return Int128{a[0]} * b[0] + Int128{a[1]} * b[1] + Int128{a[2]} * b[2];
}

static Vector cross(const Vector &a, const Vector &b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

static Vector opposite(const Vector &v) {
    return {-v[0], -v[1], -v[2]};
}

// The shortest lattice vector along v.
static Vector primitive(const Vector &v) {
    const std::int64_t g = std::gcd(std::gcd(v[0], v[1]), v[2]);
    return g == 0 ? v : Vector{v[0] / g, v[1] / g, v[2] / g};
}

// Lines through the origin, each once.
static void make_unique(std::vector<Vector> &lines) {
    for (Vector &v : lines)
        v = std::max(primitive(v), opposite(primitive(v)));
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    std::erase(lines, Vector{0, 0, 0});
}

// The faces of the hull of some corners: the corners of each, by its outer normal.
static std::map<Vector, std::vector<Vector>> faces_of(const std::vector<Vector> &corners) {
    std::map<Vector, std::vector<Vector>> faces;
    for (std::size_t i = 0; i < corners.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            for (std::size_t k = 0; k < j; ++k) {
                Vector normal = primitive(cross(corners[j] - corners[i], corners[k] - corners[i]));
                Int128 low = 0, high = 0;
                std::vector<Vector> on;
                for (const Vector &corner : corners) {
                    const Int128 height = dot(normal, corner - corners[i]);
                    low = std::min(low, height);
                    high = std::max(high, height);
                    if (height == 0)
                        on.push_back(corner);
                }
                if ((low < 0) != (high > 0))
                    faces[high > 0 ? opposite(normal) : normal] = on;
            }
    return faces;
}

Tiles::Tiles(std::vector<std::vector<Vector>> corners, std::int32_t denominator)
    : corners_(std::move(corners)), denominator_(denominator) {
    for (const auto &tile : corners_) {
        const auto faces = faces_of(tile);
        for (const auto &[normal, some] : faces) {
            axes_.push_back(normal);
            for (const auto &[_, others] : faces) { // two faces meet in an edge, or not at all
                std::vector<Vector> both;
                for (const Vector &corner : some)
                    if (&some != &others &&
                        std::find(others.begin(), others.end(), corner) != others.end())
                        both.push_back(corner);
                if (both.size() > 1)
                    edges_.push_back(both[1] - both[0]);
            }
        }
    }
    make_unique(edges_);
    for (std::size_t i = 0; i < edges_.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            axes_.push_back(cross(edges_[i], edges_[j]));
    make_unique(axes_);
}

Sweep Tiles::sweep(const Stretch &stretch) const {
    const std::size_t tiles = corners_.size();
    std::vector<Vector> axes = axes_;
    for (const Vector &edge : edges_)
        axes.push_back(cross(edge, vector_of(stretch.step)));
    make_unique(axes);
    axes.insert(axes.begin(), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});

    struct Range {
        Int128 low, high;
    };
    const Int128 unit = Int128{denominator_} * stretch.parts; // of the lattice
    std::vector<Range> still, moving;                         // by tile, and by axis
    for (const auto &tile : corners_)
        for (const Vector &axis : axes) {
            Range r{dot(axis, tile[0]), dot(axis, tile[0])};
            for (const Vector &corner : tile)
                r = {std::min(r.low, dot(axis, corner)), std::max(r.high, dot(axis, corner))};
            r = {r.low * stretch.parts, r.high * stretch.parts};
            still.push_back(r);
            const Int128 from = denominator_ * dot(axis, vector_of(stretch.start));
            const Int128 by = denominator_ * dot(axis, vector_of(stretch.step));
            moving.push_back(
                {r.low + from + std::min<Int128>(by, 0), r.high + from + std::max<Int128>(by, 0)});
        }

    Sweep passed(tiles);
    for (std::size_t a = 0; a < tiles; ++a) {
        for (std::size_t b = 0; b < tiles; ++b) {
            const Range *mine = &moving[a * axes.size()], *other = &still[b * axes.size()];
            const auto separates = [&](std::size_t i, const Vector &at) {
                const Int128 shift = unit * dot(axes[i], at);
                return mine[i].high <= other[i].low + shift || other[i].high + shift <= mine[i].low;
            };
            std::array<std::int32_t, 3> low, high; // of the shifts that no coordinate rules out
            for (std::size_t i = 0; i < 3; ++i) {
                low[i] = floor_quotient(mine[i].low - other[i].high, unit) + 1;
                high[i] = floor_quotient(mine[i].high - other[i].low - 1, unit);
            }
            for (std::int32_t x = low[0]; x <= high[0]; ++x)
                for (std::int32_t y = low[1]; y <= high[1]; ++y)
                    for (std::int32_t z = low[2]; z <= high[2]; ++z) {
                        std::size_t i = 3;
                        while (i < axes.size() && !separates(i, {x, y, z}))
                            ++i;
                        if (i == axes.size())
                            passed[a].push_back({x, y, z, static_cast<std::int32_t>(b)});
                    }
        }
        std::sort(passed[a].begin(), passed[a].end());
    }
    return passed;
}

Sweep sweep_ball(const std::array<Vector, 3> &gram, std::int64_t diameter2,
                 const Stretch &stretch) {
    const auto product = [&](const Vector &a, const Vector &b) {
        return a[0] * dot(gram[0], b) + a[1] * dot(gram[1], b) + a[2] * dot(gram[2], b);
    };
    const Vector step = vector_of(stretch.step), start = vector_of(stretch.start);
    const std::int64_t parts = stretch.parts;
    const Int128 limit = Int128{diameter2} * parts * parts, length2 = product(step, step);
    const auto farthest = std::max({std::abs(step[0]), std::abs(step[1]), std::abs(step[2])});
    const auto reach = static_cast<std::int32_t>(farthest / parts + 4);
    Sweep passed(1);
    for (std::int32_t x = -reach; x <= reach; ++x)
        for (std::int32_t y = -reach; y <= reach; ++y)
            for (std::int32_t z = -reach; z <= reach; ++z) {
                const Vector there = Vector{parts * x, parts * y, parts * z} - start;
                const Int128 along = product(there, step), distance2 = product(there, there);
                const bool beside = along > 0 && along < length2 &&
                                    distance2 * length2 - along * along < limit * length2;
                const Vector ahead = there - step;
                if (beside || distance2 < limit || product(ahead, ahead) < limit)
                    passed[0].push_back({x, y, z, 0});
            }
    return passed;
}

} // namespace kumitate
