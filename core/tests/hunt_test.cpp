// Hunts find one of the plain search's assemblies, or say that there is none when it finds none.

#include "../hunt.hpp"
#include "check.hpp"
#include "puzzles.hpp"

using namespace kumitate;

static void the_limits_are_those_of_luby() {
    const std::uint64_t known[] = {1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1};
    for (std::uint64_t i = 0; i < 16; ++i)
        expect(luby(i + 1) == known[i], "Luby's sequence");
}

static void a_hunt_finds_one_or_says_that_there_is_none() {
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
        Hunt hunt(cover, [&] { return cover; }, static_cast<std::uint32_t>(round));
        Hunt::Outcome outcome;
        do
            outcome = hunt.run(std::chrono::milliseconds(1));
        while (outcome == Hunt::Outcome::going);
        expect((outcome == Hunt::Outcome::found) == !expected.empty(),
               "found just if there is one");
        if (outcome == Hunt::Outcome::found)
            expect(expected.count(hunt.names) == 1, "and it is one");
        found += outcome == Hunt::Outcome::found;
    }
    expect(found > 200, "enough of the random questions have answers");
}

static void a_long_hunt_ends_by_the_search_that_is_never_given_up() {
    const Cover cover = chessboard(8);
    bool asked = false;
    Hunt hunt(
        cover,
        [&] {
            asked = true;
            return cover;
        },
        1);
    Hunt::Outcome outcome;
    do
        outcome = hunt.run(std::chrono::milliseconds(100));
    while (outcome == Hunt::Outcome::going);
    expect(outcome == Hunt::Outcome::none, "there is none");
    expect(asked && hunt.restarts > 5, "and it took long");
}

void test_hunt() {
    the_limits_are_those_of_luby();
    a_hunt_finds_one_or_says_that_there_is_none();
    a_long_hunt_ends_by_the_search_that_is_never_given_up();
}
