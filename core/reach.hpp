// Where a rigid set of cells can go in the plane across an axis, if it may tilt, slide and turn
// about a moving pivot: all stops on the lattice at once, each with a route.
//
// Near stops are those that slides and turns about fixed pivots lead to, however many of them. They
// are found stop by stop, exactly. Far stops need a route: one flood of the poses, from all near
// stops, fills free boxes until no box that may be free leads to another stop (planner.hpp says how
// the two sides of the answer are certain). What can be reached from a far stop by slides and turns
// is far, too.
//
// Hard pieces touch what is around them. To first order they can begin to turn if there is a pivot
// about which no face moves into one that it touches. If there is none wherever the set can slide,
// it never turns, and there is no need for a flood: at an angle of 0 faces do not bend, so what
// cannot begin to turn to first order cannot do so at all.
#pragma once

#include "planner.hpp"

namespace kumitate {

// Quarter turns about the corner (0, 0), from -3 to 3, and then a shift in units.
struct Stop {
    std::int32_t quarters, u, v;
    friend auto operator<=>(const Stop &, const Stop &) = default;
};

struct Landing {
    Stop stop;
    Route route; // from the start, exact
};

struct Reach {
    std::vector<Landing> near; // the start first
    std::vector<Landing> far;  // of those that are clear of all that stays, one at most
    bool certain = true;       // that there are no others, for faces set back by `none_at`
    std::int32_t none_at = 0;  // in grains
    std::size_t boxes = 0;     // made on the way
};

// The tolerance and the clearance are in grains. Faces set back less than half the clearance are
// asked about exactly: then the clearance is made smaller if need be, down to 0.005 of a cell, or
// to twice the tolerance.
Reach reach(const Scene &scene, std::int32_t tolerance, std::int32_t clearance,
            std::size_t boxes = 100'000);

} // namespace kumitate
