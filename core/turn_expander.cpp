#include "turn_expander.hpp"

namespace kumitate {

Shift swung(const Swing &swing, Shift low, Shift sides) {
    const std::size_t u = (swing.axis + 1) % 3, v = (swing.axis + 2) % 3;
    std::array<std::int32_t, 3> at{2 * low.x, 2 * low.y, 2 * low.z}; // in half units
    std::array<std::int32_t, 3> side{2 * sides.x, 2 * sides.y, 2 * sides.z};
    for (std::int32_t q = 0; q < (swing.quarters + 4) % 4; ++q) {
        const std::int32_t across = swing.pivot[u] + swing.pivot[v] - at[v] - side[v];
        at[v] = swing.pivot[v] - swing.pivot[u] + at[u];
        at[u] = across;
        std::swap(side[u], side[v]);
    }
    KUMITATE_EXPECT(at[u] % 2 == 0 && at[v] % 2 == 0, "turns lead from units to units");
    return {at[0] / 2, at[1] / 2, at[2] / 2};
}

std::uint32_t Orientations::quarter(std::uint32_t body, std::size_t axis) {
    const auto known = quarters_.find({body, axis});
    if (known != quarters_.end())
        return known->second;
    std::vector<Cell> cells;
    for (const Cell &c : bodies_.all[body].cells)
        cells.push_back(axis == 0   ? Cell{c.x, -c.z, c.y, c.tile}
                        : axis == 1 ? Cell{c.z, c.y, -c.x, c.tile}
                                    : Cell{-c.y, c.x, c.z, c.tile});
    return quarters_[{body, axis}] = bodies_.add(cells).first;
}

std::uint32_t Orientations::turned(std::uint32_t body, const Swing &swing) {
    for (std::int32_t q = 0; q < (swing.quarters + 4) % 4; ++q)
        body = quarter(body, swing.axis);
    return body;
}

const std::vector<std::uint32_t> &Orientations::of(std::uint32_t body) {
    auto &known = known_[body];
    if (known.empty())
        known.push_back(body);
    for (std::size_t i = 0; i < known.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (const std::uint32_t next = quarter(known[i], axis);
                std::find(known.begin(), known.end(), next) == known.end())
                known.push_back(next);
    return known;
}

} // namespace kumitate
