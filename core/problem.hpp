// From a goal and pieces to a cover.
//
// Placements get numbers, their names, in the order of pieces and of `ways`.
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

// The cover of all placements that are neither forbidden nor broken nor at odds with a pinned one.
Cover make_cover(const Problem &problem, const Symmetry *symmetry);

// The same cover with holes as a piece of one cell that lies where no other does, if the search is
// better off: where pieces may be left out, nothing else says that an optional cell is covered.
// Placements of that piece have no name (`none`).
Cover with_holes(Cover cover);

// The places of the cells when they are numbered along the goal's longest side first, so that what
// is filled and what is open meet in the smallest cross-section.
std::vector<std::uint32_t> along(const Goal &goal);

// What keeps some placements from being an assembly that leaves at most `holes` optional cells
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

} // namespace kumitate
