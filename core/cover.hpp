// Exact cover with bounds: fixed cells exactly once, optional cells at most once, each piece
// between its least and its most times, and a limit on the optional cells left empty.
//
// A search is a value. At each depth of the tree it knows which option it is trying and where to
// stop; those pairs, the path, are all its state. So it can run for a while, pause, be saved as a
// few numbers, go on elsewhere, and give away the second half of what lies before it:
//
//     depth 0   [ tried | at | ... | end )          a split hands over [middle, end) of the first
//     depth 1       [ tried | at | ... | end )      depth that has two options left, with the path
//     depth 2           [ at | ... | end )          above it
//
// This file sees only integers: what they stand for (pieces, cells, turns) is up to the caller.
#pragma once

#include "contract.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kumitate {

// The problem. Placement i covers the cells covers[starts[i]] .. covers[starts[i + 1]] - 1.
//
// An optional cell that weighs nothing may stay empty for nothing. The first cells may come in
// pairs, 2k and 2k + 1, which weigh nothing: a placement on one of a pair rules out those on the
// other, not those on the same. So what lies on a pair must agree, and a colour is a number written
// in pairs, one for each bit.
struct Cover {
    std::vector<std::uint8_t> optional;     // for each cell
    std::vector<std::uint32_t> weight;      // for each cell: how many real ones it stands for
    std::vector<std::uint32_t> least, most; // for each piece
    std::uint64_t holes = 0;                // weight of optional cells that may stay empty
    std::vector<std::uint32_t> piece;       // for each placement
    std::vector<std::uint32_t> name;        // for each placement: what the caller calls it
    std::vector<std::uint32_t> starts{0};
    std::vector<std::uint32_t> covers;
    std::uint32_t paired = 0; // cells in pairs
    // Empty, or for each placement where in `further` the other pieces begin that it is also of.
    std::vector<std::uint32_t> further_starts, further;

    std::size_t cells() const { return optional.size(); }
    std::size_t pieces() const { return least.size(); }
    std::size_t placements() const { return piece.size(); }
    std::span<const std::uint32_t> cells_of(std::size_t placement) const {
        return {covers.data() + starts[placement], starts[placement + 1] - starts[placement]};
    }
    // The cell whose placements are ruled out by those on this one.
    std::uint32_t rival(std::uint32_t cell) const { return cell < paired ? cell ^ 1 : cell; }
};

// The cells, and the pieces that can be used only once: no two placements of an assembly share one.
std::size_t count_columns(const Cover &cover);

// Whether all lists are of one length, and all numbers in them of something that there is.
bool is_sound(const Cover &cover);

// Cells that the same placements cover become one; a fixed one if any of them is. Cells that
// nothing covers go, at the expense of the holes. False if a fixed cell is among those.
bool merge_cells(Cover &cover);

// The same problem, without pairs and further pieces, with fewer placements and cells: placements
// that leave a cell or a piece without a partner are dropped, cells that every placement treats
// alike become one, until nothing changes. `possible` is false if a contradiction shows.
struct Reduced {
    Cover cover;
    bool possible;
};
Reduced reduce(const Cover &cover);

// The nodes that take as long to search as reducing does. A search that is over by then is better
// left alone (Bermuda: 22 ms of reducing, 2 ms of search).
std::uint64_t cost_of_reducing(const Cover &cover);

// A search of so many nodes. If it is over by then, and all it found is fewer than `room` numbers,
// they are the answers, as a search writes them.
struct Look {
    bool over;
    std::optional<std::vector<std::uint32_t>> answers;
};
Look look(const Cover &cover, std::uint64_t nodes, std::size_t room = 0);

// What makes placements that fill a goal an assembly, where that is not sure, by the caller's
// names.
struct Rules {
    std::vector<std::uint32_t> piece;       // for each name
    std::vector<std::uint8_t> forbidden;    // for each name
    std::vector<std::uint32_t> least, most; // for each piece
    std::vector<std::uint32_t> pinned;
};

// Whether some placements, sorted, keep to the bounds, the pins and the bans.
bool keeps(const Rules &rules, std::span<const std::uint32_t> names);

// What the symmetries of a goal make of placements, by the caller's names; `none` where the image
// of a placement is no placement. An assembly is kept if it is the least of its images that the
// search could also find, so one of each class is: those that use a `broken` placement cannot be
// found, since symmetry was broken by leaving those out.
struct Symmetry {
    std::uint32_t names = 0;           // how many placements there are names for
    std::vector<std::uint32_t> images; // one row of `names` for each symmetry but the identity
    std::vector<std::vector<std::uint32_t>> goes_to; // for each symmetry what it does to cells
    std::vector<std::uint8_t> turns;  // for each symmetry: it is a rotation, no reflection
    std::vector<std::uint8_t> safe;   // for each symmetry: images of assemblies always are some
    std::vector<std::uint8_t> broken; // for each name
    Rules rules;
};

// How many different assemblies of the problem the symmetries make of this one, or 0 if another of
// them stands for the class. The names must be sorted.
std::uint64_t class_size(const Symmetry &symmetry, std::span<const std::uint32_t> assembly);

// Turn an assembly the way round in which its names are least: the first piece in the first of its
// orientations that a rotation can give it, and so on.
void turn_to_front(const Symmetry &symmetry, std::vector<std::uint32_t> &assembly);

struct Level {
    std::uint32_t at, end; // the option being tried, and the first not to be tried
};

// What a search has done and found, and where it stands.
struct State {
    std::vector<Level> path;
    std::uint64_t nodes = 0; // options tried and found alive
    std::uint64_t found = 0; // assemblies, one of each class
    std::uint64_t all = 0;   // assemblies, with the sizes of their classes
    bool done = false;
};

// How the work divides among the options of the root, and of each of those; estimated by descending
// at random and multiplying the numbers of options (Knuth, Mathematics of Computation 29, 1975).
struct Shares {
    std::vector<double> root;               // for each option; they add up to 1
    std::vector<std::vector<double>> below; // for each option of each option; to 1 again
};

// Where every search begins.
inline State fresh_state() {
    return {{{0, none}}, 0, 0, 0, false};
}

class Search {
  public:
    virtual ~Search();

    const State &position() const { return state; }

    // Stand where a search of the same problem stood. Throws if none can have stood there, and
    // then stands at the beginning.
    virtual void load(State wanted) = 0;

    // Go on until done, `nodes` more nodes are searched, `stop` is set, or `out` holds `room`
    // numbers. Assemblies are appended to `out` as their length followed by the sorted names; if
    // `out` is null they are only counted.
    virtual void run(std::uint64_t nodes, const std::atomic<bool> &stop,
                     std::vector<std::uint32_t> *out, std::size_t room) = 0;

    // Give away the second half of what is left to do; false if there is no half to give.
    virtual bool split(State &other) = 0;

    // The part of the whole tree that is left to do. Options have equal shares, those of the first
    // two depths what `shares` says, if there are any.
    virtual double left() const = 0;
    std::shared_ptr<const Shares> shares;

    // To be asked of a search that has not begun. Empty, so that all options have equal shares, if
    // `stop` is set or there are too many options to try.
    virtual Shares estimate(const std::atomic<bool> &stop) = 0;

    // How many options the whole tree has, by this many descents at random; to be asked of a search
    // that has not begun.
    virtual double estimate_size(unsigned samples) = 0;

  protected:
    State state;
};

// The cover and the symmetry must outlive the search; symmetry may be null.
std::unique_ptr<Search> make_search(const Cover &cover, const Symmetry *symmetry);

// The same for any number of cells, without vectors; `make_search` takes it beyond 512 cells.
std::unique_ptr<Search> make_sparse_search(const Cover &cover, const Symmetry *symmetry);

// The sparse one with the options of each node in a random order: no two runs from a fresh state
// are alike. It can be neither saved nor split.
std::unique_ptr<Search> make_random_search(const Cover &cover, std::uint32_t seed);

// The instruction sets that searches can use, best first: "v4" (AVX-512) and "v3" (AVX2), or "neon"
// (ARM), and "plain".
struct InstructionSet {
    const char *name;
    bool here; // this machine has it
};
std::span<const InstructionSet> instruction_sets();

// The set of this name; a Refusal if it is unknown or not here.
const InstructionSet &find(std::span<const InstructionSet> known, const std::string &name);

// The best there is, unless another was asked for, to compare.
const char *instruction_set();
void use_instruction_set(const std::string &name);

} // namespace kumitate
