// From a goal and pieces to a cover, and to what the goal's symmetries do to it.
//
// Placements get numbers, their names, in the order of pieces and of `ways`. Symmetry is broken
// here, once: either one piece that is used just once, or the placements that cover one cell which
// every symmetry leaves in its place, are restricted to one of each orbit. What is found twice all
// the same (a placement may have symmetry of its own) the search filters by comparing with images.
#pragma once

#include "cover.hpp"
#include "frontier.hpp"
#include "placements.hpp"

#include <string>

namespace kumitate {

struct Problem {
    Goal goal;
    std::vector<std::uint32_t> labels;  // for each cell of the goal: only like may map to like
    std::vector<std::uint8_t> optional; // for each cell of the goal
    std::vector<Turn> turns;            // rotations first, then reflections
    std::uint32_t rotations;
    std::uint64_t holes; // optional cells that may stay empty
    Rules rules;
    // For each piece:
    std::vector<Shape> shapes;
    std::vector<Looks> looks;
    // For each orientation of a piece:
    std::vector<std::uint32_t> turn;
    std::vector<std::vector<std::uint64_t>> kinds; // of the cells, in the order of way.covers
    std::vector<std::uint32_t> starts{0};          // its placements: starts[o] .. starts[o + 1] - 1
    // For each placement, by name:
    std::vector<std::uint32_t> orientation;
    std::vector<Way> ways;
};

// Returns the number of the piece: if it may be a copy and looks, in some turn, as an earlier one,
// it is that one, whose bounds grow.
std::uint32_t add_piece(Problem &problem, std::span<const Cell> shape,
                        std::span<const std::uint64_t> kinds, std::uint32_t least,
                        std::uint32_t most, bool may_be_copy);

// The symmetry to count by: rotations, and with `mirrors` reflections.
Symmetry make_symmetry(const Problem &problem, bool reflections);

// Leave out, as `broken`, what the symmetry makes superfluous. Returns by how much the number of
// placements to choose from goes down at the cell or piece chosen (1: nothing could be done).
double break_symmetry(const Problem &problem, Symmetry &symmetry);

// The cover of all placements that are neither forbidden nor broken nor at odds with a pinned one.
Cover make_cover(const Problem &problem, const Symmetry *symmetry);

// The places of the cells when they are numbered along the goal's longest side first, so that what
// is filled and what is open meet in the smallest cross-section.
std::vector<std::uint32_t> along(const Goal &goal);

// What keeps some placements from being an assembly that leaves at most so many optional cells
// empty; nothing if they are one. Whatever a search finds can be held against this.
std::string fault_of(const Problem &problem, std::span<const std::uint32_t> names,
                     std::uint64_t holes);

// The same for everything that a search wrote, each assembly as a length and that many names: one
// that is none is a broken contract.
void require_assemblies(const Problem &problem, std::span<const std::uint32_t> rows);

// What to tally to count the assemblies: all of them first, then for each symmetry those that it
// leaves as they are, whose mean is the number of classes (Burnside). Such an assembly is made of
// whole orbits of placements. Empty if there are too many kinds of pieces, or if a symmetry may
// make an assembly into something else.
std::vector<Filling> fillings(const Problem &problem, const Symmetry *symmetry);

// The thorough comparison: an assembly may fit the goal in another way that no symmetry of the goal
// explains, when optional cells leave room. It stands for its class if the least of all its images
// in the goal is also the least of those by the goal's symmetries alone, of which a search with
// `make_symmetry` keeps one.
class Thorough {
  public:
    Thorough(const Problem &problem, bool reflections);
    ~Thorough();
    bool stands_for_its_class(std::span<const std::uint32_t> assembly);

  private:
    const Problem &question_;
    const std::span<const Turn> turns_;
    std::vector<GoalMap> own_;
    std::unique_ptr<class Directory> directory_;
};

} // namespace kumitate
