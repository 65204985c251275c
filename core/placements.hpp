// Where things fit: every turn and shift that puts a set of cells into a goal, and every turn that
// maps the goal onto itself.
//
// A cell is four integers, the last of which says which tile; this file does not know what they
// stand for. Colours are reduced to bits: a piece's cell shows one kind (a bit), a goal's cell
// accepts some kinds (a mask), and a piece fits where every cell meets one that accepts it.
#pragma once

#include "box.hpp"
#include "table.hpp"

#include <span>
#include <unordered_map>

namespace kumitate {

// A cell goes to matrix (x, y, z) / divisor + shifts[tile], on the tile onto[tile].
struct Turn {
    std::array<std::int32_t, 9> matrix;
    std::int32_t divisor;
    std::vector<std::int32_t> onto;
    std::vector<Shift> shifts;
};

// The cells, turned about the origin; if there is a divisor, about the least of them, and false if
// they do not all land on cells.
bool turn_cells(const Turn &turn, std::span<const Cell> cells, std::vector<Cell> &turned);

// The goal's cells, and where to find one: in an array over their box if that is not much larger
// than they are, else in a hash table.
//
//     in_box  | 2 | . | 7 | . | . | 0 |      number of a cell, or `none`; empty if the box is large
//     cells   | c0 c1 c2 ...                 as given
//     accepts | m0 m1 m2 ...                 the kinds that each one accepts
struct Goal {
    std::vector<Cell> cells;
    std::vector<std::uint64_t> accepts;
    Cell low{};                        // the box: its low corner,
    std::array<std::size_t, 4> size{}; // and its sides, tiles being a fourth dimension
    std::vector<std::uint32_t> in_box;
    Numbers numbers;
};

Goal make_goal(std::span<const Cell> cells, std::span<const std::uint64_t> accepts);

// The number of a cell of the goal, or `none`.
std::uint32_t find(const Goal &goal, Cell cell);

std::uint64_t hash_of(Cell cell);

// The shifts by which a piece fits, in the order of the cells that its first cell lies on. A goal
// has its cells in order.
std::vector<Shift> fits(const Goal &goal, std::span<const Cell> piece,
                        std::span<const std::uint64_t> kinds);

// How a shape lies after a turn, and every shift by which it fits so. A way covers, in the order of
// the turned cells, these cells of the goal; that order is the same for all ways of an orientation,
// and its ways are in the order of the cell that the first one covers.
struct Way {
    Shift shift;
    std::vector<std::uint32_t> covers;
};
struct Orientation {
    std::uint32_t turn;
    std::vector<std::uint64_t> kinds; // of the turned cells
    std::vector<Way> ways;
};

// How a shape looks, wherever it lies, as a hash.
std::uint64_t look_of(std::span<const Cell> cells, std::span<const std::uint64_t> kinds);

// How a shape looks in each of its orientations, as a hash, and by which turn that comes about.
using Looks = std::unordered_map<std::uint64_t, std::uint32_t>;

// Every way to place a shape, each once: one that looks the same after some turns is placed by the
// first of them.
std::vector<Orientation> orientations(const Goal &goal, std::span<const Turn> turns,
                                      std::span<const Cell> shape,
                                      std::span<const std::uint64_t> kinds, Looks &looks);

struct Shape {
    std::vector<Cell> cells;
    std::vector<std::uint64_t> kinds;
};

// Whether the second, as it is, is one of the looks of the first, up to a shift.
bool is_among(const Looks &looks, const Shape &shape, std::span<const Turn> turns,
              const Shape &other);

// The turns that, with some shift, map the goal onto itself, like labels on like: for each the
// number of the turn, and for each cell the number of the cell it goes to. Turns that do the same
// to every cell are given once.
struct GoalMap {
    std::uint32_t turn;
    std::vector<std::uint32_t> goes_to;
};
std::vector<GoalMap> goal_maps(const Goal &goal, std::span<const std::uint32_t> labels,
                               std::span<const Turn> turns);

} // namespace kumitate
