// Tallies against the plain search: the same number of covers, however they are cut into slices.

#include "../frontier.hpp"
#include "check.hpp"
#include "random_cover.hpp"

using namespace kumitate;

static Filling filling_of(const Cover &cover) {
    Filling filling{static_cast<std::uint32_t>(cover.cells()), cover.least, cover.most, {}};
    filling.least.push_back(0);
    filling.most.push_back(static_cast<std::uint32_t>(cover.holes));
    const std::vector<std::uint32_t> no_uses(cover.pieces() + 1, 0);
    for (std::size_t i = 0; i < cover.placements(); ++i) {
        const auto cells = cover.cells_of(i);
        filling.blocks.push_back({{cells.begin(), cells.end()}, no_uses});
        filling.blocks.back().uses[cover.piece[i]] = 1;
    }
    for (std::uint32_t cell = 0; cell < cover.cells(); ++cell)
        if (cover.optional[cell]) {
            filling.blocks.push_back({{cell}, no_uses});
            filling.blocks.back().uses[cover.pieces()] = cover.weight[cell];
        }
    return filling;
}

void test_frontier() {
    std::mt19937 random(5);
    int tallied = 0;
    for (int round = 0; round < 3000; ++round) {
        const Cover cover = random_cover(random);
        const auto tally = make_frontier_count(filling_of(cover), 100'000);
        if (!tally)
            continue; // too many kinds
        FrontierCount::Outcome outcome;
        do
            outcome = tally->run(1 + random() % 5);
        while (outcome == FrontierCount::Outcome::going);
        expect(outcome == FrontierCount::Outcome::done, "the tally ends");
        expect(tally->total == plain_search(cover).size(), "as many covers as the plain search");
        ++tallied;
    }
    expect(tallied > 500, "enough of the random questions can be tallied");
    const Filling pairs{64, {0}, {64}, {{{0, 1}, {1}}, {{0}, {1}}, {{1}, {1}}}};
    const auto small = make_frontier_count(pairs, 1);
    expect(small->run(100) == FrontierCount::Outcome::given_up, "no more states wait than may");
}
