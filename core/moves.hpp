// The moves between states, as they are reported: what moves, and which way, as seen from outside.
//
// States count from the first piece, which never moves in them. From outside it may move and turn
// like any other, and what is said to move is what weighs less.
#pragma once

#include "disassemble.hpp"
#include "turn_expander.hpp"

#include <limits>

namespace kumitate {

// Whether what moves is held still, and the rest moves instead: it has the heaviest piece, or if
// both have one, it is larger.
inline bool held_still(std::span<const Placed> placed, const Part &moves, const Part &stays,
                       bool larger) {
    const auto heaviest = [&](const Part &pieces) {
        std::int32_t most = std::numeric_limits<std::int32_t>::min();
        for (std::uint32_t i : pieces)
            most = std::max(most, placed[i].weight);
        return most;
    };
    const std::int32_t moving = heaviest(moves), staying = heaviest(stays);
    return moving == staying ? larger : moving > staying;
}

// The move that leads from one state to the next, of those that moved or of those that did not.
inline Slide move_between(std::span<const Placed> placed, const Part &part,
                          const std::vector<Shift> &steps, const std::vector<Shift> &here,
                          const std::vector<Shift> &there) {
    Part moved, still;
    Shift by{};
    for (std::size_t i = 0; i < part.size(); ++i) {
        (here[i] == there[i] ? still : moved).push_back(part[i]);
        if (here[i] != there[i])
            by = there[i] - here[i];
    }
    if (held_still(placed, moved, still, moved.size() > still.size())) {
        moved.swap(still);
        by = -by;
    }
    for (std::uint32_t direction = 0; direction < 2 * steps.size(); ++direction) {
        const Shift step = (direction % 2 ? -1 : 1) * steps[direction / 2];
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (step[axis] != 0) {
                const std::int32_t units = by[axis] / step[axis];
                if (units > 0 && units * step == by)
                    return {moved, direction, static_cast<std::uint32_t>(units)};
            }
    }
    broken("every move is along a step");
}

// Where the axes of the first piece point, as it turns; in the states they always stay.
class Frame {
  public:
    Shift out(Shift v) const { // as seen from outside
        return v.x * axes_[0] + v.y * axes_[1] + v.z * axes_[2];
    }
    void turn(const Swing &swing) {
        for (Shift &axis : axes_)
            for (std::int32_t q = 0; q < (swing.quarters + 4) % 4; ++q)
                axis = swing.axis == 0   ? Shift{axis.x, -axis.z, axis.y}
                       : swing.axis == 1 ? Shift{axis.z, axis.y, -axis.x}
                                         : Shift{-axis.y, axis.x, axis.z};
    }

  private:
    std::array<Shift, 3> axes_{Shift{1, 0, 0}, Shift{0, 1, 0}, Shift{0, 0, 1}};
};

// Moves with turns, as seen from outside: there the first piece may move and turn, too.
template <class Set> class Outside {
  public:
    Outside(Bodies &bodies, const Part &part, std::vector<Placed> &placed, std::int32_t tolerance)
        : bodies_(bodies), orientations_(bodies), part_(part), placed_(placed),
          tolerance_(tolerance) {}

    Slide see(const Set &set, std::uint32_t direction, std::int32_t units) const {
        Shift step = frame_.out(along(direction));
        Part moving = list(set, true), staying = list(set, false);
        if (held_still(placed_, moving, staying, false)) {
            moving.swap(staying);
            step = -step;
        }
        std::uint32_t out = 0; // the steps of cubes are turned into each other
        while (along(out) != step)
            ++out;
        return {moving, out, static_cast<std::uint32_t>(units)};
    }

    Slide see(const Set &set, const Swing &swing) const {
        Shift axis{};
        (swing.axis == 0 ? axis.x : swing.axis == 1 ? axis.y : axis.z) = 1;
        axis = frame_.out(axis);
        Swing seen{axis.x ? 0u : axis.y ? 1u : 2u, (axis.x + axis.y + axis.z) * swing.quarters, {}};
        const Shift at = corner() + frame_.out(swing.pivot);
        seen.pivot = {seen.axis == 0 ? 0 : at.x, seen.axis == 1 ? 0 : at.y,
                      seen.axis == 2 ? 0 : at.z};
        std::vector<Standpoint> turning, staying;
        std::size_t turned = 0, stayed = 0; // cells
        for (std::size_t i = 0; i < part_.size(); ++i) {
            const Placed &it = placed_[part_[i]];
            const bool turns = contains(set, i);
            (turns ? turning : staying).push_back({it.body, it.at});
            (turns ? turned : stayed) += bodies_.all[it.body].cells.size();
        }
        seen.tolerance = least_tolerance(bodies_, turning, staying, seen, tolerance_);
        Part moves = list(set, true), stays = list(set, false);
        if (held_still(placed_, moves, stays, turned > stayed)) { // turned the other way
            moves.swap(stays);
            seen.quarters = -seen.quarters;
        }
        Slide move{moves, static_cast<std::uint32_t>(seen.axis), 0};
        move.turn = seen;
        return move;
    }

    Slide see(const Set &set, const Tilt &tilt, const Certificate &certificate) const {
        const std::size_t axis = tilt.swing.axis;
        const auto across = [&](std::int32_t x, std::int32_t y) {
            return frame_.out(axis == 0   ? Shift{0, x, y}
                              : axis == 1 ? Shift{y, 0, x}
                                          : Shift{x, y, 0});
        };
        const Shift up = frame_.out({axis == 0, axis == 1, axis == 2}), origin = corner();
        const std::size_t there = up.x ? 0 : up.y ? 1 : 2;
        const bool flipped = up[there] < 0;
        Slide move{list(set, true), static_cast<std::uint32_t>(there), 0};
        const Shift pivot =
            tilt.swing.quarters == 0 ? Shift{} : origin + frame_.out(tilt.swing.pivot);
        move.turn = {there,
                     flipped ? -certificate.quarters : certificate.quarters,
                     {there == 0 ? 0 : pivot.x, there == 1 ? 0 : pivot.y, there == 2 ? 0 : pivot.z},
                     certificate.tolerance};
        for (RoutePose pose : certificate.route) {
            const auto see_point = [&](std::int32_t &x, std::int32_t &y) {
                const Shift at = across(x, y) + pose.per / (2 * bodies_.sweeps.parts) * origin;
                x = at[(there + 1) % 3], y = at[(there + 2) % 3];
            };
            see_point(pose.x, pose.y);
            see_point(pose.about_x, pose.about_y);
            if (flipped) {
                // The other way: if t is the tangent of half an angle, (1 - t) / (1 + t) is that of
                // half of what a quarter turn is more than it.
                const std::int32_t quarters = pose.turn / pose.whole - (pose.turn % pose.whole < 0),
                                   t = pose.turn - quarters * pose.whole, whole = pose.whole;
                pose.whole = t == 0 ? whole : whole + t;
                pose.turn = t == 0 ? -pose.turn : -(quarters + 1) * pose.whole + whole - t;
            }
            move.route.push_back(pose);
        }
        return move;
    }

    // The pieces are then placed where they have gone.
    void make(const Slide &move) {
        for (std::uint32_t piece : move.pieces) {
            Placed &it = placed_[piece];
            if (move.turn.quarters == 0 && !move.route.empty()) {
                it.at = it.at + slid(move);
                continue;
            }
            if (move.turn.quarters == 0) {
                it.at = it.at + static_cast<std::int32_t>(move.units) * along(move.direction);
                continue;
            }
            it.at = swung(move.turn, it.at, orientations_.sides(it.body));
            it.body = orientations_.turned(it.body, move.turn);
            if (piece == part_[0])
                frame_.turn(move.turn);
        }
    }

  private:
    Bodies &bodies_;
    Orientations orientations_;
    const Part &part_;
    std::vector<Placed> &placed_;
    const std::int32_t tolerance_;
    Frame frame_;

    // From where states count, in half units: the low corner of the first piece. What points back
    // starts from the far side of its box, as low corners are low corners again.
    Shift corner() const {
        const Placed &first = placed_[part_[0]];
        const Shift sides = orientations_.sides(first.body), far = frame_.out({1, 1, 1});
        return 2 * (first.at + Shift{far.x < 0 ? sides.x : 0, far.y < 0 ? sides.y : 0,
                                     far.z < 0 ? sides.z : 0});
    }

    // How far a route leads on which pieces only tilt.
    Shift slid(const Slide &move) const {
        const RoutePose &first = move.route.front(), &last = move.route.back();
        const auto units = [&](std::int64_t from, std::int64_t to) {
            return static_cast<std::int32_t>((to * first.per - from * last.per) *
                                             bodies_.sweeps.parts /
                                             (std::int64_t{first.per} * last.per));
        };
        const std::int32_t x = units(first.x, last.x), y = units(first.y, last.y);
        return move.direction == 0   ? Shift{0, x, y}
               : move.direction == 1 ? Shift{y, 0, x}
                                     : Shift{x, y, 0};
    }

    Shift along(std::uint32_t direction) const {
        return (direction % 2 ? -1 : 1) * bodies_.sweeps.steps[direction / 2];
    }

    // Those of the part that are in a set, or those that are not.
    Part list(const Set &set, bool in) const {
        Part pieces;
        for (std::size_t i = 0; i < part_.size(); ++i)
            if (contains(set, i) == in)
                pieces.push_back(part_[i]);
        return pieces;
    }
};

} // namespace kumitate
