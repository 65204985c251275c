// How an assembly comes apart: the fewest moves to a separation, then the same for both parts.
//
// A state says where every piece of a part stands, relative to the first of them. States are
// visited breadth first, so the first that separates is reached by the fewest moves. What may move
// is found by pushing: along a step, a piece takes along all that stand in its way, and those what
// stands in theirs. Sets of at most half the pieces are enough, and unions of such sets: whatever
// else could move has a complement that moves the other way.
//
// Several separations may be equally near, and which one is taken decides the later numbers of the
// level. The order is fixed, whatever the number of threads; on cubes and prisms it gives the
// levels that BurrTools gives (described in docs/take-apart.md):
//   states in the order they were found; of a state first single pieces that slide off, then sets,
//   each by direction (step, then its opposite) and piece; moves by direction, pushing piece and
//   distance, each new set being joined at once with those already found for the same direction and
//   distance, newest first.
#pragma once

#include "route.hpp"
#include "turning.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace kumitate {

// A piece of the problem, turned and then shifted.
struct Spot {
    std::uint32_t piece, turn;
    Shift shift;
};

// Directions are numbered step, opposite, next step, opposite, ...
struct Slide {
    std::vector<std::uint32_t> pieces;
    std::uint32_t direction;
    std::uint32_t units;            // 0: all the way out
    std::vector<Shift> each{};      // away, each piece with its own velocity instead
    Swing turn{};                   // instead of a slide, if it has quarters, or a route:
    std::vector<RoutePose> route{}; // on which the pieces turn, or tilt, slide and tilt back
    friend bool operator==(const Slide &, const Slide &) = default;
};

struct Separation {
    std::vector<Slide> moves;
    std::unique_ptr<Separation> left, removed;
};

enum class Ending {
    apart,       // all of it
    rigid,       // a part in which nothing can move
    stuck,       // a part that moves but does not separate: all its states were visited
    limited,     // by the number of states or of moves
    unclear,     // some motion with a moving pivot was neither found nor ruled out
    crowded,     // so many pieces are loose that their combinations cannot be listed
    interrupted, // by the caller
    vast,        // pieces move farther than states can tell
};

struct Limits {
    std::uint64_t states = ~std::uint64_t{0}; // over all separations
    std::uint32_t moves = ~std::uint32_t{0};  // to a separation
};

struct Attempt {
    Ending ending;
    std::unique_ptr<Separation> separation; // if apart
    std::uint64_t states = 0;               // visited
    std::vector<std::uint32_t> part;        // where it ended, if not apart,
    // and where that stood, from where it was assembled; nowhere else, if some of it has turned
    std::vector<Shift> places;
    bool unsure = false; // if apart: moving pivots may separate something in fewer moves
};

using KeepGoing = std::function<bool(std::uint64_t states)>;

// Asked when a part does not separate along steps: velocities for its pieces, standing at these
// places, with which they fly apart all at once; none if they do not.
using Rescue = std::function<std::vector<Shift>(const std::vector<std::uint32_t> &part,
                                                const std::vector<Shift> &places)>;

// Its groups, and how many copies may stay together in each.
using Groups = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

class Disassembler {
  public:
    // With a tolerance, in thousandths of a cell, pieces may turn as well (turning.hpp), and with a
    // clearance, in grains, also about moving pivots (tilting.hpp); the grid must be that of cubes.
    Disassembler(Sweeps sweeps, std::vector<Turn> turns,
                 std::optional<std::int32_t> tolerance = std::nullopt, std::int32_t clearance = 0);
    ~Disassembler();

    void add_piece(std::span<const Cell> cells, std::int32_t weight, Groups groups);

    // `keep_going` is called now and then with the number of states visited; false interrupts.
    Attempt take_apart(std::span<const Spot> assembly, const Limits &limits, unsigned threads,
                       const KeepGoing &keep_going, const Rescue &rescue = {});

    // Everything that the pieces of a part of an assembly (two at least) can do at these places,
    // also where something could slide off, and turns if there is a tolerance; none if they are too
    // far apart. Moves on routes are among them if somebody asks whether these are certain to be
    // all.
    std::optional<std::vector<Slide>> survey(std::span<const Spot> assembly,
                                             const std::vector<std::uint32_t> &part,
                                             const std::vector<Shift> &places,
                                             bool *certain = nullptr);

  private:
    struct Kit;
    template <class Set> class TakingApart;
    std::unique_ptr<Kit> kit_;
};

} // namespace kumitate
