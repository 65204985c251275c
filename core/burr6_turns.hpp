// Whether any of six sticks can turn, in the state in which they were put together or in one that
// slides lead to.
//
// Sticks slide by whole or half cells, and turn by quarters about axes along the grid, through
// pivots at quarters of cells: they stop at whole or half cells. Four facts keep this small.
//
// Where nothing slides, nothing turns. In the frame, the cells that every stick has let nothing
// turn but about a pivot beside all that turns, or beside all that stays; and what turns about such
// a pivot could as well slide, since all its faces move the same way (tests/burr6/test_turns.py).
//
// Where no sticks overlap between cells, none do when all are rounded down, or up, along an axis.
// So every state between cells is one of whole cells in which some sets go up half a cell, and
// whole cells tell whether a stick comes free: half cells never help before something turns.
//
// A stick between cells along the axis about which it turns has two layers in its way where one
// would do. So only the two other axes need half cells.
//
// No face may move into one that it touches: two sticks that touch leave a rectangle of pivots
// about which one can begin to turn against the other, and a set of sticks the rectangle that is
// common to all its pairs. Hardly ever is there one; only then is the turn itself decided, column
// against column (overlap in turning.hpp).
//
// So far pivots stay where they are. Some turns need one that moves, such as that of the
// Programmer's Nightmare (bench/nightmare.py). They take milliseconds to find or to rule out
// (reach.hpp), so they are looked for only where a set can begin to turn that lies along the axis,
// one stick or two, and where it fits again, turned, within half a cell of where it was. Sticks
// that lie across the axis would have to swing out of the frame: those turn about fixed pivots
// only.
#pragma once

#include "burr6_moves.hpp"
#include "route.hpp"

#include <map>
#include <span>

namespace kumitate {

class TurnSearch {
  public:
    // The boxes in which the sticks lie, their length, and the tolerance of turns about a moving
    // pivot, in thousandths of a cell.
    TurnSearch(const std::array<Box, six> &boxes, int length, std::int32_t tolerance);

    // In any of these states, which are all that whole cells reach: turning, unclear or stuck.
    std::uint8_t ending(const std::array<const Stick *, six> &sticks,
                        std::span<const SlideState> states);

  private:
    // A rectangle of pivots, ends included: -left, right, -bottom and top, in half cells. What is
    // common to two is then the less of each.
    typedef std::int16_t Window __attribute__((vector_size(8)));
    typedef std::int16_t TwoWindows __attribute__((vector_size(16)));
    // For each axis, the pivots about which the first stick of a pair can begin to turn
    // counter-clockwise against the second, and the second against the first. As if the first stood
    // where it was put together.
    struct Contacts {
        std::array<TwoWindows, 3> open;
        bool overlap;
        std::uint64_t key;
    };
    using Touching = std::array<Contacts, pairs.size()>;
    struct Crossing { // two columns
        unsigned i, j;
        int x, y, z, w;
    };

    const std::array<Box, six> boxes_;
    const Arms arms_;
    const std::int32_t tolerance_;
    std::array<unsigned, 3> lying_{};          // the sticks along each axis
    std::vector<Contacts> known_;              // by key, the last one of each slot
    std::vector<std::uint8_t> hits_;           // what overlap has said
    std::array<const Stick *, six> sticks_{};  // at hand,
    std::array<std::array<int, six>, 3> at_{}; // and where they are along each axis, in half cells
    Crossing last_{0, 0, 0, 0, 0, 0};
    std::uint8_t found_ = stuck;
    std::map<std::vector<std::int32_t>, std::uint8_t> routed_; // by what turns and what is nearby

    const Contacts &contacts(std::size_t pair);
    Contacts find_contacts(std::size_t pair, const std::array<int, 3> &distance) const;
    unsigned column(std::size_t i, std::size_t axis, int x, int y) const;
    void turn_about(std::size_t axis, const Touching &touching);
    Window box(std::size_t u, std::size_t v) const;
    bool turns(std::size_t axis, unsigned set, Window pivots);
    bool passes(std::size_t axis, unsigned set, int u, int v, unsigned quarter);
    bool hit(std::size_t axis, const Crossing &columns, int u, int v, unsigned quarter);
    bool cell_hits(int x, int y, int other_x, int other_y);
    std::uint8_t turned_on_a_route(std::size_t axis, unsigned set);
    FlatPiece cells(std::size_t axis, std::size_t i) const;
};

} // namespace kumitate
