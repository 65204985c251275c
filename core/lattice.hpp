// The stops of a moving set on the lattice: where its cells fit, keep to and may begin to turn.
#pragma once

#include "flood.hpp"
#include "reach.hpp"
#include "turning.hpp"

#include <map>
#include <set>
#include <utility>

namespace kumitate {

// Where single cells of the moving set can go. In every cell there is a disc, as wide as the cell
// with its faces set back. The middle of the disc is never in a cell that stays, nor does it pass
// between two of them that touch at a corner: it goes from one free cell to the next, across a
// side. So free squares that are connected have the same name, layer by layer, and a cell keeps to
// its name. This holds if faces are set back by less than a fifth of a cell.
class Names {
  public:
    static constexpr std::int32_t most_tolerance = cell_grains / 5;

    explicit Names(const Scene &scene) : scene_(scene) {
        for (const FlatCell &cell : scene.staying)
            box_.include({cell.layer, cell.u, cell.v});
        box_.low = box_.low - Shift{0, 1, 1};
        box_.high = box_.high + Shift{0, scene.units, scene.units};
        wide_ = box_.high.y - box_.low.y + 1, high_ = box_.high.z - box_.low.z + 1;
        for (const FlatCell &cell : scene.moving)
            if (!layers_.contains(cell.layer))
                layers_[cell.layer] = named(cell.layer);
        for (const FlatCell &cell : scene.moving)
            names_.push_back(name(cell, {0, 0, 0}));
    }

    // Whether all cells have the same names there.
    bool allow(const Stop &stop) const {
        for (std::size_t i = 0; i < names_.size(); ++i)
            if (name(scene_.moving[i], stop) != names_[i])
                return false;
        return true;
    }

  private:
    const Scene &scene_;
    Box box_{{1 << 30, 1 << 30, 1 << 30}, {-(1 << 30), -(1 << 30), -(1 << 30)}};
    std::int32_t wide_, high_;
    std::map<std::int32_t, std::vector<std::int32_t>> layers_; // squares of a unit, row by row
    std::vector<std::int32_t> names_;                          // of the cells at the start

    std::size_t at(std::int32_t u, std::int32_t v) const {
        return static_cast<std::size_t>(v * wide_ + u);
    }

    std::vector<std::int32_t> named(std::int32_t layer) const {
        constexpr std::int32_t taken = -1, fresh = 0;
        std::vector<std::int32_t> squares(at(0, high_), fresh);
        for (const FlatCell &cell : scene_.staying)
            if (std::abs(cell.layer - layer) < scene_.units)
                for (std::int32_t v = 0; v < scene_.units; ++v)
                    for (std::int32_t u = 0; u < scene_.units; ++u)
                        squares[at(cell.u + u - box_.low.y, cell.v + v - box_.low.z)] = taken;
        std::int32_t name = fresh; // 1 is outside
        std::vector<std::pair<std::int32_t, std::int32_t>> waiting;
        for (std::int32_t y = 0; y < high_; ++y)
            for (std::int32_t x = 0; x < wide_; ++x) {
                if (squares[at(x, y)] != fresh)
                    continue;
                squares[at(x, y)] = ++name;
                waiting.assign(1, {x, y});
                while (!waiting.empty()) {
                    const auto [u, v] = waiting.back();
                    waiting.pop_back();
                    for (const auto &[du, dv] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
                        if (const std::int32_t i = u + du, j = v + dv; i >= 0 && i < wide_ &&
                                                                       j >= 0 && j < high_ &&
                                                                       squares[at(i, j)] == fresh) {
                            squares[at(i, j)] = name;
                            waiting.emplace_back(i, j);
                        }
                }
            }
        return squares;
    }

    // Of the square that the middle of a cell is in, or at whose low corner it is.
    std::int32_t name(const FlatCell &cell, const Stop &stop) const {
        const Rectangle middle =
            turned({2 * cell.u + scene_.units, 2 * cell.v + scene_.units, 0, 0}, stop.quarters);
        const std::int32_t u = floor_div(middle.x + 2 * stop.u, 2) - box_.low.y,
                           v = floor_div(middle.y + 2 * stop.v, 2) - box_.low.z;
        if (u < 0 || v < 0 || u >= wide_ || v >= high_)
            return 1;
        return layers_.at(cell.layer)[at(u, v)];
    }
};

// What moves and what stays, as seen from the lattice.
class Lattice {
  public:
    explicit Lattice(const Scene &scene) : scene_(scene) {
        for (const Meeting &pair : scene.meetings) {
            moves_.include(pair.moves);
            stays_.include(pair.stays);
        }
    }

    static std::int32_t grains(const Scene &scene) { return half_cell_grains / scene.units; }

    // The centre of the moving set, in half units.
    Pose pose(const Stop &stop) const {
        return lattice_pose(scene_, stop.quarters, stop.u, stop.v);
    }

    bool fits(const Stop &stop) const {
        const Pose at = pose(stop);
        return fits_at(static_cast<std::int32_t>(at.x), static_cast<std::int32_t>(at.y),
                       stop.quarters);
    }
    bool fits_at(std::int32_t x, std::int32_t y, std::int32_t quarters) const { // in half units
        const std::int32_t half = grains(scene_);
        return std::none_of(scene_.meetings.begin(), scene_.meetings.end(),
                            [&](const Meeting &pair) {
                                const Rectangle m = turned(pair.moves, quarters), &s = pair.stays;
                                return std::abs(m.x + half * x - s.x) < m.wide + s.wide &&
                                       std::abs(m.y + half * y - s.y) < m.high + s.high;
                            });
    }

    // Whether the box around what moves is beside the box around what stays.
    bool outside(const Stop &stop) const {
        const Pose at = pose(stop);
        const std::int32_t half = grains(scene_);
        const Rectangle m = turned(moves_.rectangle(), stop.quarters), s = stays_.rectangle();
        return std::abs(m.x + half * static_cast<std::int32_t>(at.x) - s.x) >= m.wide + s.wide ||
               std::abs(m.y + half * static_cast<std::int32_t>(at.y) - s.y) >= m.high + s.high;
    }

    // All stops that are not outside, of these quarters, and one more on each side.
    template <class Call> void each_inside(std::int32_t quarters, Call &&call) const {
        const Pose base = pose({quarters, 0, 0});
        const std::int32_t unit = 2 * grains(scene_);
        const Rectangle m = turned(moves_.rectangle(), quarters), s = stays_.rectangle();
        const std::int32_t x = m.x + unit / 2 * static_cast<std::int32_t>(base.x),
                           y = m.y + unit / 2 * static_cast<std::int32_t>(base.y);
        const auto first = [&](std::int32_t from) { return -floor_div(-from, unit) - 1; };
        for (std::int32_t v = first(s.y - s.high - m.high - y);
             y + (v - 1) * unit < s.y + s.high + m.high; ++v)
            for (std::int32_t u = first(s.x - s.wide - m.wide - x);
                 x + (u - 1) * unit < s.x + s.wide + m.wide; ++u)
                call(Stop{quarters, u, v});
    }

    // Calls with the pivots of the box around all, in half units.
    template <class Call> void each_pivot(const Stop &stop, Call &&call) const {
        const Pose at = pose(stop);
        const std::int32_t half = grains(scene_);
        Bounds all = stays_;
        Rectangle m = turned(moves_.rectangle(), stop.quarters);
        m.x += half * static_cast<std::int32_t>(at.x),
            m.y += half * static_cast<std::int32_t>(at.y);
        all.include(m);
        for (std::int32_t y = all.bottom / half; y <= all.top / half; ++y)
            for (std::int32_t x = all.left / half; x <= all.right / half; ++x)
                call(x, y);
    }

    // Whether the set makes a quarter turn about a pivot, in half units, from a pose.
    bool turns(std::int32_t quarters, const Pose &from, std::int32_t x, std::int32_t y,
               std::int32_t sense, std::int32_t tolerance) const {
        const std::int32_t half = grains(scene_);
        const auto seen = [&](const Rectangle &r, std::int64_t dx, std::int64_t dy) {
            return Oblong{r.x + half * dx, r.y + half * dy, r.wide - tolerance, r.high - tolerance};
        };
        // What one does clockwise the other does counter-clockwise.
        return std::none_of(
            scene_.meetings.begin(), scene_.meetings.end(), [&](const Meeting &pair) {
                const Oblong moves = seen(turned(pair.moves, quarters), from.x - x, from.y - y),
                             stays = seen(pair.stays, -x, -y);
                return sense > 0 ? overlap(moves, stays) : overlap(stays, moves);
            });
    }

    // Whether hard pieces can begin to turn with the centre at a place in half units.
    bool may_turn_at(std::int32_t x, std::int32_t y, std::int32_t quarters) const;

    // Whether hard pieces can begin to turn where the set stands, or where it can slide to; or
    // whether they can slide out. If not, it lists the stops there.
    bool may_turn(std::vector<Landing> &stops) const;

  private:
    struct Bounds { // in grains
        std::int32_t left = 1 << 30, right = -(1 << 30), bottom = 1 << 30, top = -(1 << 30);
        void include(const Rectangle &r) {
            left = std::min(left, r.x - r.wide), right = std::max(right, r.x + r.wide);
            bottom = std::min(bottom, r.y - r.high), top = std::max(top, r.y + r.high);
        }
        // Sums are even: all are multiples of half a unit.
        Rectangle rectangle() const {
            return {(left + right) / 2, (bottom + top) / 2, (right - left) / 2, (top - bottom) / 2};
        }
    };
    const Scene &scene_;
    Bounds moves_, stays_;
};

} // namespace kumitate
