#include "fit.hpp"

#include <bit>

namespace kumiki {

namespace {

std::size_t hash(Cell cell) {
    std::uint64_t h = 0x9e3779b97f4a7c15u;
    for (std::int32_t part : {cell.x, cell.y, cell.z, cell.tile})
        h = (h ^ static_cast<std::uint32_t>(part)) * 0xff51afd7ed558ccdu, h ^= h >> 32;
    return static_cast<std::size_t>(h);
}

// The slot that holds the cell, or the empty one where it would be.
std::size_t slot_of(const Goal &goal, Cell cell) {
    const std::size_t mask = goal.slots.size() - 1;
    std::size_t slot = hash(cell) & mask;
    while (goal.slots[slot] >= 0 && goal.cells[static_cast<std::size_t>(goal.slots[slot])] != cell)
        slot = (slot + 1) & mask;
    return slot;
}

} // namespace

Goal make_goal(std::span<const Cell> cells, std::span<const std::uint64_t> accepts) {
    Goal goal{{cells.begin(), cells.end()}, {accepts.begin(), accepts.end()}, {}};
    goal.slots.assign(std::bit_ceil(2 * cells.size() + 1), -1);
    for (std::size_t i = 0; i < goal.cells.size(); ++i)
        goal.slots[slot_of(goal, goal.cells[i])] = static_cast<std::int32_t>(i);
    return goal;
}

std::int32_t find(const Goal &goal, Cell cell) {
    return goal.slots[slot_of(goal, cell)];
}

std::vector<Shift> fits(const Goal &goal, std::span<const Cell> piece,
                        std::span<const std::uint64_t> kinds) {
    std::vector<Shift> found;
    if (piece.empty())
        return found;
    const Cell first = piece.front();
    for (const Cell &start : goal.cells) {
        if (start.tile != first.tile)
            continue;
        const Shift by{start.x - first.x, start.y - first.y, start.z - first.z};
        bool all = true;
        for (std::size_t i = 0; all && i < piece.size(); ++i) {
            const Cell &p = piece[i];
            const std::int32_t at = find(goal, {p.x + by.x, p.y + by.y, p.z + by.z, p.tile});
            all = at >= 0 && (goal.accepts[static_cast<std::size_t>(at)] & kinds[i]) != 0;
        }
        if (all)
            found.push_back(by);
    }
    return found;
}

} // namespace kumiki
