// The list core against a plain search that tries every placement, in or out, one after the other.

#include "random_cover.hpp"

#include "check.hpp"

#include <stdexcept>

using namespace kumitate;

static const std::atomic<bool> never{false};

static void the_list_core_finds_what_a_plain_search_finds() {
    std::mt19937 random(2);
    int with_some = 0;
    for (int round = 0; round < 3000; ++round) {
        const Cover cover = random_cover(random);
        const Assemblies expected = plain_search(cover);
        with_some += !expected.empty();
        const auto search = make_search(cover, nullptr);
        std::vector<std::uint32_t> out;
        search->run(~std::uint64_t{0} / 2, never, &out, ~std::size_t{0});
        expect(search->position().done, "the search ends");
        expect(search->position().found == expected.size(), "as many assemblies");
        expect(assemblies_in(out) == expected, "the same assemblies, each once");

        const auto sparse = make_sparse_search(cover, nullptr);
        out.clear();
        sparse->run(~std::uint64_t{0} / 2, never, &out, ~std::size_t{0});
        expect(assemblies_in(out) == expected, "the sparse core finds the same");

        const Reduced reduced = reduce(cover);
        out.clear();
        if (reduced.possible)
            make_search(reduced.cover, nullptr)
                ->run(~std::uint64_t{0} / 2, never, &out, ~std::size_t{0});
        expect(assemblies_in(out) == expected, "the same after reduction");
    }
    expect(with_some > 300, "enough of the random questions have answers");
}

static void every_instruction_set_searches_in_one_order() {
    std::mt19937 random(6);
    const std::string before = instruction_set();
    for (int round = 0; round < 1500; ++round) {
        const Cover cover = random_cover(random);
        const auto run = [&] {
            std::vector<std::uint32_t> out;
            const auto search = make_search(cover, nullptr);
            search->run(~std::uint64_t{0} / 2, never, &out, ~std::size_t{0});
            return std::pair{out, search->position().nodes};
        };
        use_instruction_set(before);
        const auto expected = run();
        for (const InstructionSet &set : instruction_sets())
            if (set.here) {
                use_instruction_set(set.name);
                expect(run() == expected, "the same assemblies in the same order, as many nodes");
            }
    }
    use_instruction_set(before);
}

static void a_search_can_stop_be_saved_and_go_on_elsewhere() {
    std::mt19937 random(3);
    for (int round = 0; round < 600; ++round) {
        const Cover cover = random_cover(random);
        const Assemblies expected = plain_search(cover);
        std::vector<std::uint32_t> out;
        const auto make = round % 2 ? make_search : make_sparse_search;
        State state = make(cover, nullptr)->position();
        double left = 2;
        while (!state.done) {
            const auto search = make(cover, nullptr);
            search->load(state);
            const std::uint64_t nodes = state.nodes, found = state.found, some = 1 + random() % 3;
            search->run(some, never, &out, round % 4 < 2 ? ~std::size_t{0} : out.size() + 1);
            const State &now = search->position();
            expect(now.nodes <= nodes + some, "no more nodes than it was asked for");
            expect(round % 4 < 2 || now.found <= found + 1, "it stops at the first");
            expect(search->left() <= left + 1e-9, "what is left only shrinks");
            left = search->left();
            state = search->position();
        }
        expect(assemblies_in(out) == expected, "the same in small slices");
        expect(state.found == expected.size(), "and counted once");
    }
}

static void two_halves_find_the_whole() {
    std::mt19937 random(4);
    int shared = 0; // searches that were split
    for (int round = 0; round < 2000; ++round) {
        const Cover cover = random_cover(random);
        const Assemblies expected = plain_search(cover);
        const auto make = round % 2 ? make_search : make_sparse_search;
        std::vector<State> todo{make(cover, nullptr)->position()};
        std::vector<std::uint32_t> out;
        int splits = 0;
        while (!todo.empty()) {
            const auto search = make(cover, nullptr);
            search->load(todo.back());
            todo.pop_back();
            search->run(random() % 2, never, &out, ~std::size_t{0});
            State other;
            if (search->split(other)) {
                todo.push_back(other);
                ++splits;
            }
            if (!search->position().done)
                todo.push_back(search->position());
        }
        expect(assemblies_in(out) == expected, "the same from all the parts");
        shared += splits > 0;
    }
    expect(shared > 100, "and enough of them had a half to give");
}

static void a_state_from_elsewhere_is_harmless_or_refused_and_forgotten() {
    std::mt19937 random(5);
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        const Cover cover = random_cover(random);
        const auto make = round % 2 ? make_search : make_sparse_search;
        const auto search = make(cover, nullptr);
        State state = fresh_state();
        state.path[0].at = below(4);
        if (round % 3)
            for (std::uint32_t depth = 0; depth < below(6); ++depth)
                state.path.push_back({below(5), below(5)});
        else
            state.path.insert(state.path.end(), {{below(3), none}, {below(4) ? 0 : none, none}});
        std::vector<std::uint32_t> out;
        try {
            search->load(state);
            search->run(1000, never, &out, ~std::size_t{0});
        } catch (const std::invalid_argument &) {
            ++refused;
            search->run(~std::uint64_t{0} / 2, never, &out, ~std::size_t{0});
            expect(assemblies_in(out) == plain_search(cover), "all are found after a refusal");
        }
    }
    expect(refused > 500, "many of them are refused");
}

// Ten cells, each filled by one of a thousand placements that only their names tell apart.
static void a_leaf_of_many_names_is_walked_as_far_as_asked() {
    Cover cover;
    constexpr std::uint32_t cells = 10, names = 1000;
    cover.optional.assign(cells, 0);
    cover.weight.assign(cells, 1);
    cover.least = cover.most = {cells};
    for (std::uint32_t i = 0; i < cells * names; ++i) {
        cover.piece.push_back(0);
        cover.name.push_back(i);
        cover.covers.push_back(i / names);
        cover.starts.push_back(i + 1);
    }
    const auto search = make_search(cover, nullptr);
    const Shares shares = search->estimate(never);
    expect(shares.root.size() == 1 && shares.root[0] == 1, "the weights of a vast tree are finite");
    std::vector<std::uint32_t> out;
    search->run(~std::uint64_t{0} / 2, never, &out, 1);
    expect(assemblies_in(out).size() == 1, "one if there is room for one");
    search->run(500, never, nullptr, 0);
    expect(search->position().found > 1 && search->position().found < 502,
           "a node counts for each name");
    State half;
    expect(search->split(half), "the names are divided");
    expect(half.path.size() > cells && search->left() < 1, "below the placements");
}

void test_cover() {
    a_leaf_of_many_names_is_walked_as_far_as_asked();
    the_list_core_finds_what_a_plain_search_finds();
    every_instruction_set_searches_in_one_order();
    a_search_can_stop_be_saved_and_go_on_elsewhere();
    two_halves_find_the_whole();
    a_state_from_elsewhere_is_harmless_or_refused_and_forgotten();
}
