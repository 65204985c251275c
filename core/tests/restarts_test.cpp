// Searches with restarts find one of the plain search's assemblies, or say that there is none when
// it finds none.

#include "../restarts.hpp"
#include "check.hpp"
#include "puzzles.hpp"

using namespace kumitate;

static void the_limits_are_those_of_luby() {
    const std::uint64_t known[] = {1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1};
    for (std::uint64_t i = 0; i < 16; ++i)
        expect(luby(i + 1) == known[i], "Luby's sequence");
}

static void a_restart_search_finds_one_or_says_that_there_is_none() {
    std::mt19937 random(9);
    int found = 0;
    for (int round = 0; round < 1500; ++round) {
        Cover cover = random_cover(random);
        if (round % 3 == 0) // so many cells that the sparse core is taken
            for (int more = 0; more < 300; ++more) {
                cover.optional.push_back(1);
                cover.weight.push_back(1);
                ++cover.holes;
            }
        const Assemblies expected = plain_search(cover);
        RestartSearch restart_search(
            cover, [&] { return cover; }, static_cast<std::uint32_t>(round));
        RestartSearch::Outcome outcome;
        do
            outcome = restart_search.run(std::chrono::milliseconds(1));
        while (outcome == RestartSearch::Outcome::going);
        expect((outcome == RestartSearch::Outcome::found) == !expected.empty(),
               "found singleton if there is one");
        if (outcome == RestartSearch::Outcome::found)
            expect(expected.count(restart_search.names) == 1, "and it is one");
        found += outcome == RestartSearch::Outcome::found;
    }
    expect(found > 200, "enough of the random questions have answers");
}

static void a_long_one_ends_by_the_search_that_is_never_given_up() {
    const Cover cover = chessboard(8);
    bool asked = false;
    RestartSearch restart_search(
        cover,
        [&] {
            asked = true;
            return cover;
        },
        1);
    RestartSearch::Outcome outcome;
    do
        outcome = restart_search.run(std::chrono::milliseconds(100));
    while (outcome == RestartSearch::Outcome::going);
    expect(outcome == RestartSearch::Outcome::none, "there is none");
    expect(asked && restart_search.restarts > 5, "and it took long");
}

void test_restarts() {
    the_limits_are_those_of_luby();
    a_restart_search_finds_one_or_says_that_there_is_none();
    a_long_one_ends_by_the_search_that_is_never_given_up();
}
