// Cubes that slide along the axes: a rod in a tube, trays whose states can be counted by hand.

#include "check.hpp"
#include "puzzles.hpp"

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
    const Attempt one = take_apart(tray(2, 4, 6), 1), four = take_apart(tray(2, 4, 6), 4);
    expect(one.states == 20160 && one.ending == Ending::stuck, "8! / 2!");
    expect(four.states == 20160 && four.ending == Ending::stuck, "on four threads, too");
    // Wide enough for threads to share a depth.
    expect(take_apart(tray(3, 3, 7), 3).states == 181440, "9! / 2!");
    expect(take_apart(tray(2, 4, 7), 3).states == 20160, "the fifteen puzzle's half");
    expect(take_apart(tray(2, 4, 8), 1).ending == Ending::rigid, "a full tray is rigid");
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

void test_disassemble() {
    a_rod_leaves_its_tube();
    a_closed_tray_has_so_many_states();
    limits_are_kept();
    many_pieces_come_apart();
}
