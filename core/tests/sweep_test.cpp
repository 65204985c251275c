// Tiles and balls that slide, where the answer is plain; Python compares all grids with a twin.

#include "../sweep.hpp"
#include "check.hpp"

using namespace kumitate;

void test_sweep() {
    std::vector<Vector> corners;
    for (std::int64_t n = 0; n < 8; ++n)
        corners.push_back({n & 1, n >> 1 & 1, n >> 2});
    const Tiles cubes({corners}, 1);
    const auto passes = [&](Shift start, Shift step, std::int32_t parts) {
        return cubes.sweep({start, step, parts})[0];
    };
    using Cells = std::vector<Cell>;
    expect(passes({}, {1, 0, 0}, 1) == Cells{{0, 0, 0, 0}, {1, 0, 0, 0}}, "a cube slides by one");
    expect(passes({}, {0, 0, -2}, 1).size() == 3, "a cube slides by two");
    expect(passes({1, 0, 0}, {1, 0, 0}, 2) == Cells{{0, 0, 0, 0}, {1, 0, 0, 0}},
           "a cube slides from a half to one");
    expect(passes({}, {1, 1, 0}, 1).size() == 4, "a cube slides past two others");

    const std::array<Vector, 3> gram{{{2, 1, 1}, {1, 2, 1}, {1, 1, 2}}};
    expect(sweep_ball(gram, 2, {{}, {0, 0, 0}, 1})[0] == Cells{{0, 0, 0, 0}}, "a ball at rest");
    expect(sweep_ball(gram, 2, {{}, {1, 0, 0}, 1})[0].size() == 6,
           "a ball that takes a neighbour's place brushes the four between");
}
