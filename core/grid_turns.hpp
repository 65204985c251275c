// The turns and reflections of a grid, from the corners of its tiles: where each sends every tile.
//
// Only the generators and one reflection are looked up among the tiles; the others are products of
// them, in the order of `Grid.turns` and `Grid.mirrors` (model/grid.py), by which files number
// them.
#pragma once

#include "placements.hpp"

#include <optional>

namespace kumitate {

using Row3 = std::array<std::int64_t, 3>;
using Matrix3 = std::array<Row3, 3>;

struct GridTable {
    std::vector<std::vector<Row3>> tiles; // corners: lattice coordinates times the denominator
    std::int64_t denominator = 1;
    std::vector<Matrix3> generators;
    Matrix3 mirror{};
    std::optional<Matrix3> extra; // times the divisor
    std::int32_t divisor = 1;
};

// All turns, and then as many reflections; nothing if the table is not that of a tiling which they
// keep, or if its numbers are too large.
std::vector<Turn> grid_turns(const GridTable &table);

} // namespace kumitate
