#include "../grid_turns.hpp"
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
    expect(find(empty, {0, 0, 0, 0}) == none, "no cell in an empty goal");
    expect(fits(empty, {}, {}).empty(), "no place for no cells");
}

static void random_pieces_fit_where_a_plain_search_says() {
    std::mt19937 random(1);
    const auto number = [&](unsigned below) { return static_cast<int>(random() % below); };
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

// Cubes, with their corners times a scale.
static GridTable cubes(std::int64_t scale) {
    GridTable table{{{}}, scale, {}, {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}, 1};
    for (std::int64_t corner = 0; corner < 8; ++corner)
        table.tiles[0].push_back(
            {scale * (corner >> 2), scale * (corner >> 1 & 1), scale * (corner & 1)});
    table.generators = {{{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}, {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}};
    return table;
}

static void cubes_have_24_turns_and_as_many_reflections() {
    const std::vector<Turn> turns = grid_turns(cubes(1));
    expect(turns.size() == 48, "24 of each");
    const std::vector<Cell> cell{{0, 0, 0, 0}};
    std::vector<Cell> turned;
    turn_cells(turns[2], cell, turned);
    expect(turned == std::vector<Cell>{{-1, 0, 0, 0}}, "a quarter turn about z, of the cell");
    const std::vector<Turn> scaled = grid_turns(cubes(std::int64_t{1} << 30));
    for (std::size_t i = 0; i < turns.size(); ++i)
        expect(turns[i].matrix == scaled[i].matrix && turns[i].shifts == scaled[i].shifts,
               "corners may be fine");
}

static void tables_that_are_no_grid_have_no_turns() {
    constexpr std::int64_t huge = std::int64_t{1} << 62;
    std::vector<GridTable> tables{cubes(0), cubes(-1), cubes(huge / 2), cubes(1), cubes(1),
                                  cubes(1), cubes(1),  cubes(1),        cubes(1)};
    tables[3].mirror[0][0] = huge;
    tables[4].mirror[0][0] = 3;
    tables[5].generators[0][0][1] = 1; // of infinite order
    tables[6].generators[1] = {{{2, 1, 0}, {1, 1, 0}, {0, 0, 1}}};
    tables[7].tiles.emplace_back();
    tables[8].extra = Matrix3{{{huge, huge, huge}, {huge, huge, huge}, {huge, huge, huge}}};
    for (const GridTable &table : tables)
        expect(grid_turns(table).empty(), "no turns");
}

void test_placements() {
    cubes_have_24_turns_and_as_many_reflections();
    tables_that_are_no_grid_have_no_turns();
    a_bar_fits_a_square_in_two_places();
    a_kind_lies_only_where_it_is_accepted();
    nothing_fits_nowhere();
    random_pieces_fit_where_a_plain_search_says();
}
