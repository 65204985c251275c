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

#include "burr6_complete.hpp"
#include "burr6_frame.hpp"

#include <functional>
#include <optional>
#include <span>

namespace kumitate {

// Another way to count levels, or longer sticks.
struct BurrVariant {
    LevelBy by;
    int length;
};
inline constexpr std::array<BurrVariant, 6> variants{{{LevelBy::axis, side},
                                                      {LevelBy::unit, side},
                                                      {LevelBy::piece, side},
                                                      {LevelBy::move, 8},
                                                      {LevelBy::move, 10},
                                                      {LevelBy::move, 12}}};

// How far burrs are taken apart, and which are kept.
struct BurrQuestion {
    LevelBy by = LevelBy::move;
    std::optional<std::int32_t> turns{}; // whether anything turns, of those that do not come apart:
                                         // the tolerance, in thousandths of a cell
    bool complete = false;               // what becomes of the others; if levels are by moves
    bool compare = false; // how all end by the variants; if the sticks are no longer than the frame
    std::uint8_t least = most_moves; // moves to the first separation, of those that are kept,
    std::uint8_t total = never;      // or in all
    std::uint8_t far = never;        // or if stuck, the cells that two sticks get from each other
};

struct BurrCounts {
    std::array<std::uint64_t, endings> once{};     // classes of assemblies, by ending
    std::array<std::uint64_t, endings> mirrored{}; // those that differ from their mirror images
    // The same of those that come apart, by ending and outcome, if asked.
    std::vector<std::array<std::array<std::uint64_t, 2>, outcomes>> apart{};
    // By variant and ending, if asked.
    std::vector<std::array<std::array<std::uint64_t, 2>, endings>> compared{};
};

struct Kept {
    Kinds kinds;
    std::uint8_t ending, outcome;
    bool mirrored;
};

class BurrEnumeration {
  public:
    // In solid assemblies no cell stays empty.
    BurrEnumeration(const StickSet &sticks, bool solid) : frame_(sticks, solid) {}

    std::size_t tasks() const { return frame_.tasks.size(); }
    // Which of the turns takes a stick from home to each place.
    const std::array<std::size_t, six> &places() const { return frame_.places; }

    // Of each task, how many assemblies have its pair at places 0 and 1, of any class and with
    // empty cells.
    std::vector<std::uint64_t> sizes() const;
    // How many classes of assemblies there are, with empty cells; and if reflections are left out.
    std::array<std::uint64_t, 2> count() const;

    // False if interrupted. Those are kept, if asked, that come apart or get apart as the question
    // says, or are turning or unclear. Throws invalid_argument if it asks for what cannot be
    // combined.
    bool run(std::span<const std::uint32_t> tasks, const BurrQuestion &question, BurrCounts &tally,
             const std::function<bool()> &keep_going, std::vector<Kept> *kept = nullptr) const;

    // What becomes of one assembly.
    CompleteSearch::Result ending(const Kinds &kinds, const BurrQuestion &question = {}) const;

    // What becomes of all assemblies of six sticks, each given by the kinds that it can be. Sticks
    // with the same kinds are alike. If they include their mirror images, assemblies that are
    // mirror images count once.
    struct SixSticks {
        std::array<std::vector<std::uint16_t>, six> kinds;
        bool mirrored;
    };
    std::vector<BurrCounts> census(std::span<const SixSticks> sets) const;

  private:
    const BurrFrame frame_;
};

} // namespace kumitate
