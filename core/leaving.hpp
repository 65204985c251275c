// How hard pieces leave a place where they touch others: arcs on which they begin to turn.
//
// At a pose on the lattice all faces are upright or level. Let the centre move by
// V sin + W (1 - cos) of the angle, from where it is: V is how fast it moves at first, W bends its
// way. For a corner at height y that touches an upright face on the right, at a distance h from the
// centre, the way is free if V.x < y; or if V.x = y and
//
//     W.x <= h             for a corner of the moving set, on a face that stays,
//     W.x <= -h - 2 V.y    nearly, for a corner that stays, on a face that moves;
//
// and so on for the other sides, and the other sense. Where two corners touch, one side of two must
// be free. That leaves rectangles for V, and others for W. Where they are points or lines, the set
// must begin to move just so: about a fixed pivot it would, if at all, only by accident. The arcs
// tried have V and W in the middle of the rectangles, on their sides and at their corners. They are
// as long as they can be; `hits` has the last word.
#pragma once

#include "flood.hpp"

namespace kumitate {

struct Gate {
    Corner inside; // in a free box
    Route route;   // to there from the post, exact
};

// Ways from a pose on the lattice, or half a unit beside it, to free boxes of a flood, which are
// cut out for them.
std::vector<Gate> gates(const Scene &scene, std::int32_t tolerance, Flood &flood, const Pose &post);

} // namespace kumitate
