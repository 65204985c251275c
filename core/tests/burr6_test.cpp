// Sticks that lack most of their twelve loose cells: all ways to put them together are counted,
// visited, and taken apart as the general search does it.

#include "../burr6.hpp"
#include "../disassemble.hpp"
#include "check.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <set>

using namespace kumitate;

static FrameCell cell(int x, int y, int z) {
    return static_cast<FrameCell>((x * side + y) * side + z);
}

// The symmetries of the frame put the axes in a circle, each in one or the other direction.
static std::vector<FrameCell> turn(unsigned circle, unsigned flips) {
    std::vector<FrameCell> where;
    for (int x = 0; x < side; ++x)
        for (int y = 0; y < side; ++y)
            for (int z = 0; z < side; ++z) {
                const std::array<int, 3> from{x, y, z};
                std::array<int, 3> to;
                for (unsigned axis = 0; axis < 3; ++axis) {
                    const int c = from[(axis + circle) % 3];
                    to[axis] = flips >> axis & 1 ? side - 1 - c : c;
                }
                where.push_back(cell(to[0], to[1], to[2]));
            }
    return where;
}

// In one piece: the spine below is broken where both its loose cells are gone.
static bool connected(const StickSet &set, std::uint16_t kind) {
    std::set<int> left;
    for (FrameCell c : set.home) {
        const auto bit = std::find(set.loose.begin(), set.loose.end(), c) - set.loose.begin();
        if (bit == std::ssize(set.loose) || kind >> bit & 1)
            left.insert(c);
    }
    std::vector<int> reached{*left.begin()};
    left.erase(left.begin());
    for (std::size_t at = 0; at < reached.size(); ++at)
        for (int by : {-36, -6, -1, 1, 6, 36}) // no cell of a stick is at two ends of the frame but
            if (left.erase(reached[at] + by))  // along its own axis, where neighbours are 36 apart
                reached.push_back(reached[at] + by);
    return left.empty();
}

static StickSet sticks(int fewest, int most) {
    StickSet set{{}, {}, {}, {}, 12};
    for (int x = 0; x < side; ++x)
        for (int y = 2; y < 4; ++y)
            for (int z = 1; z < 3; ++z) {
                set.home.push_back(cell(x, y, z));
                if ((z == 2 && x > 0 && x < 5) || x == 2 || x == 3)
                    set.loose.push_back(cell(x, y, z));
            }
    for (std::uint16_t kind = 0; kind < 4096; ++kind)
        if (std::popcount(kind) >= fewest && std::popcount(kind) <= most && connected(set, kind))
            set.kinds.push_back(kind);
    for (unsigned odd = 0; odd < 2; ++odd)
        for (unsigned circle = 0; circle < 3; ++circle)
            for (unsigned flips = 0; flips < 8; ++flips)
                if (std::popcount(flips) % 2 == static_cast<int>(odd))
                    set.turns.push_back(turn(circle, flips));
    return set;
}

static const std::function<bool()> go_on = [] { return true; };

static BurrCounts run(const BurrEnumeration &burr, std::size_t stride = 1,
                      std::vector<Kept> *kept = nullptr) {
    std::vector<std::uint32_t> tasks;
    for (std::size_t task = 0; task < burr.tasks(); task += stride)
        tasks.push_back(static_cast<std::uint32_t>(task));
    BurrCounts tally;
    expect(burr.run(tasks, tally, go_on, 1, kept), "empty interrupts");
    return tally;
}

static std::uint64_t sum(const auto &numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

static void as_many_are_visited_as_are_counted() {
    const StickSet set = sticks(2, 3);
    expect(set.kinds.size() == 18, "18 sticks that lack all but two or three of their cells");
    const BurrEnumeration burr(set, false);
    const auto [once, apart] = burr.count();
    const BurrCounts tally = run(burr);
    expect(sum(tally.once) == once, "each class once");
    expect(sum(tally.once) + sum(tally.mirrored) == apart, "and mirror images");
    expect(tally.once[vast] == 0, "none goes too far");

    StickSet turned = set;
    turned.turns.resize(12);
    const BurrEnumeration rotated(turned, false);
    expect(rotated.count()[0] == apart, "the same without reflections");
    const BurrCounts all = run(rotated);
    expect(sum(all.mirrored) == 0, "when nothing is said of mirror images");
    for (std::size_t e = 0; e < endings; ++e)
        expect(all.once[e] == tally.once[e] + tally.mirrored[e], "and they end in the same way");
}

static void they_end_as_the_general_search_says() {
    const StickSet set = sticks(2, 4);
    const BurrEnumeration burr(set, false);
    Sweeps sweeps;
    sweeps.steps = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Shift &s : sweeps.steps)
        sweeps.swept.push_back({{0, 0, 0, 0}, {s.x, s.y, s.z, 0}});
    Disassembler apart(sweeps, {Turn{{1, 0, 0, 0, 1, 0, 0, 0, 1}, 1, {0}, {{0, 0, 0}}}});
    std::mt19937 dice(1);
    std::array<int, endings> seen{};
    std::uint32_t pieces = 0;
    for (int found = 0; found < 200;) {
        Kinds kinds;
        std::set<FrameCell> taken;
        bool fits = true;
        std::vector<std::vector<Cell>> shapes(six);
        for (std::size_t i = 0; i < six && fits; ++i) {
            kinds[i] = set.kinds[dice() % set.kinds.size()];
            for (FrameCell home : set.home) {
                const auto bit =
                    std::find(set.loose.begin(), set.loose.end(), home) - set.loose.begin();
                if (bit < std::ssize(set.loose) && !(kinds[i] >> bit & 1))
                    continue;
                const int c = set.turns[burr.places()[i]][home];
                fits &= taken.insert(static_cast<FrameCell>(c)).second;
                shapes[i].push_back({c / 36, c / 6 % 6, c % 6, 0});
            }
        }
        if (!fits)
            continue;
        ++found;
        std::vector<Spot> assembly;
        for (const auto &shape : shapes) {
            apart.add_piece(shape, 1, {});
            assembly.push_back({pieces++, 0, {0, 0, 0}});
        }
        const Attempt attempt =
            apart.take_apart(assembly, {}, 1, [](std::uint64_t) { return true; });
        const std::uint8_t ending = burr.ending(kinds);
        ++seen[ending];
        if (attempt.ending == Ending::apart)
            expect(ending == attempt.separation->moves.size(), "the same level");
        else if (attempt.part.size() < six)
            expect(ending > rigid && ending <= most_moves, "partly apart");
        else
            expect(ending == (attempt.ending == Ending::rigid ? rigid : stuck), "not at all");
    }
    expect(seen[1] > 0 && seen[2] > 0 && seen[stuck] > 0, "of all kinds");
}

static void solid_ones_have_no_hole() {
    const StickSet set = sticks(5, 6);
    std::vector<Kept> kept;
    const BurrCounts tally = run(BurrEnumeration(set, true), 20, &kept);
    expect(tally.once[stuck] == 0, "what is solid does not move without coming apart");
    for (const Kept &one : kept) {
        int cells = 0;
        for (std::uint16_t kind : one.kinds)
            cells += std::popcount(kind);
        expect(cells == 32, "all shared cells are filled");
        expect(one.ending == 1, "by one move");
    }
    expect(!kept.empty(), "some come apart");
}

static void it_stops_when_it_must() {
    const StickSet set = sticks(2, 3);
    const BurrEnumeration burr(set, false);
    const std::vector<std::uint32_t> tasks{0, 1, 2};
    BurrCounts tally;
    expect(!burr.run(tasks, tally, [] { return false; }), "at once");
}

static void what_is_no_group_is_refused() {
    const auto refused = [](const StickSet &set) {
        try {
            const BurrEnumeration burr(set, false);
        } catch (const std::invalid_argument &) {
            return true;
        }
        return false;
    };
    StickSet set = sticks(3, 3);
    expect(!refused(set), "all is well");
    set.kinds.pop_back();
    expect(refused(set), "a turned stick is missing");
    set = sticks(3, 3);
    set.turns = {set.turns[0]};
    set.rotations = 1;
    expect(refused(set), "a turn is missing");
    set.rotations = 0;
    expect(refused(set), "all turns are");
}

void test_burr6() {
    as_many_are_visited_as_are_counted();
    they_end_as_the_general_search_says();
    solid_ones_have_no_hole();
    it_stops_when_it_must();
    what_is_no_group_is_refused();
}
