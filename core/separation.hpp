// The nearest separation of one part of an assembly: its states, visited breadth first.
//
// The order in which states are visited and moves are listed is fixed (disassemble.hpp): on several
// threads a block of states is expanded together, and what was found is joined in that order.
#pragma once

#include "disassemble.hpp"
#include "expander.hpp"

namespace kumitate {

struct Interrupted {}; // by the caller

// What an attempt may cost, and what it has cost so far.
struct Effort {
    Limits limits;
    unsigned threads;
    const KeepGoing &keep_going;
    std::uint64_t states = 0; // visited
};

struct Found {
    Ending ending;               // apart, stuck or limited
    std::vector<Slide> moves{};  // if apart: those that lead to a state where something slides off
    std::vector<Shift> places{}; // of the pieces there
    bool unsure = false;         // if apart: routes may lead there in fewer moves
};

// Searches parts, one after the other, and keeps what it learnt about bodies. Throws Vast, Crowded
// and Interrupted. Parts have two pieces at least, of which some can move but none can slide off,
// each with a place: where it stands, from where it was assembled.
class PartSearch {
  public:
    PartSearch(Sweeps sweeps, std::optional<std::int32_t> tolerance, std::int32_t clearance);
    ~PartSearch();

    bool turns() const; // whether there is a tolerance

    Pairs &pairs();

    Found separate(std::span<const Placed> placed, const Part &part,
                   const std::vector<Shift> &places, Effort &effort);

    // The same with turns, for pieces that stand where they are placed; there may be none that can
    // slide. Those of the part are then placed where the search has ended.
    Found separate(std::vector<Placed> &placed, const Part &part, Effort &effort);

    // Everything that can be done, also where something could slide off; with turns, if there is a
    // tolerance, and with routes, if somebody asks whether that is certain to be all.
    std::vector<Slide> survey(std::span<const Placed> placed, const Part &part,
                              const std::vector<Shift> &places, bool *certain);

  private:
    struct Tools;
    std::unique_ptr<Tools> tools_;

    std::vector<Slide> survey_turns(std::span<const Placed> placed, const Part &part,
                                    const std::vector<Shift> &places, bool *certain);
};

} // namespace kumitate
