// What follows from a grid's table: corners come in as tuples, cells and turns go out as bytes.

#include "bindings.hpp"
#include "grid_turns.hpp"
#include "sweep.hpp"

namespace kumitate {

using Corner = std::tuple<std::int32_t, std::int32_t, std::int32_t>;

static Vector vector_of(const Corner &corner) {
    const auto [x, y, z] = corner;
    return {x, y, z};
}

// By residue, step and tile: how many cells the tile passes through, and those, as 32-bit integers.
static nb::bytes sweeps(const std::vector<std::vector<Corner>> &tiles, std::int32_t denominator,
                        const std::vector<Corner> &gram, std::int64_t diameter2,
                        const std::vector<Corner> &steps, std::int32_t parts) {
    std::vector<std::vector<Vector>> corners;
    for (const auto &tile : tiles) {
        corners.emplace_back();
        for (const Corner &corner : tile)
            corners.back().push_back(vector_of(corner));
    }
    const Tiles polyhedra(std::move(corners), denominator);
    const auto sweep = [&](const Stretch &stretch) {
        if (gram.empty())
            return polyhedra.sweep(stretch);
        return sweep_ball({vector_of(gram[0]), vector_of(gram[1]), vector_of(gram[2])}, diameter2,
                          stretch);
    };
    std::vector<std::int32_t> numbers;
    for (std::int32_t n = 0; n < parts * parts * parts; ++n)
        for (const auto &[x, y, z] : steps)
            for (const auto &cells :
                 sweep({{n / parts / parts, n / parts % parts, n % parts}, {x, y, z}, parts})) {
                numbers.push_back(static_cast<std::int32_t>(cells.size()));
                for (const Cell &c : cells)
                    numbers.insert(numbers.end(), {c.x, c.y, c.z, c.tile});
            }
    return nb::bytes(numbers.data(), sizeof(std::int32_t) * numbers.size());
}

// All turns, and then as many reflections, as `turns_of` reads them.
static nb::bytes turns(std::vector<std::vector<Row3>> tiles, std::int64_t denominator,
                       std::vector<Matrix3> generators, const Matrix3 &mirror,
                       const std::optional<Matrix3> &extra, std::int32_t divisor) {
    std::vector<std::int32_t> numbers;
    for (const Turn &turn : grid_turns(
             {std::move(tiles), denominator, std::move(generators), mirror, extra, divisor})) {
        numbers.insert(numbers.end(), turn.matrix.begin(), turn.matrix.end());
        numbers.push_back(turn.divisor);
        for (std::size_t t = 0; t < turn.onto.size(); ++t) {
            const Shift &s = turn.shifts[t];
            numbers.insert(numbers.end(), {turn.onto[t], s.x, s.y, s.z});
        }
    }
    return nb::bytes(numbers.data(), sizeof(std::int32_t) * numbers.size());
}

void bind_sweeps(nb::module_ &m) {
    m.def("turns", &turns, nb::arg("tiles"), nb::arg("denominator"), nb::arg("generators"),
          nb::arg("mirror"), nb::arg("extra").none(), nb::arg("divisor"));
    m.def("sweeps", &sweeps, nb::arg("tiles"), nb::arg("denominator"), nb::arg("gram"),
          nb::arg("diameter2"), nb::arg("steps"), nb::arg("parts"));
}

} // namespace kumitate
