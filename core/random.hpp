// Random numbers that are the same everywhere: the same seed gives the same search on every
// machine, which the standard's distributions and std::shuffle do not promise.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace kumitate {

using Dice = std::mt19937;

inline std::uint32_t roll(Dice &dice, std::size_t sides) {
    return static_cast<std::uint32_t>(dice() % sides);
}

inline void shuffle(std::vector<std::uint32_t> &numbers, Dice &dice) {
    for (std::size_t left = numbers.size(); left > 1; --left)
        std::swap(numbers[left - 1], numbers[roll(dice, left)]);
}

} // namespace kumitate
