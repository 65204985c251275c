// Finds a route for a rigid set of cells from where it stands to another place on the lattice,
// turned by a quarter or not, if it may tilt, slide and turn about a moving pivot.
//
// The poses (x, y, turn) are cut into boxes as needed. A flood from the start fills free boxes and
// cuts mixed ones at its shore, large ones first, until it reaches the goal, or until only closed
// boxes are left around it (flood.hpp; after Wang, Chiang and Yap's resolution-exact planning).
//
// The answer is certain on both sides. Boxes only guide the search: a route counts only if nothing
// on it hits anything, which `hits` (route.hpp) decides exactly. And if the flood ends, there is no
// route for pieces whose faces are set back less by half the clearance: where those do not overlap,
// the pieces at hand are at least the clearance apart, so no such pose is in a closed box. Floating
// point errs on the safe side.
//
// Without tolerance, start and goal touch what is around them, so they are on the edge of free
// space. Arcs then lead from there to free boxes nearby (leaving.hpp). If no route is found that
// way, a flood with more tolerance may still prove that there is none.
#pragma once

#include "route.hpp"

#include <optional>

namespace kumitate {

struct Question {
    std::int32_t quarters = 1;   // -3 to 3; 0 to tilt, slide and tilt back
    std::int32_t tolerance = 0;  // in grains
    std::int32_t clearance = 40; // in grains, even
    std::size_t boxes = 100'000; // give up after this many in a flood
    // The shift, after the quarter turn about the corner (0, 0). Without it, any pose on the
    // lattice will do but the start.
    std::optional<std::array<std::int32_t, 2>> goal{};
};

// On a route the angle may leave the range from its first to its last by a quarter turn at most. Of
// other routes no verdict says anything.
enum class Verdict {
    found,   // a route
    none,    // there is none, with faces set back by `none_at`
    unclear, // none was found, but one may exist that touches what stays, or almost does
    limit,   // gave up
};

struct Plan {
    Verdict verdict = Verdict::unclear;
    Route route{};
    std::int32_t none_at = -1; // in grains, or -1 if nothing is proved
    std::size_t boxes = 0;     // made on the way
};

Plan find_route(const Scene &scene, const Question &question);

// The least tolerance at which there is a route, in grains, and that route. There is none at
// `none_at`, which is at most 2 grains less unless a search gave up; it is -1 if the tolerance is
// 0, or if it is 2 and a route may exist at 0. With the verdict `none` there is no route at any
// tolerance.
struct Least {
    std::int32_t tolerance;
    Plan plan;
};
Least least_tolerance(const Scene &scene, Question question);

// The same for a route that is known, or for none at half a cell: makes its tolerance less, as long
// as that may be possible above `none_at`. False if it gave up before the two were close.
bool narrow(const Scene &scene, Question question, std::int32_t none_at, Least &least);

} // namespace kumitate
