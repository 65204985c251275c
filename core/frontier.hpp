// Counting covers without visiting them: those that have filled the same cells are counted
// together.
//
// Blocks are laid cell by cell in a fixed order, each on the first cell still open. What can follow
// depends only on which cells are filled and how often each kind was used, so all beginnings that
// agree in that are one state with a number:
//
//     layer 5   cells 0-4 filled, 5 open   { filled | used -> how many beginnings lead here }
//     layer 6   ...                          a state feeds only later layers, then it is dropped
//
// Where few blocks cross from the filled part to the open part (a thin goal, few kinds) there are
// far fewer states than covers: 1,693 for the 12,988,816 ways of 32 dominoes on a chessboard.
#pragma once

#include "portable.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace kumitate {

using Total = UInt128;

struct Block {
    std::vector<std::uint32_t> cells; // in the order of filling
    std::vector<std::uint32_t> uses;  // how often it uses each kind
};

// Every cell is filled once, each kind used between its least and its most times.
struct Filling {
    std::uint32_t cells;
    std::vector<std::uint32_t> least, most; // for each kind, of which there are at most 4
    std::vector<Block> blocks;
};

class FrontierCount {
  public:
    enum class Outcome { going, done, given_up };

    virtual ~FrontierCount() = default;

    // Go on for this many states; gives up when too many wait, or numbers become too large.
    virtual Outcome run(std::uint64_t states) = 0;

    std::uint64_t states = 0; // seen so far
    Total total = 0;          // covers, once done
};

inline constexpr std::size_t most_kinds = 4;

// Null if the filling is too large to be tallied: 512 cells, 65,535 uses of a kind.
std::unique_ptr<FrontierCount> make_frontier_count(const Filling &filling,
                                                   std::size_t most_waiting);

} // namespace kumitate
