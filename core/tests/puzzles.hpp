// Puzzles that several tests ask about.
#pragma once

#include "../disassemble.hpp"
#include "random_cover.hpp"

namespace kumitate {

// A strip of 2 x n cells and all dominoes: Fibonacci many coverings.
inline Cover dominoes(std::uint32_t n) {
    Cover cover;
    cover.optional.assign(2 * n, 0);
    cover.weight.assign(2 * n, 1);
    cover.least = cover.most = {n};
    const auto add = [&](std::uint32_t a, std::uint32_t b) {
        cover.piece.push_back(0);
        cover.name.push_back(static_cast<std::uint32_t>(cover.name.size()));
        cover.covers.insert(cover.covers.end(), {a, b});
        cover.starts.push_back(static_cast<std::uint32_t>(cover.covers.size()));
    };
    for (std::uint32_t i = 0; i < n; ++i) {
        add(2 * i, 2 * i + 1);
        if (i + 1 < n) {
            add(2 * i, 2 * i + 2);
            add(2 * i + 1, 2 * i + 3);
        }
    }
    return cover;
}

// Dominoes on a chessboard without two corners of one colour, in the order of rows.
inline Cover chessboard(std::uint32_t side) {
    Cover cover;
    cover.optional.assign(side * side - 2, 0);
    cover.weight.assign(side * side - 2, 1);
    cover.least = {side * side / 2 - 1};
    cover.most = cover.least;
    const auto add = [&](std::uint32_t a, std::uint32_t b) {
        if (a == 0 || b == side * side - 1)
            return;
        cover.name.push_back(static_cast<std::uint32_t>(cover.name.size()));
        cover.piece.push_back(0);
        cover.covers.insert(cover.covers.end(), {a - 1, b - 1});
        cover.starts.push_back(static_cast<std::uint32_t>(cover.covers.size()));
    };
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x) {
            if (x + 1 < side)
                add(y * side + x, y * side + x + 1);
            if (y + 1 < side)
                add(y * side + x, (y + 1) * side + x);
        }
    return cover;
}

inline Sweeps cube_sweeps() {
    Sweeps sweeps;
    sweeps.steps = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Shift &s : sweeps.steps)
        sweeps.swept.push_back({{0, 0, 0, 0}, {s.x, s.y, s.z, 0}});
    return sweeps;
}

inline Disassembler cubes(std::optional<std::int32_t> tolerance = std::nullopt) {
    return Disassembler(cube_sweeps(), {Turn{{1, 0, 0, 0, 1, 0, 0, 0, 1}, 1, {0}, {{0, 0, 0}}}},
                        tolerance);
}

inline std::vector<Spot> add_pieces(Disassembler &apart,
                                    const std::vector<std::vector<Cell>> &pieces) {
    std::vector<Spot> assembly;
    for (std::uint32_t i = 0; i < pieces.size(); ++i) {
        apart.add_piece(pieces[i], 1, {});
        assembly.push_back({i, 0, {0, 0, 0}});
    }
    return assembly;
}

inline Attempt take_apart(const std::vector<std::vector<Cell>> &pieces, unsigned threads,
                          const Limits &limits = {}) {
    Disassembler apart = cubes();
    const std::vector<Spot> assembly = add_pieces(apart, pieces);
    return apart.take_apart(assembly, limits, threads, [](std::uint64_t) { return true; });
}

// A closed tray with single cubes in it, and holes.
inline std::vector<std::vector<Cell>> tray(int width, int height, int blocks) {
    std::vector<std::vector<Cell>> pieces(1);
    for (int x = -1; x <= width; ++x)
        for (int y = -1; y <= height; ++y)
            for (int z = -1; z <= 1; ++z)
                if (x < 0 || y < 0 || z != 0 || x == width || y == height)
                    pieces[0].push_back({x, y, z, 0});
                else if (x * height + y < blocks)
                    pieces.push_back({{x, y, z, 0}});
    return pieces;
}

} // namespace kumitate
