#include "vertex_cover.hpp"
#include "contract.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace kumitate {

namespace {

// Of the paper: edges forget when their mean weight is half the number of vertices, and keep 0.3.
// In small graphs that would be forever.
constexpr double heavy_mean = 0.5, kept = 0.3, least_heavy = 50;

constexpr unsigned between_looks = 64; // steps
constexpr unsigned between_whims = 32;

// How many vertices a placement is: more than one only if its piece is limited to fewer copies than
// would fit.
std::vector<std::uint32_t> vertices_of_pieces(const Cover &cover, bool copies) {
    std::vector<std::uint32_t> many(cover.pieces(), 1);
    for (std::size_t i = 0; copies && i < cover.placements(); ++i) {
        const std::size_t most = cover.cells() / std::max<std::size_t>(1, cover.cells_of(i).size());
        const std::uint32_t piece = cover.piece[i];
        if (cover.most[piece] != 1 && cover.most[piece] < most)
            many[piece] = cover.most[piece];
    }
    return many;
}

} // namespace

Graph collisions(const Cover &cover, bool copies) {
    const std::vector<std::uint32_t> many = vertices_of_pieces(cover, copies);
    Graph graph;
    std::vector<std::uint32_t> first; // vertex of each placement
    for (std::uint32_t i = 0; i < cover.placements(); ++i) {
        first.push_back(to_32_bits(graph.placement.size(), "placements that may collide"));
        graph.placement.insert(graph.placement.end(), many[cover.piece[i]], i);
    }
    std::vector<std::vector<std::uint32_t>> columns(cover.cells()), members(cover.pieces());
    for (std::uint32_t i = 0; i < cover.placements(); ++i) {
        members[cover.piece[i]].push_back(i);
        for (std::uint32_t cell : cover.cells_of(i))
            columns[cell].push_back(i);
    }
    std::vector<std::uint32_t> near;
    std::vector<std::uint32_t> next; // of each vertex, in its list
    for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
        const std::uint32_t i = graph.placement[v], copy = v - first[i], piece = cover.piece[i];
        near.clear();
        for (std::uint32_t cell : cover.cells_of(i))
            for (std::uint32_t j : columns[cell])
                for (std::uint32_t k = 0; k < many[cover.piece[j]]; ++k)
                    near.push_back(first[j] + k);
        if (cover.most[piece] == 1 || many[piece] > 1)
            for (std::uint32_t j : members[piece])
                near.push_back(first[j] + copy);
        std::sort(near.begin(), near.end());
        near.erase(std::unique(near.begin(), near.end()), near.end());
        std::copy_if(near.begin(), near.end(), std::back_inserter(graph.to),
                     [&](std::uint32_t other) { return other != v; });
        graph.starts.push_back(to_32_bits(graph.to.size(), "collisions"));
    }
    next.assign(graph.starts.begin(), graph.starts.end());
    graph.back.resize(graph.to.size());
    for (std::uint32_t v = 0; v < graph.vertices(); ++v)
        for (std::uint32_t at = next[v]; at < graph.starts[v + 1]; ++at) {
            const std::uint32_t other = next[graph.to[at]]++; // lists are in order: v comes next
            graph.back[at] = other;
            graph.back[other] = at;
        }
    return graph;
}

std::uint64_t size_of_collisions(const Cover &cover, bool copies) {
    const std::vector<std::uint32_t> many = vertices_of_pieces(cover, copies);
    std::vector<std::uint64_t> column(cover.cells(), 0), members(cover.pieces(), 0);
    for (std::size_t i = 0; i < cover.placements(); ++i) {
        ++members[cover.piece[i]];
        for (std::uint32_t cell : cover.cells_of(i))
            column[cell] += many[cover.piece[i]];
    }
    std::uint64_t size = 0;
    for (std::uint64_t n : column)
        size += n * n;
    for (std::size_t p = 0; p < members.size(); ++p)
        size += many[p] * members[p] * (cover.most[p] == 1 || many[p] > 1 ? members[p] : 1);
    return size;
}

std::string dimacs(const Graph &graph) {
    std::string text =
        "p edge " + std::to_string(graph.vertices()) + " " + std::to_string(graph.edges()) + "\n";
    for (std::uint32_t v = 0; v < graph.vertices(); ++v)
        for (std::uint32_t at = graph.starts[v]; at < graph.starts[v + 1]; ++at)
            if (graph.to[at] > v)
                text +=
                    "e " + std::to_string(v + 1) + " " + std::to_string(graph.to[at] + 1) + "\n";
    return text;
}

LocalSearch::LocalSearch(Graph graph, std::vector<std::uint32_t> weights, std::uint32_t seed)
    : graph_(std::move(graph)), weight_(std::move(weights)),
      alike_(std::adjacent_find(weight_.begin(), weight_.end(), std::not_equal_to<>()) ==
             weight_.end()),
      dice_(seed) {
    const std::size_t n = graph_.vertices();
    require(weight_.size() == n, "every vertex has a weight");
    may_enter_.assign(n, 1);
    since_.assign(n, 0);
    heavy_.assign(graph_.to.size(), 1);
    uncovered_at_.resize(graph_.to.size());
    for (std::uint32_t v = 0; v < n; ++v) {
        left_out_ += weight_[v];
        score_.push_back(static_cast<std::int32_t>(graph_.starts[v + 1] - graph_.starts[v]) -
                         outside);
        from_.insert(from_.end(), graph_.starts[v + 1] - graph_.starts[v], v);
        for (std::uint32_t at = graph_.starts[v]; at < graph_.starts[v + 1]; ++at)
            if (graph_.to[at] > v)
                uncover(at);
    }
    total_ = uncovered_.size();
    // The first cover: ends of random edges, then all that turn out not to be needed go.
    while (!uncovered_.empty())
        put_in(entrant());
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    shuffle(order, dice_);
    for (std::uint32_t v : order)
        if (score_[v] == 0)
            take_out(v);
    std::fill(may_enter_.begin(), may_enter_.end(), 1);
    keep_best();
}

// Whether changing a gains more, or loses less, than changing b, for what it weighs; of equals the
// one that changed longer ago.
bool LocalSearch::better(std::uint32_t a, std::uint32_t b) const {
    const std::int64_t mine = std::int64_t{score(a)} * weight_[b];
    const std::int64_t its = std::int64_t{score(b)} * weight_[a];
    return mine != its ? mine > its : since_[a] < since_[b];
}

void LocalSearch::uncover(std::uint32_t arc) {
    uncovered_at_[arc] = uncovered_at_[graph_.back[arc]] =
        static_cast<std::uint32_t>(uncovered_.size());
    uncovered_.push_back(arc);
}

void LocalSearch::put_in(std::uint32_t v) {
    score_[v] = -score(v);
    ++size_;
    left_out_ -= weight_[v];
    since_[v] = steps;
    for (std::uint32_t at = graph_.starts[v]; at < graph_.starts[v + 1]; ++at) {
        const std::uint32_t other = graph_.to[at];
        const auto heavy = static_cast<std::int32_t>(heavy_[at]);
        may_enter_[other] = 1;
        if (covers(other)) {
            score_[other] += heavy;
            continue;
        }
        score_[other] -= heavy;
        const std::uint32_t last = uncovered_.back(), place = uncovered_at_[at];
        uncovered_[place] = last;
        uncovered_at_[last] = uncovered_at_[graph_.back[last]] = place;
        uncovered_.pop_back();
    }
}

void LocalSearch::take_out(std::uint32_t v) {
    score_[v] = -score_[v] - outside;
    --size_;
    left_out_ += weight_[v];
    since_[v] = steps;
    may_enter_[v] = 0;
    for (std::uint32_t at = graph_.starts[v]; at < graph_.starts[v + 1]; ++at) {
        const std::uint32_t other = graph_.to[at];
        const auto heavy = static_cast<std::int32_t>(heavy_[at]);
        may_enter_[other] = 1;
        if (covers(other)) {
            score_[other] -= heavy;
            continue;
        }
        score_[other] += heavy;
        uncover(at);
    }
}

// The vertex of the cover that is missed least; not the one put in last, if there is another.
std::uint32_t LocalSearch::cheapest() {
    KUMITATE_EXPECT(size_ > 0, "a vertex is taken out of a cover that has one");
    const bool hide = last_ != none && covers(last_) && size_ > 1;
    const std::int32_t hidden = hide ? std::exchange(score_[last_], -outside) : 0;
    const std::uint32_t found = alike_ ? cheapest_alike() : cheapest_weighted();
    if (hide)
        score_[last_] = hidden;
    return found;
}

// Now and then a random one: where weights differ the search may go in circles.
std::uint32_t LocalSearch::cheapest_weighted() {
    const bool any = roll(dice_, between_whims) == 0;
    const std::uint32_t random = roll(dice_, score_.size());
    if (any && covers(random))
        return random;
    std::uint32_t best = none;
    for (std::uint32_t v = 0; v < score_.size(); ++v)
        if (covers(v) && (best == none || better(v, best)))
            best = v;
    return best;
}

// By blocks, whose highest scores vectors find: three times as fast as one by one.
std::uint32_t LocalSearch::cheapest_alike() {
    constexpr std::size_t block = 64;
    const std::size_t all = score_.size();
    std::int32_t most = -outside;
    highest_.clear();
    for (std::size_t begin = 0; begin < all; begin += block) {
        const std::size_t end = std::min(all, begin + block);
        std::int32_t high = -outside;
        for (std::size_t v = begin; v < end; ++v)
            high = std::max(high, score_[v]);
        highest_.push_back(high);
        most = std::max(most, high);
    }
    std::uint32_t best = none;
    for (std::size_t b = 0; b < highest_.size(); ++b)
        if (highest_[b] == most)
            for (std::size_t v = b * block; v < std::min(all, (b + 1) * block); ++v)
                if (score_[v] == most && (best == none || since_[v] < since_[best]))
                    best = static_cast<std::uint32_t>(v);
    return best;
}

// An end of a random uncovered edge.
std::uint32_t LocalSearch::entrant() {
    KUMITATE_EXPECT(!uncovered_.empty(), "a vertex is put in for an uncovered edge");
    const std::uint32_t arc = uncovered_[roll(dice_, uncovered_.size())];
    const std::uint32_t a = from_[arc], b = graph_.to[arc];
    if (!may_enter_[a])
        return b;
    return may_enter_[b] && better(b, a) ? b : a;
}

void LocalSearch::keep_best() {
    if (!best_.empty() && left_out_ <= best_weight_)
        return;
    best_weight_ = left_out_;
    best_.clear();
    for (std::uint32_t v = 0; v < graph_.vertices(); ++v)
        if (!covers(v))
            best_.push_back(v);
}

void LocalSearch::grow_heavier() {
    for (std::uint32_t arc : uncovered_) {
        ++heavy_[arc];
        ++heavy_[graph_.back[arc]];
        ++score_[from_[arc]];
        ++score_[graph_.to[arc]];
    }
    total_ += uncovered_.size();
    const double mean = std::max(least_heavy, heavy_mean * static_cast<double>(graph_.vertices()));
    const double limit = mean * static_cast<double>(graph_.edges());
    if (static_cast<double>(total_) <= limit)
        return;
    total_ = 0;
    for (std::int32_t &score : score_)
        score = score > -outside / 2 ? 0 : -outside;
    for (std::uint32_t arc = 0; arc < from_.size(); ++arc) {
        heavy_[arc] = static_cast<std::uint32_t>(kept * heavy_[arc]);
        const std::uint32_t v = from_[arc], other = graph_.to[arc];
        const auto heavy = static_cast<std::int32_t>(heavy_[arc]);
        total_ += v < other ? heavy_[arc] : 0;
        if (!covers(other)) // only this end covers the edge, or could
            score_[v] += covers(v) ? -heavy : heavy;
    }
}

void LocalSearch::step() {
    ++steps;
    take_out(cheapest());
    if (uncovered_.empty())
        return;
    std::uint32_t v = entrant();
    // What stays out must weigh more than the best so far did, or nothing is gained.
    while (left_out_ - weight_[v] <= best_weight_ && size_ > 1)
        take_out(cheapest());
    put_in(v);
    last_ = v;
    while (!alike_ && !uncovered_.empty()) { // the one that went may have been the heavier
        v = entrant();
        if (left_out_ - weight_[v] <= best_weight_)
            break;
        put_in(v);
        last_ = v;
    }
    grow_heavier();
}

bool LocalSearch::run(std::chrono::milliseconds most, std::uint64_t wanted) {
    const auto end = std::chrono::steady_clock::now() + most;
    while (best_weight_ < wanted && size_ > 0) {
        step();
        if (uncovered_.empty())
            keep_best();
        if (steps % between_looks == 0 && std::chrono::steady_clock::now() >= end)
            return false;
    }
    return best_weight_ >= wanted;
}

} // namespace kumitate
