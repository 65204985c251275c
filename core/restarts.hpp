// The first assembly of a problem too large to search whole, or proof that there is none.
//
// Most searches that take long do so because of a few early choices, so it pays to give up and
// start again with other random ones. Nobody can know how long to hold out: the limits are those of
// Luby (Luby, Sinclair and Zuckerman, Information Processing Letters 47, 1993), which are within
// a logarithm of the best whatever the problem. Of 100 searches for 25 Y-pentominoes in a cube of
// 125 cells none takes more than ten times the median.
//
//     limits, in units    1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...
//
// A run that ends below its limit has seen the whole tree: there is none. Since limits grow slowly,
// a quarter of the work goes to a search that is never given up, with the symmetry broken.
#pragma once

#include "problem.hpp"
#include "random.hpp"

#include <chrono>
#include <functional>

namespace kumitate {

// The i-th number of Luby's sequence, from 1.
std::uint64_t luby(std::uint64_t i);

class RestartSearch {
  public:
    enum class Outcome { going, found, none };

    // `smaller` makes a cover of the same problem that has fewer assemblies, but some if there are
    // any; it is called once, if the search takes long. The same seed gives the same answer.
    RestartSearch(Cover cover, std::function<Cover()> smaller, std::uint32_t seed);

    // Go on for so long, if need be.
    Outcome run(std::chrono::milliseconds most);

    std::uint64_t nodes = 0, restarts = 0;
    std::vector<std::uint32_t> names; // of the placements, sorted, once found

  private:
    Cover cover_;
    Cover shuffled_; // the same with its placements in random order
    Cover smaller_;
    std::function<Cover()> make_smaller_;
    Dice dice_;
    bool sparse_;
    std::unique_ptr<Search> search_, steady_;
    std::uint64_t limit_ = 0; // of this run, in nodes
    std::uint64_t owed_ = 0;  // nodes since the steady search last had a turn

    void restart();
    void begin_steady();
    Outcome advance(Search &search, std::uint64_t some);
};

// Of a problem, which must outlive it: cells in their order along the goal, the smaller cover by
// breaking symmetry.
std::unique_ptr<RestartSearch> make_restart_search(const Problem &problem, std::uint32_t seed);

} // namespace kumitate
