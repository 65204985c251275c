// Exact cover of items against a plain search that tries every set of options.

#include "../items.hpp"

#include "check.hpp"
#include "random_cover.hpp"

using namespace kumitate;

static const std::atomic<bool> never{false};

// Items that are covered once, at most once, in colours, or several times; some beyond the columns
// of the list core.
static ItemProblem random_items(std::mt19937 &random) {
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    static constexpr std::uint32_t gaps[] = {0, 0, 0, 50, 100, 200, 600};
    const std::uint32_t gap = gaps[below(std::size(gaps))], items = gap + 1 + below(7);
    ItemProblem problem;
    std::vector<std::uint8_t> coloured;
    for (std::uint32_t item = 0; item < items; ++item) {
        const std::uint32_t kind = item < gap ? 1 : below(5);
        problem.least.push_back(kind == 0 ? 1 : kind == 4 ? below(3) : 0);
        problem.most.push_back(kind == 4 ? problem.least[item] + below(3) : 1);
        coloured.push_back(kind == 2);
    }
    for (std::uint32_t options = below(11); options > 0; --options) {
        std::set<std::uint32_t> mine;
        for (std::uint32_t k = 1 + below(4); k > 0; --k)
            mine.insert(below(8) || gap == 0 ? gap + below(items - gap) : below(gap));
        for (std::uint32_t item : mine) {
            problem.items.push_back(item);
            problem.colours.push_back(coloured[item] ? below(5) : 0);
        }
        problem.starts.push_back(static_cast<std::uint32_t>(problem.items.size()));
    }
    return problem;
}

static Assemblies plain_search(const ItemProblem &problem) {
    Judge judge(problem);
    Assemblies found;
    for (std::uint32_t chosen = 0; chosen < 1u << problem.options(); ++chosen) {
        std::vector<std::uint32_t> names;
        for (std::uint32_t i = 0; i < problem.options(); ++i)
            if (chosen >> i & 1)
                names.push_back(i);
        if (judge.fault(names).empty())
            found.insert(names);
    }
    return found;
}

static Assemblies all_of(Search &search) {
    std::vector<std::uint32_t> out;
    search.run(~std::uint64_t{0} / 2, never, &out, ~std::size_t{0});
    return assemblies_in(out);
}

static void covers_of_items_are_found_once() {
    std::mt19937 random(9);
    int with_some = 0, known = 0, in_lists = 0, tallied = 0;
    for (int round = 0; round < 2000; ++round) {
        const ItemProblem problem = random_items(random);
        const Assemblies expected = plain_search(problem);
        with_some += expected.size() > 1;
        const Start made = start_on(problem);
        expect(is_sound(made.cover), "a sound cover");
        known += made.answers.has_value();
        expect(!made.answers || assemblies_in(*made.answers) == expected, "what is known at once");
        if (!made.possible) {
            expect(expected.empty(), "what is not possible has no answer");
            continue;
        }
        in_lists += made.cover.further.empty() && count_columns(made.cover) <= 512;
        expect(all_of(*make_search(made.cover, nullptr)) == expected, "the same, each once");
        expect(all_of(*make_sparse_search(made.cover, nullptr)) == expected, "by the sparse core");
        for (const Filling &filling : fillings(problem)) {
            const auto tally = make_frontier_count(filling, 1'000'000);
            if (!tally)
                continue;
            expect(tally->run(~std::uint64_t{0} / 2) == FrontierCount::Outcome::done, "done");
            expect(tally->total == expected.size(), "a tally counts as many");
            ++tallied;
        }
    }
    expect(with_some > 300 && known > 300 && known < 1900 && in_lists > 300 && tallied > 100,
           "enough of each kind");
}

void test_items() {
    covers_of_items_are_found_once();
}
