// The poses of a moving set, cut into boxes, and the flood that fills the free ones (planner.hpp).
//
//     box     low and high corner: x, y and turn, in parts of a cell and of a quarter turn
//     free    no two rectangles overlap in it
//     closed  some two come nearer than the clearance throughout, or overlap
//     mixed   neither is known; cut it to learn more
//
// A box is cut in two, across the side that matters most to the pair of rectangles that comes
// nearest. So boxes are long where a wall is. Each keeps the pairs that may still overlap in it,
// and the boxes that it touched when it was made: those that touch it now are their descendants.
#pragma once

#include "route.hpp"

#include <bit>
#include <queue>

namespace kumitate {

using Corner = std::array<std::int32_t, 3>;   // x, y in parts of a cell, turn in parts of a quarter
inline constexpr std::int32_t fine = quarter; // parts of a cell

constexpr std::int32_t floor_div(std::int32_t a, std::int32_t b) {
    return a / b - (a % b < 0);
}

inline Pose pose_at(const Corner &at) {
    return {at[0], at[1], fine, at[2]};
}

inline Corner corner_at(const Pose &pose) {
    return {static_cast<std::int32_t>(pose.x * fine / pose.per),
            static_cast<std::int32_t>(pose.y * fine / pose.per), pose.turn};
}

struct PoseBox {
    enum State : std::uint8_t { mixed, free, closed };

    Corner low, high;
    std::uint32_t child = none;                 // and the next one
    std::uint32_t first = 0, end = 0;           // pairs that are not apart throughout
    std::uint32_t near_first = 0, near_end = 0; // what it touched
    State state = mixed;
    std::uint8_t cut = 0; // across which side
    bool reached = false, queued = false;
    std::uint32_t tube = 0; // the last one made of it

    bool contains(const Corner &at) const {
        for (std::size_t d = 0; d < 3; ++d)
            if (at[d] < low[d] || at[d] > high[d])
                return false;
        return true;
    }
};

class Flood {
  public:
    using Boxes = std::vector<std::uint32_t>;

    // Poses between two turns, in quarters, with the centre within a ring around all that stays;
    // start and goal are among them. The tolerance is in grains, the clearance in cells.
    Flood(const Scene &scene, std::int32_t tolerance, double clearance, std::int32_t low_turn,
          std::int32_t high_turn, const Corner &goal);

    const PoseBox &operator[](std::uint32_t box) const { return boxes_[box]; }
    std::size_t size() const { return boxes_.size(); }
    bool stuck() const { return stuck_; } // some box was too small to be cut

    // The free leaf around a pose, cut out for it, or none.
    std::uint32_t free_box(const Corner &at);

    // Fills a free box, and all free boxes that are connected with it.
    void reach(std::uint32_t first);

    // The boxes reached since the last call.
    Boxes fresh();

    // Cuts the largest box at the shore; false if there is none.
    bool advance();

    // Leaves that may be passed and lead from one of some to one that is last, the fewest; or none.
    template <class Pass, class Last> Boxes channel(const Boxes &from, Pass &&pass, Last &&last);

    // Advances from a free box, the first that was reached, while `goes_on`; false if nothing that
    // may be free leads to a goal any more. From `next` boxes on it sees now and then whether boxes
    // that are not closed still lead to one. If so, it looks only at those that do until they lead
    // there no more: narrow places are found, or closed, long before all the shore is cut as fine
    // as they need (8 ms instead of 3 s).
    template <class AtGoal, class GoesOn>
    bool seek(std::uint32_t first, std::size_t next, AtGoal &&at_goal, GoesOn &&goes_on);

    // Cuts the mixed boxes of a channel, and what is still mixed then, so many times.
    void widen(Boxes channel, std::size_t times = 1);

    // The number of a new tube: the boxes of a channel, and what they will be cut into.
    std::uint32_t make_tube(const Boxes &channel);

    // A route in a channel of free boxes from one pose to another, appended. In a box it first
    // slides, then turns about its centre, so it does not leave it.
    void follow(const Boxes &channel, Corner from, const Corner &to, Route &route) const;

    // What is near a pose: at most half a cell away, where a turn counts as far as it moves the
    // outermost cells.
    static constexpr double near = 0.5;
    double distance(const PoseBox &box, const Corner &at) const;
    // Cuts boxes near a pose, the finer the nearer they are, whatever the clearance.
    void grade(const Corner &at);
    Boxes free_near(const Corner &at); // nearest first

    Corner middle(std::uint32_t box) const; // or a rounder pose nearby

  private:
    struct Flat { // a rectangle, in cells
        double x, y, wide, high;
    };
    struct Angle;
    struct Wave;
    static Angle angle_at(std::int32_t k);
    static Wave condition(std::size_t number, const Flat &m, const Flat &s, double x, double y);

    const double clearance_;
    double swing_ = 1;                       // how far a quarter turn moves things, in cells
    std::array<std::vector<Flat>, 4> moves_; // by quadrant and pair
    std::vector<Flat> stays_;                // by pair
    std::vector<PoseBox> boxes_;
    Boxes pairs_, nearby_; // of all boxes, one after the other
    Boxes fresh_, looking_, before_;
    std::uint32_t tubes_ = 0;
    std::priority_queue<std::pair<double, std::uint32_t>> shore_;
    bool stuck_ = false;

    // How many pairs of faces touch: 1 for boxes that have a part of a face in common, 0 if one
    // contains a part of the other, 3 if they are apart.
    static int faces_touched(const PoseBox &a, const PoseBox &b);
    // Calls for the boxes within one that are not cut, but leaves out what is far.
    template <class Far, class Call> void each_within(std::uint32_t box, Far &&far, Call &&call);
    template <class Call> void each_neighbour(std::uint32_t box, Call &&call);
    template <class Call> void each_near(const Corner &at, Call &&call);
    double width(const PoseBox &box, std::size_t side) const;
    void enqueue(std::uint32_t box);
    void settle(std::uint32_t box);
    void settle_leaves(const Boxes &some);
    bool cut(std::uint32_t box, double clearance);
    void classify(std::uint32_t box, double clearance);
};

template <class Far, class Call>
void Flood::each_within(std::uint32_t box, Far &&far, Call &&call) {
    looking_.assign(1, box);
    while (!looking_.empty()) {
        const std::uint32_t next = looking_.back();
        looking_.pop_back();
        if (far(boxes_[next]))
            continue;
        if (const std::uint32_t child = boxes_[next].child; child != none) {
            looking_.push_back(child + 1);
            looking_.push_back(child);
        } else
            call(next);
    }
}

template <class Call> void Flood::each_neighbour(std::uint32_t box, Call &&call) {
    const PoseBox here = boxes_[box];
    const auto far = [&](const PoseBox &other) { return faces_touched(here, other) > 1; };
    for (std::uint32_t i = here.near_first; i < here.near_end; ++i)
        each_within(nearby_[i], far, call);
}

template <class Pass, class Last>
Flood::Boxes Flood::channel(const Boxes &from, Pass &&pass, Last &&last) {
    before_.resize(boxes_.size(), none);
    Boxes waiting = from, found;
    for (const std::uint32_t box : from)
        before_[box] = box;
    for (std::size_t i = 0; i < waiting.size() && found.empty(); ++i) {
        std::uint32_t box = waiting[i];
        if (last(boxes_[box])) {
            for (; before_[box] != box; box = before_[box])
                found.push_back(box);
            found.push_back(box);
        } else
            each_neighbour(box, [&](std::uint32_t other) {
                if (before_[other] == none && pass(boxes_[other])) {
                    before_[other] = box;
                    waiting.push_back(other);
                }
            });
    }
    for (const std::uint32_t box : waiting)
        before_[box] = none;
    std::reverse(found.begin(), found.end());
    return found;
}

template <class AtGoal, class GoesOn>
bool Flood::seek(std::uint32_t first, std::size_t next, AtGoal &&at_goal, GoesOn &&goes_on) {
    const auto open = [](const PoseBox &box) { return box.state != PoseBox::closed; };
    bool more = true;
    while (goes_on() && more) {
        more = advance();
        if (size() < next)
            continue;
        Boxes way = channel({first}, open, at_goal);
        more = !way.empty();
        const std::size_t before = size();
        const std::uint32_t tube = make_tube(way);
        while (!way.empty() && goes_on()) {
            // The more boxes a channel is sought in, the more are cut for it.
            widen(way, static_cast<std::size_t>(std::bit_width((size() - before) / 256)) / 2 + 1);
            way = channel(
                {first}, [&](const PoseBox &box) { return box.tube == tube && open(box); },
                at_goal);
        }
        next = size() + (size() - before) / 4 + 1;
    }
    return more;
}

} // namespace kumitate
