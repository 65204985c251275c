// Arcs: legs of a route on which the centre of the moving set follows an ellipse.
//
// On an arc about (a, b) the centre is at (a, b) + B cos + C sin of the angle, B and C being the
// vectors that let it begin and end as the leg does. A rotation is the special case of a circle.
// An arc may keep a corner on a face, or corners on two faces at once, while the set turns: those
// that touch something on all sides can often begin to turn in no other way.
//
// With t = tan(angle / 2), the eight conditions under which two rectangles overlap are polynomials
// of degree 4. The leg is cut in halves until in each part one of them is never positive, which the
// signs of its Bernstein coefficients show: whole numbers, no rounding. A leg on which two
// rectangles are apart, but never for long by the same condition, counts as one that hits.
#pragma once

#include "route.hpp"

namespace kumitate {

// Whether a pair cannot be shown to be apart on an arc that lies in the first quadrant.
bool hits_on_arc(const Meeting &pair, std::int32_t tolerance, const Pose &from, const Pose &to);

} // namespace kumitate
