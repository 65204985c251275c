// Every shift by which a set of cells fits into a goal.
//
// A cell is four integers; what the last one means (which tile) and what the numbers stand for is
// nobody's business here. Colours are reduced to bits: a piece's cell shows one kind (a bit), a
// goal's cell accepts some kinds (a mask), and a piece fits where every cell meets one that
// accepts it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kumiki {

struct Cell {
    std::int32_t x, y, z, tile;
    friend bool operator==(const Cell &, const Cell &) = default;
};

struct Shift {
    std::int32_t x, y, z;
    friend bool operator==(const Shift &, const Shift &) = default;
};

// The goal's cells in an open-addressing table, at most half full:
//
//     slots   | 7 | . | 2 | . | . | 0 |      number of a cell, or -1
//     cells   | c0 c1 c2 ...                 as given
//     accepts | m0 m1 m2 ...                 the kinds that each one accepts
struct Goal {
    std::vector<Cell> cells;
    std::vector<std::uint64_t> accepts;
    std::vector<std::int32_t> slots;
};

Goal make_goal(std::span<const Cell> cells, std::span<const std::uint64_t> accepts);

// The number of a cell of the goal, or -1.
std::int32_t find(const Goal &goal, Cell cell);

// In the order of the goal's cells that the piece's first cell comes to lie on.
std::vector<Shift> fits(const Goal &goal, std::span<const Cell> piece,
                        std::span<const std::uint64_t> kinds);

} // namespace kumiki
