// Cubes that slide along the axes: a rod in a tube, trays whose states can be counted by hand; and
// what slides off at once, against a plain look at all cells.

#include "../standing.hpp"
#include "check.hpp"
#include "puzzles.hpp"

#include <random>
#include <set>

using namespace kumitate;

static void a_rod_leaves_its_tube() {
    std::vector<std::vector<Cell>> pieces(2);
    for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 3; ++y)
            for (int z = 0; z < 3; ++z)
                pieces[y == 1 && z == 1].push_back({x, y, z, 0});
    const Attempt attempt = take_apart(pieces, 1);
    expect(attempt.ending == Ending::apart, "the rod comes out");
    expect(attempt.separation->moves.size() == 1, "in one move");
    expect(attempt.separation->moves[0].direction / 2 == 0, "along the bore");
}

static void a_closed_tray_has_so_many_states() {
    // Arrangements of distinct blocks in the cells of the tray: all of them are reached when two or
    // more cells are free.
    expect(take_apart(tray(2, 2, 2), 1).states == 12, "4! / 2!");
    expect(take_apart(tray(2, 3, 4), 1).states == 360, "6! / 2!");
    const Attempt one = take_apart(tray(2, 4, 6), 1);
    expect(one.states == 20160 && one.ending == Ending::stuck, "8! / 2!");
    expect(take_apart(tray(2, 4, 8), 1).ending == Ending::rigid, "a full tray is rigid");
}

static void threads_find_as_many_states() {
    const Attempt four = take_apart(tray(2, 4, 6), 4);
    expect(four.states == 20160 && four.ending == Ending::stuck, "8! / 2!");
    // Wide enough for threads to share a depth.
    expect(take_apart(tray(3, 3, 7), 3).states == 181440, "9! / 2!");
    expect(take_apart(tray(2, 4, 7), 3).states == 20160, "the fifteen puzzle's half");
}

static void limits_are_kept() {
    expect(take_apart(tray(2, 4, 6), 1, {100, 1000}).ending == Ending::limited, "states");
    expect(take_apart(tray(2, 4, 6), 1, {1000000, 3}).ending == Ending::limited, "moves");
}

static void many_pieces_come_apart() {
    std::vector<std::vector<Cell>> bricks;
    for (int i = 0; i < 70; ++i)
        bricks.push_back({{2 * i, 0, 0, 0}, {2 * i + 1, 0, 0, 0}});
    expect(take_apart(bricks, 1).ending == Ending::apart, "a row of 70 bricks");
}

// Whether one piece, sliding along a direction for ever or for one unit, meets another.
static bool meets(const std::vector<Cell> &mover, const std::vector<Cell> &other,
                  std::uint32_t direction, int units) {
    const std::set<Cell> there(other.begin(), other.end());
    for (int unit = 1; unit <= units; ++unit)
        for (Cell cell : mover) {
            std::int32_t &along = direction / 2 == 0   ? cell.x
                                  : direction / 2 == 1 ? cell.y
                                                       : cell.z;
            along += direction % 2 == 0 ? unit : -unit;
            if (there.count(cell))
                return true;
        }
    return false;
}

// What moves along with a piece of a part, which slides so far.
static std::set<std::size_t> plain_set(const std::vector<std::vector<Cell>> &pieces,
                                       const std::vector<std::size_t> &part, std::size_t first,
                                       std::uint32_t direction, int units) {
    std::set<std::size_t> moving{first};
    for (std::size_t before = 0; before != moving.size();) {
        before = moving.size();
        for (std::size_t i : part)
            for (std::size_t j : part)
                if (moving.count(i) && !moving.count(j) &&
                    meets(pieces[i], pieces[j], direction, units))
                    moving.insert(j);
    }
    return moving;
}

template <class Set> static void what_slides_off_is_seen() {
    std::mt19937 random(11);
    int rigid = 0, single = 0, sets = 0;
    for (int round = 0; round < 150; ++round) {
        // A box dealt out by slabs, two pieces to each, with some disorder.
        const std::size_t n = 2 + random() % 6, slabs = (n + 1) / 2, disorder = 4 + random() % 20;
        std::vector<std::vector<Cell>> pieces(n);
        for (int x = 0; x < 6; ++x)
            for (int y = 0; y < 3; ++y)
                for (int z = 0; z < 3; ++z) {
                    const std::size_t slab = static_cast<std::size_t>(x) * slabs / 6;
                    const std::size_t piece = std::min(2 * slab + random() % 2, n - 1);
                    if (random() % 10 > 0)
                        pieces[random() % disorder == 0 ? random() % n : piece].push_back(
                            {x, y, z, 0});
                }
        Bodies bodies(cube_sweeps());
        Pairs pairs(bodies);
        std::vector<Placed> placed;
        for (std::size_t i = 0; i < n; ++i) {
            if (pieces[i].empty())
                pieces[i].push_back({static_cast<int>(i) - 20, 0, 0, 0});
            const auto [body, at] = bodies.add(pieces[i]);
            placed.push_back({body, at, 1, 0});
        }
        Standing<Set> standing(pairs, placed);
        Set seen{};
        std::vector<std::size_t> part(n);
        for (std::size_t i = 0; i < n; ++i)
            include(seen, part[i] = i);
        const bool measured = standing.look(seen, std::vector<Shift>(n));
        for (; part.size() > 1; part.erase(part.begin() + random() % part.size())) {
            std::set<std::size_t> expected;
            std::uint32_t way = 0;
            bool moves = false;
            for (std::size_t most : {std::size_t{1}, part.size() / 2})
                for (std::uint32_t direction = 0; direction < 6; ++direction)
                    for (std::size_t i : part) {
                        const auto set = plain_set(pieces, part, i, direction, 40);
                        if (expected.empty() && set.size() <= most)
                            expected = set, way = direction;
                        moves = moves || plain_set(pieces, part, i, direction, 1).size() <= most;
                    }
            Set some{};
            for (std::size_t i : part)
                include(some, i);
            expect(standing.anything_moves(some) == moves, "something moves, or nothing");
            rigid += !moves;
            if (!measured) {
                expect(part.size() < n || !moves, "what is not measured is rigid");
                continue;
            }
            const auto exit = standing.exit(some);
            expect(exit.has_value() == !expected.empty(), "something slides off, or nothing");
            if (!exit)
                continue;
            Set set{};
            for (std::size_t i : expected)
                include(set, i);
            expect(exit->set == set && exit->direction == way, "the first that slides off");
            (expected.size() == 1 ? single : sets) += 1;
        }
    }
    expect(rigid > 10 && single > 100 && sets > 10, "there are enough of each kind");
}

// Steps, and what tiles sweep through along them, that no grid has: whatever one tile meets on its
// way meets it on the way back.
static Sweeps random_sweeps(std::mt19937 &random) {
    const auto below = [&](int most) { return static_cast<int>(random() % most); };
    Sweeps sweeps;
    sweeps.tiles = 1 + below(3);
    for (int n = 1 + below(3); n > 0; --n) {
        const Shift step = n == 1 ? Shift{1, 0, 0} : Shift{below(4) - 1, below(3) - 1, 1};
        sweeps.steps.push_back(step);
        std::vector<std::set<Cell>> swept(sweeps.tiles);
        const auto meet = [&](int tile, Shift at, int other) {
            swept[tile].insert({at.x, at.y, at.z, other});
            const Shift back = step - at;
            swept[other].insert({back.x, back.y, back.z, tile});
        };
        for (int tile = 0; tile < static_cast<int>(sweeps.tiles); ++tile) {
            meet(tile, {0, 0, 0}, tile);
            for (int more = below(3); more > 0; --more)
                meet(tile, {below(3) - 1, below(4) - 1, below(2)}, below(sweeps.tiles));
        }
        for (const std::set<Cell> &cells : swept)
            sweeps.swept.emplace_back(cells.begin(), cells.end());
    }
    return sweeps;
}

template <class Set> static void cells_and_pairs_say_the_same() {
    std::mt19937 random(5);
    std::size_t suited = 0, rigid = 0, single = 0, sets = 0;
    for (int round = 0; round < 1000; ++round) {
        Bodies bodies(random_sweeps(random));
        Pairs pairs(bodies);
        Field field(bodies);
        field.note_pairs(1000, 1000); // so that many suit it
        const std::size_t n = 2 + random() % 7, tiles = bodies.sweeps.tiles, box = 2 + random() % 3;
        for (int assembly = 0; assembly < 3; ++assembly) {
            std::vector<std::vector<Cell>> pieces(n);
            for (int x = 0; x < static_cast<int>(box + random() % 2); ++x)
                for (int y = 0; y < 3; ++y)
                    for (int z = 0; z < 2; ++z)
                        for (int tile = 0; tile < static_cast<int>(tiles); ++tile)
                            if (random() % 9 > 0)
                                pieces[random() % n].push_back({x, y, z, tile});
            std::vector<Placed> placed;
            Set seen{};
            std::vector<std::size_t> part;
            for (std::size_t i = 0; i < n; ++i) {
                if (pieces[i].empty()) // some stand where others do
                    pieces[i].push_back({static_cast<int>(random() % 3), 3, 0, 0});
                const auto [body, at] = bodies.add(pieces[i]);
                placed.push_back({body, at, 1, 0});
                include(seen, i);
                part.push_back(i);
            }
            if (!field.suits(placed))
                continue;
            ++suited;
            Standing<Set> by_pairs(pairs, placed), by_cells(pairs, placed);
            const std::vector<Shift> places(n);
            by_pairs.look(seen, places);
            const bool measured = by_pairs.look(seen, places);
            expect(by_cells.look(field) || !by_cells.anything_moves(seen), "looked at or rigid");
            expect(by_cells.anything_moves(seen) == by_pairs.anything_moves(seen), "what moves");
            rigid += !by_cells.anything_moves(seen);
            for (; part.size() > 1 && measured && by_cells.anything_moves(seen);
                 part.erase(part.begin() + random() % part.size())) {
                Set some{};
                for (std::size_t i : part)
                    include(some, i);
                const auto one = by_cells.exit(some), other = by_pairs.exit(some);
                expect(one.has_value() == other.has_value(), "something slides off, or nothing");
                if (!one || !other)
                    continue;
                expect(one->set == other->set && one->direction == other->direction, "the same");
                (size(one->set) == 1 ? single : sets) += 1;
            }
        }
    }
    expect(suited > 300 && rigid > 100 && single > 300 && sets > 5,
           "there are enough of each kind");
}

// On cubes gaps are read off a bitmap of clashes, at once for small bodies, for others after some
// questions; `gap` follows what is swept, unit by unit.
static void clashes_and_sweeps_say_the_same() {
    std::mt19937 random(8);
    const auto below = [&](int most) {
        return static_cast<int>(random() % static_cast<unsigned>(most));
    };
    std::size_t large = 0, apart = 0, touching = 0;
    for (int round = 0; round < 300; ++round) {
        Bodies bodies(cube_sweeps());
        Pairs pairs(bodies);
        std::uint32_t two[2];
        for (std::uint32_t &body : two) {
            const int side = round % 50 == 0 ? 40 : 2 + below(5);
            std::vector<Cell> cells{{0, 0, 0, 0}};
            for (int x = 0; x < side; ++x)
                for (int y = 0; y < 5; ++y)
                    for (int z = 0; z < 4; ++z)
                        if (below(3) == 0)
                            cells.push_back({x, y, z + 1, 0});
            large += cells.size() > 64;
            body = bodies.add(cells).first;
        }
        for (int question = 0; question < 20; ++question) {
            const Shift at{below(16) - 8, below(14) - 7, below(14) - 7};
            const Gaps known = pairs.measure(Pairs::pair(two[0], two[1]), Pairs::offset(at));
            const std::uint16_t *gaps = pairs.gaps<std::uint16_t>(known);
            for (std::size_t way = 0; way < 6; ++way) {
                const std::uint16_t units = gap(bodies, two[0], two[1], at, way % 3, way >= 3);
                expect(gaps[way] == units, "equally far");
                expect((known.now >> way & 1) == (units == 0), "now");
                expect((known.ever >> way & 1) == (units != forever<std::uint16_t>), "ever");
                (units == 0 ? touching : apart) += 1;
            }
        }
    }
    expect(large > 10 && apart > 1000 && touching > 1000, "there are enough of each kind");
}

void test_disassemble() {
    clashes_and_sweeps_say_the_same();
    cells_and_pairs_say_the_same<Octet>();
    cells_and_pairs_say_the_same<Hex>();
    cells_and_pairs_say_the_same<Few>();
    cells_and_pairs_say_the_same<Many>();
    what_slides_off_is_seen<Octet>();
    what_slides_off_is_seen<Few>();
    what_slides_off_is_seen<Many>();
    a_rod_leaves_its_tube();
    a_closed_tray_has_so_many_states();
    limits_are_kept();
    many_pieces_come_apart();
}

void test_disassemble_on_threads() {
    threads_find_as_many_states();
}
