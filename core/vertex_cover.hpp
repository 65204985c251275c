// Vertex covers of small weight by local search, which are large sets of placements that do not
// meet.
//
// In the collision graph the vertices are placements, and those that cannot both be chosen are
// joined. What a vertex cover leaves out is a set of placements of which no two meet, so the
// smaller the cover the more pieces are placed. The method is NuMVC (Cai, Su, Luo and Sattar,
// Journal of Artificial Intelligence Research 46, 2013), written from the paper: keep a set that is
// too small to cover all edges; in two stages take one vertex out, then put an end of an uncovered
// edge in; a vertex that was taken out stays out until a neighbour changed; edges that stay
// uncovered grow heavier, and when they are heavy on average, all forget a part of it.
//
// Vertices may have weights of their own (a placement's cells); then the loss of taking one out and
// the gain of putting one in count for each unit of weight, and more than one may have to go at a
// time.
#pragma once

#include "cover.hpp"
#include "random.hpp"

#include <chrono>
#include <string>

namespace kumitate {

// The neighbours of vertex v are to[starts[v]] .. to[starts[v + 1]] - 1, in order. So each edge is
// two arcs, there and back; `back` says where the other one is.
struct Graph {
    std::vector<std::uint32_t> starts{0}, to, back;
    std::vector<std::uint32_t> placement; // for each vertex: which of the cover's

    std::size_t vertices() const { return placement.size(); }
    std::size_t edges() const { return to.size() / 2; }
};

// The collision graph of a cover: placements are joined if they meet or are of a piece that may be
// used once. With `copies` every placement of a piece that may be used k times, and of which more
// would fit, is k vertices, one for each copy, so that sets without collisions keep to the most of
// each piece.
Graph collisions(const Cover &cover, bool copies);

// How many vertices and edges that would be, at most.
std::uint64_t size_of_collisions(const Cover &cover, bool copies);

// In the format of the second DIMACS challenge: "p edge" and a line "e i j" for each edge.
std::string dimacs(const Graph &graph);

class LocalSearch {
  public:
    // Vertices weigh what `weights` says: 1 each, to place the most pieces.
    LocalSearch(Graph graph, std::vector<std::uint32_t> weights, std::uint32_t seed);

    // Go on for so long, or until what is left out weighs as much as wanted.
    bool run(std::chrono::milliseconds most, std::uint64_t wanted);

    const Graph &graph() const { return graph_; }
    std::uint64_t best_weight() const { return best_weight_; }
    const std::vector<std::uint32_t> &best() const { return best_; } // vertices left out
    std::uint64_t steps = 0;

  private:
    const Graph graph_;
    const std::vector<std::uint32_t> weight_;
    const bool alike_; // all weigh the same
    Dice dice_;
    std::vector<std::uint8_t> may_enter_; // a neighbour changed since it was taken out
    // By how much the weight of covered edges grows if it changes; less `outside` if it is not in
    // the cover, so that one number says both.
    std::vector<std::int32_t> score_;
    std::vector<std::uint64_t> since_;                    // when it changed
    std::vector<std::uint32_t> heavy_;                    // for each arc, the weight of its edge
    std::vector<std::uint32_t> from_;                     // for each arc, where it begins
    std::vector<std::uint32_t> uncovered_, uncovered_at_; // edges, by one arc; where in the list
    std::size_t size_ = 0;                                // of the cover
    std::uint64_t total_ = 0;                             // of the weights of edges
    std::uint64_t left_out_ = 0;                          // weight of the vertices left out
    std::uint64_t best_weight_ = 0;
    std::vector<std::uint32_t> best_;
    std::uint32_t last_ = none;         // the vertex put in last
    std::vector<std::int32_t> highest_; // scores, of blocks of vertices

    static constexpr std::int32_t outside = 1 << 30;
    bool covers(std::uint32_t v) const { return score_[v] > -outside / 2; }
    std::int32_t score(std::uint32_t v) const {
        return covers(v) ? score_[v] : score_[v] + outside;
    }

    void uncover(std::uint32_t arc);
    void put_in(std::uint32_t v);
    void take_out(std::uint32_t v);
    std::uint32_t cheapest();
    std::uint32_t cheapest_alike();
    std::uint32_t cheapest_weighted();
    std::uint32_t entrant();
    void keep_best();
    void grow_heavier();
    void step();
    bool better(std::uint32_t a, std::uint32_t b) const;
};

} // namespace kumitate
