// Random questions with ranges, copies, optional cells that weigh more than one, hole budgets and
// placements that differ only in name; and their plain answer.
#pragma once

#include "../cover.hpp"

#include <algorithm>
#include <iterator>
#include <random>
#include <set>

using Assemblies = std::multiset<std::vector<std::uint32_t>>;

inline kumitate::Cover random_cover(std::mt19937 &random) {
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    kumitate::Cover cover;
    // Cells in several words, of every number that there are kernels for, and beyond.
    static constexpr std::uint32_t gaps[] = {60, 60, 90, 120, 180, 250, 370, 500, 512};
    const std::uint32_t gap = below(3) == 0 ? gaps[below(std::size(gaps))] : 0;
    const std::uint32_t cells = 1 + below(9);
    for (std::uint32_t c = 0; c < gap + cells; ++c) {
        cover.optional.push_back(c < gap ? 1 : below(3) == 0);
        cover.weight.push_back(c < gap || below(3) ? 1 : 1 + below(3));
    }
    const std::uint32_t pieces = 1 + below(4);
    for (std::uint32_t p = 0; p < pieces; ++p) {
        cover.least.push_back(below(3));
        cover.most.push_back(cover.least.back() + below(3));
    }
    cover.holes = below(2) ? gap + below(4) : gap + cells;
    std::set<std::pair<std::uint32_t, std::vector<std::uint32_t>>> seen;
    const bool variants = below(3) == 0;
    for (std::uint32_t i = below(12); i > 0; --i) {
        std::set<std::uint32_t> mine;
        for (std::uint32_t k = 1 + below(3); k > 0; --k)
            mine.insert(gap + below(cells));
        const std::uint32_t piece = below(pieces);
        if (!seen.insert({piece, {mine.begin(), mine.end()}}).second && !variants)
            continue;
        cover.piece.push_back(piece);
        cover.name.push_back(static_cast<std::uint32_t>(100 - cover.name.size()));
        cover.covers.insert(cover.covers.end(), mine.begin(), mine.end());
        cover.starts.push_back(static_cast<std::uint32_t>(cover.covers.size()));
    }
    return cover;
}

inline Assemblies plain_search(const kumitate::Cover &cover) {
    Assemblies found;
    for (std::uint32_t chosen = 0; chosen < 1u << cover.placements(); ++chosen) {
        std::vector<std::uint32_t> covered(cover.cells(), 0), used(cover.pieces(), 0), names;
        for (std::size_t i = 0; i < cover.placements(); ++i) {
            if (!(chosen >> i & 1))
                continue;
            ++used[cover.piece[i]];
            names.push_back(cover.name[i]);
            for (std::uint32_t cell : cover.cells_of(i))
                ++covered[cell];
        }
        bool right = true;
        std::uint64_t holes = 0;
        for (std::size_t c = 0; c < cover.cells(); ++c) {
            right = right && covered[c] <= 1 && (cover.optional[c] || covered[c] == 1);
            holes += covered[c] == 0 ? cover.weight[c] : 0;
        }
        for (std::size_t p = 0; p < cover.pieces(); ++p)
            right = right && cover.least[p] <= used[p] && used[p] <= cover.most[p];
        std::sort(names.begin(), names.end());
        if (right && holes <= cover.holes)
            found.insert(names);
    }
    return found;
}

inline Assemblies assemblies_in(const std::vector<std::uint32_t> &out) {
    Assemblies found;
    for (std::size_t at = 0; at < out.size(); at += 1 + out[at]) {
        const auto begin = out.begin() + static_cast<std::ptrdiff_t>(at) + 1;
        found.insert({begin, begin + static_cast<std::ptrdiff_t>(out[at])});
    }
    return found;
}
