// Where things fit: every turn and shift that puts a set of cells into a goal, and every turn that
// maps the goal onto itself.
//
// A cell is four integers; what the last one means (which tile) and what the numbers stand for is
// nobody's business here. Colours are reduced to bits: a piece's cell shows one kind (a bit), a
// goal's cell accepts some kinds (a mask), and a piece fits where every cell meets one that
// accepts it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kumitate {

struct Cell {
    std::int32_t x, y, z, tile;
    friend auto operator<=>(const Cell &, const Cell &) = default;
};

struct Shift {
    std::int32_t x, y, z;
    friend bool operator==(const Shift &, const Shift &) = default;
};

inline Cell operator+(Cell c, Shift s) {
    return {c.x + s.x, c.y + s.y, c.z + s.z, c.tile};
}
inline Shift operator-(Cell a, Cell b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

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

// The goal's cells, and where to find one. If their box is not much larger than they are it is a
// table of the box, else one with open addressing, at most half full:
//
//     slots   | 7 | . | 2 | . | . | 0 |      number of a cell, or -1
//     cells   | c0 c1 c2 ...                 as given
//     accepts | m0 m1 m2 ...                 the kinds that each one accepts
struct Goal {
    std::vector<Cell> cells;
    std::vector<std::uint64_t> accepts;
    std::vector<std::int32_t> slots;
    Cell low; // the box: its low corner and its sides, tiles being a fourth dimension
    std::array<std::size_t, 4> size;
    bool boxed;
};

Goal make_goal(std::span<const Cell> cells, std::span<const std::uint64_t> accepts);

// The number of a cell of the goal, or -1.
std::int32_t find(const Goal &goal, Cell cell);

// The shifts by which a piece fits, in the order of the cells that its first cell lies on.
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
