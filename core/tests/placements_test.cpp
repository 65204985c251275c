#include "../placements.hpp"
#include "check.hpp"

#include <random>
#include <set>
#include <tuple>

using namespace kumitate;

static void a_bar_fits_a_square_in_two_places() {
    const std::vector<Cell> square{{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}};
    const std::vector<Cell> bar{{5, 5, 5, 0}, {6, 5, 5, 0}};
    const Goal goal = make_goal(square, std::vector<std::uint64_t>(4, 1));
    const auto shifts = fits(goal, bar, std::vector<std::uint64_t>(2, 1));
    expect(shifts == std::vector<Shift>{{-5, -5, -5}, {-5, -4, -5}}, "two places for the bar");
}

static void a_kind_lies_only_where_it_is_accepted() {
    const std::vector<Cell> row{{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 0}};
    const Goal goal = make_goal(row, std::vector<std::uint64_t>{1, 2, 3});
    const std::vector<Cell> dot{{0, 0, 0, 0}};
    expect(fits(goal, dot, std::vector<std::uint64_t>{1}).size() == 2, "kind 1 in two places");
    expect(fits(goal, dot, std::vector<std::uint64_t>{4}).empty(), "kind 4 nowhere");
}

static void nothing_fits_nowhere() {
    const Goal empty = make_goal({}, {});
    expect(find(empty, {0, 0, 0, 0}) == -1, "no cell in an empty goal");
    expect(fits(empty, {}, {}).empty(), "no place for no cells");
}

static void random_pieces_fit_where_a_plain_search_says() {
    std::mt19937 random(1);
    const auto number = [&](int below) { return static_cast<std::int32_t>(random() % below); };
    for (int round = 0; round < 500; ++round) {
        std::set<std::tuple<int, int, int, int>> in_goal;
        std::vector<Cell> goal_cells, piece;
        for (int i = number(60); i >= 0; --i) {
            const Cell c{number(5) - 2, number(4), number(3) + 1000000, number(2)};
            if (in_goal.insert({c.x, c.y, c.z, c.tile}).second)
                goal_cells.push_back(c);
        }
        for (int i = number(3); i >= 0; --i)
            piece.push_back({number(2), number(2), number(2), number(2)});
        const Goal goal = make_goal(goal_cells, std::vector<std::uint64_t>(goal_cells.size(), 1));
        std::size_t expected = 0;
        for (int x = -4; x < 4; ++x)
            for (int y = -3; y < 5; ++y)
                for (int z = 999997; z < 1000005; ++z) {
                    bool all = true;
                    for (const Cell &p : piece)
                        all = all && in_goal.contains({p.x + x, p.y + y, p.z + z, p.tile});
                    expected += all;
                }
        const auto found = fits(goal, piece, std::vector<std::uint64_t>(piece.size(), 1));
        expect(found.size() == expected, "as many shifts as the plain search");
    }
}

void test_placements() {
    a_bar_fits_a_square_in_two_places();
    a_kind_lies_only_where_it_is_accepted();
    nothing_fits_nowhere();
    random_pieces_fit_where_a_plain_search_says();
}
