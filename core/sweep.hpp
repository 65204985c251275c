// What a tile passes through when it slides, from the corners of the tiles: exact, in whole
// numbers.
//
// On its way a tile sweeps the Minkowski sum of itself and a segment. If that misses another tile,
// an axis separates the two: the normal of a face, or the cross product of two of the edges and the
// step. So one list of axes serves all pairs. Touching and sliding along are free.
//
// A ball passes through the balls whose centres come nearer to its own than a diameter.
#pragma once

#include "box.hpp"

#include <vector>

namespace kumitate {

using Vector = std::array<std::int64_t, 3>;
using Sweep = std::vector<std::vector<Cell>>; // for each tile the cells that it passes through

// From start / parts to (start + step) / parts, in lattice coordinates.
struct Stretch {
    Shift start, step;
    std::int32_t parts = 1;
};

class Tiles {
  public:
    // Corners are lattice coordinates times the denominator.
    Tiles(std::vector<std::vector<Vector>> corners, std::int32_t denominator);

    Sweep sweep(const Stretch &stretch) const;

  private:
    std::vector<std::vector<Vector>> corners_;
    std::int64_t denominator_;
    std::vector<Vector> edges_; // their directions
    std::vector<Vector> axes_;  // which separate tiles that stand still
};

// Balls at the points of a lattice with this Gram matrix.
Sweep sweep_ball(const std::array<Vector, 3> &gram, std::int64_t diameter2, const Stretch &stretch);

} // namespace kumitate
