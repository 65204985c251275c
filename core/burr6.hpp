// All ways to put six sticks together in a frame, one of each class of those that a symmetry of the
// frame makes into each other, and how each begins to come apart.
//
// Two sticks lie along each axis. Sticks along different axes meet in a few cells of the middle,
// which either may have, or neither; sticks along the same axis do not meet. So a pair along one
// axis and a pair along the next leave a list to each of the last two, and all choices from the two
// lists are assemblies.
//
//     places   0 1     2 3     4 5      a task is a pair for places 0 and 1, one of each
//              task    pair    lists    class; it has the assemblies whose other two pairs
//                                       are of no earlier class
//
// The same structure counts without visiting: for each pair at places 0 and 1, what the other four
// have to do with each other is a cycle of four small matrices, and the number of ways its trace.
#pragma once

#include "burr6_moves.hpp"

#include <functional>
#include <memory>
#include <span>

namespace kumitate {

using FrameCell = std::uint8_t; // (x * 6 + y) * 6 + z

struct StickSet {
    std::vector<FrameCell> home;      // the cells of a whole stick, at one of the places
    std::vector<FrameCell> loose;     // those of them that a stick may lack
    std::vector<std::uint16_t> kinds; // a bit for each loose cell that it has, heavy ones first
    std::vector<std::vector<FrameCell>> turns; // the symmetries of the frame: where cells go
    std::size_t rotations;                     // so many of them come first, reflections follow
};

using Kinds = std::array<std::uint16_t, six>; // of the stick at each place, its loose cells

struct BurrCounts {
    std::array<std::uint64_t, endings> once{};     // classes of assemblies, by ending
    std::array<std::uint64_t, endings> mirrored{}; // those that differ from their mirror images
};

struct Kept {
    Kinds kinds;
    std::uint8_t ending;
    bool mirrored;
};

class BurrEnumeration {
  public:
    // Throws invalid_argument unless the turns are a group under which the sticks are closed. In
    // solid assemblies no cell stays empty.
    BurrEnumeration(const StickSet &sticks, bool solid);
    ~BurrEnumeration();

    std::size_t tasks() const;
    // Which of the turns takes a stick from home to each place.
    const std::array<std::size_t, six> &places() const;

    // Of each task, how many assemblies have its pair at places 0 and 1, of any class and with
    // empty cells.
    std::vector<std::uint64_t> sizes() const;
    // How many classes of assemblies there are, with empty cells; and if reflections are left out.
    std::array<std::uint64_t, 2> count() const;

    // False if interrupted. Those that come apart by so many moves or more are kept, if asked.
    bool run(std::span<const std::uint32_t> tasks, BurrCounts &tally,
             const std::function<bool()> &keep_going, std::uint8_t least = most_moves,
             std::vector<Kept> *kept = nullptr) const;

    std::uint8_t ending(const Kinds &kinds) const;

  private:
    struct Frame;
    struct Visit;
    std::unique_ptr<Frame> frame_;
};

} // namespace kumitate
