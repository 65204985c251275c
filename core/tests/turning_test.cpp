// Pieces that turn: maps of pivots against every pair of cells, and whole searches whose number of
// states is the same on several threads.

#include "../turning.hpp"
#include "check.hpp"
#include "puzzles.hpp"

#include <cmath>
#include <numbers>
#include <random>

using namespace kumitate;

// How deep two oblongs overlap when the first has turned by some angle; negative if they do not.
static double depth(const Oblong &a, const Oblong &b, double angle) {
    const auto d = [](std::int64_t n) { return static_cast<double>(n); };
    const double cos = std::cos(angle), sin = std::sin(angle);
    const double x = d(a.x) * cos - d(a.y) * sin - d(b.x), y = d(a.x) * sin + d(a.y) * cos - d(b.y);
    return std::min({d(b.wide) + d(a.wide) * cos + d(a.high) * sin - std::abs(x),
                     d(b.high) + d(a.wide) * sin + d(a.high) * cos - std::abs(y),
                     d(a.wide) + d(b.wide) * cos + d(b.high) * sin - std::abs(x * cos + y * sin),
                     d(a.high) + d(b.wide) * sin + d(b.high) * cos - std::abs(y * cos - x * sin)});
}

static void oblongs_meet_if_they_do_at_some_angle() {
    std::mt19937 random(5);
    const auto draw = [&](int low, int high) {
        return std::uniform_int_distribution(low, high)(random);
    };
    for (int round = 0; round < 3000; ++round) {
        const int inset = draw(0, 1) * draw(0, 200), near = draw(2, 20);
        const auto oblong = [&] {
            return Oblong{250 * draw(-near, near), 250 * draw(-near, near),
                          500 * draw(1, 2) - inset, 500 * draw(1, 2) - inset};
        };
        const Oblong a = oblong(), b = oblong();
        double deepest = -1e9;
        for (int part = 1; part < 100; ++part)
            deepest = std::max(deepest, depth(a, b, part * std::numbers::pi / 200));
        const bool there = overlap(a, b);
        if (deepest > 1e-6)
            expect(there, "what overlaps at some angle meets");
        expect(!there || deepest > -100, "what meets nearly overlaps at some angle");
    }
}

static std::vector<Cell> random_piece(std::mt19937 &random, int side) {
    std::vector<Cell> cells;
    for (int x = 0; x < side; ++x)
        for (int y = 0; y < side; ++y)
            for (int z = 0; z < side; ++z)
                if (random() % 3 == 0)
                    cells.push_back({x, y, z, 0});
    if (cells.empty())
        cells.push_back({0, 0, 0, 0});
    return cells;
}

// Whether a cell of one body hits one of the other, both in thousandths from the pivot.
static bool plain_hits(const Body &a, const Body &b, Shift offset, std::int32_t parts,
                       std::size_t axis, std::size_t quarters, std::int32_t u, std::int32_t v) {
    const std::size_t first = (axis + 1) % 3, second = (axis + 2) % 3;
    const std::int32_t unit = 1000 / parts;
    for (const Cell &c : a.cells)
        for (const Cell &d : b.cells) {
            const Shift p = parts * place_of(c), q = parts * place_of(d) + offset;
            if (std::abs(p[axis] - q[axis]) >= parts)
                continue;
            const auto at = [&](Shift s) {
                return Oblong{unit * s[first] + 500 - unit / 2 * u,
                              unit * s[second] + 500 - unit / 2 * v, 500, 500};
            };
            Oblong turns = at(p);
            for (std::size_t q4 = 0; q4 < quarters; ++q4, turns = quarter_of(turns))
                if (overlap(turns, at(q)))
                    return true;
        }
    return false;
}

static void maps_are_those_of_all_pairs_of_cells(std::int32_t parts) {
    std::mt19937 random(7);
    using Known = Turns<std::uint32_t>;
    for (int round = 0; round < 40; ++round) {
        Sweeps sweeps = cube_sweeps();
        sweeps.parts = parts;
        Bodies bodies(sweeps);
        const std::uint32_t a = bodies.add(random_piece(random, 2)).first,
                            b = bodies.add(random_piece(random, 2)).first;
        Known turns(bodies, 0);
        const auto along = [&] { return static_cast<std::int32_t>(random() % 5) - 1; };
        const Shift offset{along(), along(), along()};
        const Shift from{std::max(0, -offset.x), std::max(0, -offset.y), std::max(0, -offset.z)};
        Known::Couple &couple = turns.couple(a, b, offset);
        expect(&couple == &turns.couple(a, b, offset), "couples are known");
        expect(!turns.tidy() && !turns.tidy(1), "they are few");
        const std::size_t axis = random() % 3, quarters = 1 + random() % 3;
        Known::World blocked{};
        turns.fill(couple, axis, quarters, from, blocked.size(), blocked);
        const std::int32_t left = from[(axis + 1) % 3], bottom = from[(axis + 2) % 3];
        for (std::int32_t y = 0; y < 16; ++y)
            for (std::int32_t x = 0; x < 16; ++x) {
                const bool there = blocked[static_cast<std::size_t>(y)] >> x & 1;
                const std::int32_t u = x - 2 * left, v = y - 2 * bottom;
                expect(there == plain_hits(bodies.all[a], bodies.all[b], offset, parts, axis,
                                           quarters, u, v),
                       "a map has the pivots about which cells hit");
                const Window &window = couple.windows[axis];
                expect(there || (u >= window.left && u <= window.right && v >= window.bottom &&
                                 v <= window.top),
                       "what turns begins to turn");
            }
        expect(turns.tidy(0) && !turns.tidy(0), "they are forgotten");
        Known::World again{};
        turns.fill(turns.couple(a, b, offset), axis, quarters, from, again.size(), again);
        expect(again == blocked, "and found out again");
    }
}

// A closed tray with a bar, a corner and two cells; and others that never move, in its floor.
static std::vector<std::vector<Cell>> tray_with_a_bar(int rows) {
    std::vector<std::vector<Cell>> pieces = tray(4, 4, 0);
    pieces.push_back({{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 0}});
    pieces.push_back({{0, 1, 0, 0}, {1, 1, 0, 0}, {0, 2, 0, 0}});
    pieces.push_back({{1, 2, 0, 0}});
    pieces.push_back({{2, 2, 0, 0}});
    for (int x = 0; x <= 2 * rows; ++x)
        for (int y = 0; y <= 2 * rows; ++y)
            for (int z = -4; z < -1; ++z)
                if (x % 2 == 1 && y % 2 == 1 && z == -3)
                    pieces.push_back({{x, y, z, 0}});
                else
                    pieces[0].push_back({x, y, z, 0});
    return pieces;
}

static void a_closed_tray_has_so_many_states(unsigned threads) {
    const auto states = [](int rows, unsigned threads, const Limits &limits, Ending ending) {
        Disassembler apart = cubes(0);
        const std::vector<Spot> assembly = add_pieces(apart, tray_with_a_bar(rows));
        const Attempt attempt =
            apart.take_apart(assembly, limits, threads, [](std::uint64_t) { return true; });
        expect(attempt.ending == ending, "nothing leaves a closed tray");
        return attempt.states;
    };
    const Limits eight{1'000'000, 8};
    if (threads == 1) {
        expect(states(0, 1, {}, Ending::stuck) == 7020, "all states");
        expect(states(0, 1, eight, Ending::limited) == 5271, "up to eight moves");
    } else // with so many pieces that threads share a depth
        expect(states(4, threads, eight, Ending::limited) == 5271, "on several threads, too");
}

void test_turning() {
    oblongs_meet_if_they_do_at_some_angle();
    maps_are_those_of_all_pairs_of_cells(1);
    maps_are_those_of_all_pairs_of_cells(2);
    a_closed_tray_has_so_many_states(1);
}

void test_turning_on_threads() {
    a_closed_tray_has_so_many_states(3);
}
