// Counts that follow cells from piece to piece, against pieces measured anew; and climbs that begin
// again, are refused, and run out of changes.

#include "../climb.hpp"
#include "check.hpp"
#include "puzzles.hpp"

using namespace kumitate;

static std::vector<Cell> box(int x, int y, int z) {
    std::vector<Cell> cells;
    for (int i = 0; i < x; ++i)
        for (int j = 0; j < y; ++j)
            for (int k = 0; k < z; ++k)
                cells.push_back({i, j, k, 0});
    return cells;
}

static void counts_follow_the_cells() {
    const std::vector<Cell> frame = box(3, 3, 3);
    std::vector<std::uint32_t> all;
    for (std::uint32_t cell = 0; cell < frame.size(); ++cell)
        all.push_back(cell);
    Contacts contacts(cube_sweeps(), frame, {all, all, all});
    Dice dice(1);
    for (int round = 0; round < 60; ++round) {
        const bool returns = round % 3 == 0;
        const std::vector<std::uint32_t> before = contacts.owners();
        contacts.mark();
        for (int changes = 0; changes < (round == 0 ? 200 : 3); ++changes) {
            const std::uint32_t piece = roll(dice, 4);
            contacts.give(roll(dice, frame.size()), piece == 3 ? none : piece);
        }
        contacts.find(1, Pairs::offset({1, 0, 0}));
        if (returns && round > 0) {
            for (std::uint32_t cell = 0; cell < frame.size(); ++cell)
                contacts.give(cell, before[cell]);
            contacts.back();
        }
        std::vector<std::vector<Cell>> pieces(3);
        for (std::uint32_t cell = 0; cell < frame.size(); ++cell)
            if (contacts.owner(cell) != none)
                pieces[contacts.owner(cell)].push_back(frame[cell]);
        if (pieces[0].empty() || pieces[1].empty())
            continue;
        Bodies bodies(cube_sweeps());
        Pairs pairs(bodies);
        const auto [a, a_at] = bodies.add(pieces[0]);
        const auto [b, b_at] = bodies.add(pieces[1]);
        for (int i = 0; i < 40; ++i) {
            const auto along = [&] { return static_cast<std::int32_t>(roll(dice, 13)) - 6; };
            const Shift by{along(), along(), along()};
            const bool overlaps = std::any_of(pieces[0].begin(), pieces[0].end(), [&](Cell cell) {
                return std::find(pieces[1].begin(), pieces[1].end(), cell + by) != pieces[1].end();
            });
            if (overlaps)
                continue;
            const Gaps &expected =
                pairs.measure(Pairs::pair(a, b), Pairs::offset(a_at + by - b_at));
            const Contacts::Known &found = contacts.find(1, Pairs::offset(by));
            expect(found.now == expected.now && found.ever == expected.ever, "who blocks whom");
            expect(std::equal(contacts.gaps<std::uint8_t>(found),
                              contacts.gaps<std::uint8_t>(found) + 6,
                              pairs.gaps<std::uint8_t>(expected)),
                   "how far they go");
        }
    }
}

static Frame frame_of(std::vector<Cell> cells, std::size_t pieces) {
    Frame frame;
    std::vector<std::uint32_t> all;
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell)
        all.push_back(cell);
    frame.neighbours.resize(cells.size());
    for (std::uint32_t i : all)
        for (std::uint32_t j : all) {
            const Shift by = place_of(cells[i]) - place_of(cells[j]);
            if (by.x * by.x + by.y * by.y + by.z * by.z == 1)
                frame.neighbours[i].push_back(j);
        }
    frame.cells = std::move(cells);
    frame.may_be_empty.assign(frame.cells.size(), 1);
    frame.homes.assign(pieces, all);
    frame.kept.assign(pieces, 0);
    return frame;
}

static void a_climb_goes_up() {
    Climb climb(cube_sweeps(), frame_of(box(4, 4, 4), 4), {{0, 4}, {1, 64}, 2, 0.3, 0.1, 20'000});
    std::vector<std::uint32_t> slabs;
    for (const Cell &cell : box(4, 4, 4))
        slabs.push_back(static_cast<std::uint32_t>(cell.x));
    std::vector<std::uint32_t> first;
    for (int again = 0; again < 2; ++again) {
        climb.begin(slabs, 7);
        std::uint32_t level = 0;
        while (climb.evaluations() < 3000)
            if (climb.run(3000 - climb.evaluations()) == Climb::Pause::better) {
                level = std::max(level, climb.verdict().level);
                climb.settle(true);
            }
        expect(level > 1, "slabs become harder");
        expect(again == 0 || climb.best_owners() == first, "the same from the same seed");
        first = climb.best_owners();
    }
}

// 17 pieces in a box with an opening, in which cells change hands: what is remembered of one puzzle
// changes no verdict on the next.
static void what_is_remembered_is_right() {
    const std::vector<Cell> outside = box(6, 5, 5);
    std::vector<Cell> cells;
    std::vector<std::uint32_t> owners, inside, around;
    for (const Cell &cell : outside) {
        const auto number = static_cast<std::uint32_t>(cells.size());
        const bool inner = cell.x % 5 != 0 && cell.y % 4 != 0 && cell.z % 4 != 0;
        if (cell.x % 5 != 0 && cell.y % 4 != 0 && cell.y <= 2 && cell.z == 4) // the opening
            continue;
        cells.push_back(cell);
        (inner ? inside : around).push_back(number);
        const auto half = static_cast<std::uint32_t>((inside.size() - 1) / 2);
        owners.push_back(!inner ? 17 : half < 17 ? half : none);
    }
    Frame frame = frame_of(std::move(cells), 18);
    for (std::uint32_t piece = 0; piece < 18; ++piece)
        frame.homes[piece] = piece < 17 ? inside : around;
    for (std::uint32_t cell : around)
        frame.may_be_empty[cell] = 0;
    frame.kept[17] = 1;
    const Terms terms{{1, 9}, {1, 200}, 100, 0, 0.1, 8000};
    Climb climb(cube_sweeps(), frame, terms), fresh(cube_sweeps(), frame, terms);
    climb.begin(owners, 5);
    std::uint32_t apart = 0, stuck = 0;
    std::uint64_t most_states = 0;
    for (int round = 0; round < 200; ++round) {
        const std::vector<std::uint32_t> before = climb.owners();
        const Climb::Pause pause = climb.run(1);
        const Verdict &found = climb.verdict();
        if (round == 0 || climb.owners() != before) {
            fresh.begin(climb.owners(), 1);
            fresh.run(1);
            const Verdict &expected = fresh.verdict();
            expect(found.level == expected.level && found.total == expected.total, "as hard");
            expect(found.states == expected.states, "the same states");
            expect(found.stuck == expected.stuck && found.held == expected.held, "as stuck");
            (found.level > 0 ? apart : stuck) += 1;
            most_states = std::max(most_states, found.states);
        }
        if (pause == Climb::Pause::better)
            climb.settle(round % 2 == 0);
    }
    expect(apart > 20 && stuck > 20 && most_states > 1000, "all kinds of puzzles");
}

static void two_single_cubes_stay_as_they_are() {
    Climb climb(cube_sweeps(), frame_of(box(2, 1, 1), 2), {{0, 0}, {1, 2}, 2, 0, 0.1, 100});
    climb.begin(std::vector<std::uint32_t>{0, 1}, 1);
    expect(climb.run(10) == Climb::Pause::better, "they come apart");
    climb.settle(false);
    expect(climb.run(10) == Climb::Pause::fixed, "no cell can change");
}

void test_climb() {
    counts_follow_the_cells();
    a_climb_goes_up();
    what_is_remembered_is_right();
    two_single_cubes_stay_as_they_are();
}
