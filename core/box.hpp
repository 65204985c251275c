// Cells, shifts from one to another, and the least box around some of them.
#pragma once

#include "contract.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace kumitate {

struct Cell {
    std::int32_t x, y, z, tile;
    friend auto operator<=>(const Cell &, const Cell &) = default;
};

struct Shift {
    std::int32_t x = 0, y = 0, z = 0;
    friend bool operator==(const Shift &, const Shift &) = default;
    std::int32_t operator[](std::size_t axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};

inline Cell operator+(Cell c, Shift s) {
    return {c.x + s.x, c.y + s.y, c.z + s.z, c.tile};
}
inline Shift operator+(Shift a, Shift b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Shift operator-(Shift a, Shift b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Shift operator-(Shift a) {
    return {-a.x, -a.y, -a.z};
}
inline Shift operator*(std::int32_t k, Shift a) {
    return {k * a.x, k * a.y, k * a.z};
}

// From the origin.
inline Shift place_of(Cell c) {
    return {c.x, c.y, c.z};
}
inline Shift place_of(Shift s) {
    return s;
}

// Whether no coordinate is more than that of the other.
inline bool within(Shift a, Shift most) {
    return a.x <= most.x && a.y <= most.y && a.z <= most.z;
}

struct Box {
    Shift low, high; // the least and the greatest coordinates

    [[gnu::always_inline]] void include(Shift at) {
        low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
    }
    // How many cells lie along each axis; right for any numbers of 32 bits.
    std::array<std::size_t, 3> sides() const {
        const auto side = [](std::int32_t from, std::int32_t to) {
            return std::size_t{static_cast<std::uint32_t>(to) - static_cast<std::uint32_t>(from)} +
                   1;
        };
        return {side(low.x, high.x), side(low.y, high.y), side(low.z, high.z)};
    }
};

// The least box around some cells or places, of which there must be one at least.
template <class Places> Box box_of(const Places &places) {
    KUMITATE_EXPECT(!std::empty(places), "a box is around something");
    Box box{place_of(places[0]), place_of(places[0])};
    for (const auto &at : places)
        box.include(place_of(at));
    return box;
}

} // namespace kumitate
