#include "problem.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace kumitate {

std::uint32_t add_piece(Problem &problem, std::span<const Cell> shape,
                        std::span<const std::uint64_t> kinds, std::uint32_t least,
                        std::uint32_t most, bool may_be_copy) {
    require(kinds.size() == shape.size(), "every cell of a piece has a kind");
    const auto piece = static_cast<std::uint32_t>(problem.looks.size());
    const std::span<const Turn> rotations{problem.turns.data(), problem.rotations};
    Shape mine{{shape.begin(), shape.end()}, {kinds.begin(), kinds.end()}};
    for (std::uint32_t other = 0; may_be_copy && other < piece; ++other)
        if (is_among(problem.looks[other], problem.shapes[other], rotations, mine)) {
            const auto sum = [](std::uint64_t a, std::uint64_t b) {
                return to_32_bits(a + b, "copies of a piece");
            };
            problem.rules.least[other] = sum(problem.rules.least[other], least);
            problem.rules.most[other] = sum(problem.rules.most[other], most);
            return other;
        }
    problem.rules.least.push_back(least);
    problem.rules.most.push_back(most);
    problem.looks.emplace_back();
    problem.shapes.push_back(std::move(mine));
    for (Orientation &found :
         orientations(problem.goal, rotations, shape, kinds, problem.looks.back())) {
        const auto orientation = static_cast<std::uint32_t>(problem.turn.size());
        problem.turn.push_back(found.turn);
        problem.kinds.push_back(std::move(found.kinds));
        for (Way &way : found.ways) {
            problem.rules.piece.push_back(piece);
            problem.orientation.push_back(orientation);
            problem.ways.push_back(std::move(way));
            problem.rules.forbidden.push_back(0);
        }
        problem.starts.push_back(to_32_bits(problem.ways.size(), "placements"));
    }
    return piece;
}

Cover make_cover(const Problem &problem, const Symmetry *symmetry) {
    Cover cover;
    cover.optional = problem.optional;
    cover.weight.assign(problem.optional.size(), 1);
    cover.least = problem.rules.least;
    cover.most = problem.rules.most;
    cover.holes = problem.holes;
    constexpr std::uint32_t clash = none - 1; // of two pins on one cell: nothing may cover it
    std::vector<std::uint32_t> pin_at(problem.optional.size(), none);
    for (std::uint32_t pin : problem.rules.pinned)
        for (std::uint32_t cell : problem.ways[pin].covers) {
            cover.optional[cell] = 0;
            pin_at[cell] = pin_at[cell] == none ? pin : clash;
        }
    for (std::uint32_t name = 0; name < problem.rules.piece.size(); ++name) {
        if (problem.rules.forbidden[name] || (symmetry && symmetry->broken[name]))
            continue;
        const auto &covers = problem.ways[name].covers;
        const bool free = std::all_of(covers.begin(), covers.end(), [&](std::uint32_t cell) {
            return pin_at[cell] == none || pin_at[cell] == name;
        });
        if (!free)
            continue;
        cover.piece.push_back(problem.rules.piece[name]);
        cover.name.push_back(name);
        cover.covers.insert(cover.covers.end(), covers.begin(), covers.end());
        cover.starts.push_back(to_32_bits(cover.covers.size(), "cells of placements"));
    }
    return cover;
}

std::string fault_of(const Problem &problem, std::span<const std::uint32_t> names,
                     std::uint64_t holes) {
    std::vector<std::uint32_t> sorted(names.begin(), names.end());
    std::sort(sorted.begin(), sorted.end());
    if (!sorted.empty() && sorted.back() >= problem.ways.size())
        return "there is no placement " + std::to_string(sorted.back());
    std::vector<std::uint8_t> covered(problem.optional.size(), 0);
    for (std::uint32_t name : sorted)
        for (std::uint32_t cell : problem.ways[name].covers)
            if (covered[cell]++)
                return "two pieces cover cell " + std::to_string(cell);
    for (std::size_t cell = 0; cell < covered.size(); ++cell)
        if (!covered[cell]) {
            if (!problem.optional[cell])
                return "nothing covers cell " + std::to_string(cell);
            if (holes-- == 0)
                return "too many cells are empty";
        }
    return keeps(problem.rules, sorted) ? "" : "a count, a pin or a ban is broken";
}

void require_assemblies(const Problem &problem, std::span<const std::uint32_t> rows) {
    for (std::size_t at = 0; at < rows.size(); at += 1 + rows[at]) {
        require(rows[at] < rows.size() - at, "an assembly is a length and so many names");
        const std::string fault = fault_of(problem, rows.subspan(at + 1, rows[at]), problem.holes);
        if (!fault.empty())
            throw Broken("a search found an invalid assembly: " + fault);
    }
}

Cover with_holes(Cover cover) {
    std::uint64_t each = 0, all = 0; // weight of an optional cell, and of all of them
    for (std::size_t cell = 0; cell < cover.cells(); ++cell)
        if (cover.optional[cell]) {
            if (each != 0 && cover.weight[cell] != each)
                return cover;
            each = cover.weight[cell];
            all += each;
        }
    // With one hole in eight optional cells it is even; 6x6 of dominoes and bars of three, with one
    // hole: 256 M nodes -> 41 M.
    if (each == 0 || cover.holes < each || 8 * cover.holes > all || cover.least == cover.most)
        return cover;
    const auto hole = static_cast<std::uint32_t>(cover.pieces());
    cover.least.push_back(0);
    cover.most.push_back(static_cast<std::uint32_t>(cover.holes / each));
    for (std::uint32_t cell = 0; cell < cover.cells(); ++cell)
        if (std::exchange(cover.optional[cell], std::uint8_t{0})) {
            cover.piece.push_back(hole);
            cover.name.push_back(none);
            cover.covers.push_back(cell);
            cover.starts.push_back(to_32_bits(cover.covers.size(), "cells of placements"));
        }
    cover.holes = 0;
    return cover;
}

std::vector<std::uint32_t> along(const Goal &goal) {
    std::array<std::size_t, 3> axes{0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(),
                     [&](std::size_t a, std::size_t b) { return goal.size[a] > goal.size[b]; });
    std::vector<std::uint32_t> order(goal.cells.size()), place(goal.cells.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](std::uint32_t cell) {
        const Cell &c = goal.cells[cell];
        const std::int32_t at[3] = {c.x, c.y, c.z};
        return std::array{at[axes[0]], at[axes[1]], at[axes[2]], c.tile};
    };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    for (std::uint32_t i = 0; i < order.size(); ++i)
        place[order[i]] = i;
    return place;
}

namespace {

// Whether no cell comes twice.
bool disjoint(std::vector<std::uint32_t> cells) {
    std::sort(cells.begin(), cells.end());
    return std::adjacent_find(cells.begin(), cells.end()) == cells.end();
}

// The filling whose covers are the assemblies that a symmetry leaves as they are: `becomes` is what
// it makes of each placement, `goes_to` of each cell.
Filling filling(const Problem &problem, const Cover &cover, auto &&becomes, auto &&goes_to) {
    const std::vector<std::uint32_t> place = along(problem.goal);
    const std::size_t kinds = cover.pieces();
    Filling filling{static_cast<std::uint32_t>(cover.cells()), cover.least, cover.most, {}};
    filling.least.push_back(0); // the last kind is a hole
    filling.most.push_back(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(cover.holes, cover.cells())));
    for (std::size_t p = 0; p < kinds; ++p) // no more than fit, so that they fit a few bits
        filling.most[p] = std::min(filling.most[p], filling.cells);
    const auto add = [&](auto &&next, std::uint32_t first, auto &&lay) {
        Block block{{}, std::vector<std::uint32_t>(kinds + 1, 0)};
        std::uint32_t at = first;
        do {
            if (at < first)
                return; // this orbit was laid already
            lay(at, block);
            at = next(at);
        } while (at != first);
        for (std::uint32_t &cell : block.cells)
            cell = place[cell];
        if (disjoint(block.cells))
            filling.blocks.push_back(std::move(block));
    };
    for (std::uint32_t name : cover.name)
        add(becomes, name, [&](std::uint32_t at, Block &block) {
            const auto &covers = problem.ways[at].covers;
            block.cells.insert(block.cells.end(), covers.begin(), covers.end());
            ++block.uses[problem.rules.piece[at]];
        });
    for (std::uint32_t cell = 0; cell < cover.cells(); ++cell)
        if (cover.optional[cell])
            add(goes_to, cell, [&](std::uint32_t at, Block &block) {
                block.cells.push_back(at);
                ++block.uses[kinds];
            });
    return filling;
}

} // namespace

std::vector<Filling> fillings(const Problem &problem, const Symmetry *symmetry) {
    if (problem.rules.least.size() >= most_kinds ||
        (symmetry && !std::all_of(symmetry->safe.begin(), symmetry->safe.end(),
                                  [](std::uint8_t safe) { return safe; })))
        return {};
    const Cover cover = make_cover(problem, nullptr);
    const auto itself = [](std::uint32_t at) { return at; };
    std::vector<Filling> found{filling(problem, cover, itself, itself)};
    for (std::size_t g = 0; symmetry && g < symmetry->safe.size(); ++g)
        found.push_back(filling(
            problem, cover,
            [&](std::uint32_t name) { return symmetry->images[g * symmetry->names + name]; },
            [&](std::uint32_t cell) { return symmetry->goes_to[g][cell]; }));
    return found;
}

} // namespace kumitate
