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
    expect(burr.run(tasks, {.least = 1}, tally, go_on, kept), "empty interrupts");
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
        const std::uint8_t ending = burr.ending(kinds).ending;
        const auto [again, outcome] = burr.ending(kinds, {.complete = true});
        expect(again == ending, "the same, to the end");
        expect((outcome > 0 && outcome < never) == (attempt.ending == Ending::apart),
               "completely, if the general search does it");
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

static void what_becomes_of_all_is_what_becomes_of_each() {
    StickSet set = sticks(2, 3);
    for (set.length = side; set.length <= longest; set.length += 2) {
        const BurrEnumeration burr(set, false);
        std::vector<std::uint32_t> tasks(burr.tasks());
        std::iota(tasks.begin(), tasks.end(), 0u);
        BurrCounts tally;
        std::vector<Kept> kept;
        expect(burr.run(tasks, {.complete = true, .least = 1}, tally, go_on, &kept), "goes on");
        expect(tally.once[vast] == 0, "none goes too far");
        for (std::size_t e = 0; e < endings; ++e) {
            std::array<std::uint64_t, 2> all{};
            for (const auto &both : tally.apart[e])
                for (std::size_t n = 0; n < 2; ++n)
                    all[n] += both[n];
            const bool apart = e > rigid && e <= most_moves;
            expect(all[0] == (apart ? tally.once[e] : 0), "each has an outcome");
            expect(all[1] == (apart ? tally.mirrored[e] : 0), "and its mirror image");
        }
        for (std::size_t at = 0; at < kept.size(); at += 1 + kept.size() / 50) {
            const auto [ending, outcome] = burr.ending(kept[at].kinds, {.complete = true});
            expect(ending == kept[at].ending && outcome == kept[at].outcome, "asked alone");
            const auto by = [&](LevelBy one) {
                return burr.ending(kept[at].kinds, {.by = one}).ending;
            };
            expect(by(LevelBy::axis) <= ending && ending <= by(LevelBy::unit), "more by less");
            expect(ending <= by(LevelBy::piece), "or stuck");
        }
    }
}

static void what_turns_was_stuck() {
    StickSet set = sticks(2, 3);
    for (std::uint16_t kind = 0; kind < 4096; ++kind)
        if (std::popcount(kind) <= 1) // in several parts
            set.kinds.push_back(kind);
    const BurrEnumeration burr(set, false);
    std::vector<std::uint32_t> tasks;
    for (std::uint32_t task = 0; task < burr.tasks(); task += 7)
        tasks.push_back(task);
    BurrCounts plain, turned;
    std::vector<Kept> kept;
    expect(burr.run(tasks, {}, plain, go_on), "nobody interrupts");
    expect(burr.run(tasks, {.turns = 0, .least = turning}, turned, go_on, &kept),
           "nobody interrupts");
    for (std::size_t e = 0; e < endings; ++e)
        expect((e >= turning && e <= stuck) || plain.once[e] == turned.once[e],
               "slides are as ever");
    expect(plain.once[turning] == 0, "nobody asked");
    expect(plain.once[stuck] == turned.once[stuck] + turned.once[turning] + turned.once[unclear],
           "stuck, or turning");
    expect(turned.once[stuck] > 0, "some are stuck");
    expect(kept.size() == turned.once[turning] + turned.once[unclear], "those are kept");
    for (const Kept &one : kept) {
        expect(burr.ending(one.kinds).ending == stuck, "slides do not take it apart");
        expect(burr.ending(one.kinds, {.turns = 0}).ending == one.ending, "asked alone");
    }
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
    expect(!burr.run(tasks, {}, tally, [] { return false; }), "at once");
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
    what_becomes_of_all_is_what_becomes_of_each();
    what_turns_was_stuck();
    solid_ones_have_no_hole();
    it_stops_when_it_must();
    what_is_no_group_is_refused();
}
