// The local search against the best of all choices, on random questions small enough to try them.

#include "../vertex_cover.hpp"
#include "check.hpp"
#include "random_cover.hpp"

using namespace kumitate;

static bool meet(const Cover &cover, std::size_t i, std::size_t j) {
    const auto a = cover.cells_of(i), b = cover.cells_of(j);
    return std::any_of(a.begin(), a.end(), [&](std::uint32_t cell) {
        return std::count(b.begin(), b.end(), cell) > 0;
    });
}

// Whether some placements do not meet and are not more of a piece than may be.
static bool fit(const Cover &cover, const std::vector<std::size_t> &some) {
    std::vector<std::uint32_t> used(cover.pieces(), 0);
    for (std::size_t a = 0; a < some.size(); ++a) {
        if (++used[cover.piece[some[a]]] > cover.most[cover.piece[some[a]]])
            return false;
        for (std::size_t b = 0; b < a; ++b)
            if (meet(cover, some[a], some[b]))
                return false;
    }
    return true;
}

static void the_graph_joins_what_meets() {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        const Cover cover = random_cover(random);
        const Graph graph = collisions(cover, false);
        expect(graph.vertices() == cover.placements(), "a vertex for each placement");
        for (std::size_t i = 0; i < cover.placements(); ++i)
            for (std::size_t j = 0; j < cover.placements(); ++j) {
                const auto begin = graph.to.begin() + graph.starts[i];
                const auto end = graph.to.begin() + graph.starts[i + 1];
                const bool once =
                    cover.piece[i] == cover.piece[j] && cover.most[cover.piece[i]] == 1;
                const bool joined = i != j && (meet(cover, i, j) || once);
                expect((std::find(begin, end, j) != end) == joined,
                       "joined singleton if they meet");
            }
        for (std::size_t arc = 0; arc < graph.to.size(); ++arc)
            expect(graph.back[graph.back[arc]] == arc, "there and back");
    }
}

static void the_local_search_finds_the_most() {
    std::mt19937 random(8);
    for (int round = 0; round < 400; ++round) {
        Cover cover = random_cover(random);
        for (std::uint32_t &most : cover.most)
            most = std::max(most, 1u);
        const bool weigh = round % 2;
        std::uint64_t best = 0;
        for (std::uint32_t chosen = 0; chosen < 1u << cover.placements(); ++chosen) {
            std::vector<std::size_t> some;
            std::uint64_t weight = 0;
            for (std::size_t i = 0; i < cover.placements(); ++i)
                if (chosen >> i & 1) {
                    some.push_back(i);
                    weight += weigh ? cover.cells_of(i).size() : 1;
                }
            if (weight > best && fit(cover, some))
                best = weight;
        }
        Graph graph = collisions(cover, true);
        std::vector<std::uint32_t> weights;
        for (std::uint32_t i : graph.placement)
            weights.push_back(weigh ? static_cast<std::uint32_t>(cover.cells_of(i).size()) : 1);
        LocalSearch search(graph, weights, static_cast<std::uint32_t>(round));
        search.run(std::chrono::milliseconds(2000), best);
        expect(search.best_weight() == best, "as much as can be, and no more");
        std::vector<std::size_t> left_out;
        for (std::uint32_t v : search.best())
            left_out.push_back(graph.placement[v]);
        expect(fit(cover, left_out), "and it fits");
    }
}

void test_vertex_cover() {
    the_graph_joins_what_meets();
    the_local_search_finds_the_most();
}
