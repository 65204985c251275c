// One search on several threads, with the assemblies in one order whatever the number of threads.
//
// The tree of the search is cut into tasks, listed in the order of the tree. A thread works on the
// first task that is free; a thread that finds none is hungry, and the next thread that looks up
// from its work gives away the second half of its task, which goes into the list behind the first:
//
//     tasks   [ done, being read ] [ worked on ] [ worked on | given away ] [ waiting ]
//
// Assemblies are read from the front of the list, so their order is that of the tree. What lies
// behind the front is buffered up to a limit, beyond which threads wait, so memory stays bounded. A
// caller that does not need the order reads from all tasks at once.
#pragma once

#include "cover.hpp"

#include <chrono>

namespace kumitate {

struct Report {
    std::uint64_t nodes = 0, found = 0, all = 0;
    double fraction = 0; // of the tree, by the share of each option; only grows
    bool done = false;
};

// A part of the tree: where a search of it stands, and what it found that was not read.
struct Part {
    State state;
    std::vector<std::uint32_t> found;
};

class ParallelSearch {
  public:
    // Searches parts of the tree, in their order; the whole tree is one part, at a fresh state.
    ParallelSearch(const Cover &cover, const Symmetry *symmetry, std::vector<Part> parts,
                   unsigned threads, bool keep, bool ordered);
    ~ParallelSearch();
    ParallelSearch(const ParallelSearch &) = delete;
    ParallelSearch &operator=(const ParallelSearch &) = delete;

    // Wait for assemblies, at most so long; as `Search::run` writes them. True when all were read.
    // Throws what a thread threw.
    bool read(std::vector<std::uint32_t> &out, std::chrono::milliseconds most);

    Report report();

    // End the threads, wherever they are; what was found and not read is lost.
    void stop();

    // End the threads, and say what is left to search and to read. Throws what a thread threw.
    std::vector<Part> pause();

  private:
    struct Crew;
    std::unique_ptr<Crew> crew_;
    const int process_; // that has the threads: a fork of it has not

    Crew &crew();
};

} // namespace kumitate
