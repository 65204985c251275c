// Climbs: the frame comes in as arrays, owners go out as lists.

#include "bindings.hpp"
#include "climb.hpp"

namespace kumitate {

void bind_climb(nb::module_ &m) {
    nb::class_<Climb>(m, "Climb")
        .def(
            "__init__",
            [](Climb *self, std::uint32_t tiles, const Integers &steps, const Integers &swept,
               const Integers &cells, std::vector<std::vector<std::uint32_t>> neighbours,
               std::vector<std::uint8_t> may_be_empty,
               std::vector<std::vector<std::uint32_t>> homes, std::vector<std::uint8_t> kept,
               std::pair<std::uint64_t, std::uint64_t> holes,
               std::pair<std::uint64_t, std::uint64_t> sizes, double slack, double temperature,
               double later, std::uint64_t max_states) {
                const std::span<const Cell> frame = cells_of(cells);
                if (neighbours.size() != frame.size() || may_be_empty.size() != frame.size() ||
                    kept.size() != homes.size())
                    throw nb::value_error("neighbours for each cell, and a home for each piece");
                for (const auto *lists : {&neighbours, &homes})
                    for (const std::vector<std::uint32_t> &list : *lists)
                        for (std::uint32_t cell : list)
                            if (cell >= frame.size())
                                throw nb::value_error("a cell that the frame does not have");
                new (self) Climb(sweeps_of(tiles, 1, steps, swept),
                                 {{frame.begin(), frame.end()},
                                  std::move(neighbours),
                                  std::move(may_be_empty),
                                  std::move(homes),
                                  std::move(kept)},
                                 {{holes.first, holes.second},
                                  {sizes.first, sizes.second},
                                  slack,
                                  temperature,
                                  later,
                                  max_states});
            },
            nb::arg("tiles"), nb::arg("steps"), nb::arg("swept"), nb::arg("cells"),
            nb::arg("neighbours"), nb::arg("may_be_empty"), nb::arg("homes"), nb::arg("kept"),
            nb::arg("holes"), nb::arg("sizes"), nb::arg("slack"), nb::arg("temperature"),
            nb::arg("later"), nb::arg("max_states"))
        .def(
            "begin",
            [](Climb &self, const std::vector<std::uint32_t> &owners, std::uint32_t seed) {
                self.begin(owners, seed);
            },
            nb::arg("owners"), nb::arg("seed"))
        .def(
            "run",
            [](Climb &self, std::uint64_t evaluations) {
                const WithoutGil release;
                switch (self.run(evaluations)) {
                case Climb::Pause::better:
                    return "better";
                case Climb::Pause::done:
                    return "done";
                case Climb::Pause::fixed:
                    return "fixed";
                }
                broken("a climb pauses for a reason");
            },
            nb::arg("evaluations"))
        .def("settle", &Climb::settle, nb::arg("counts"))
        .def_prop_ro("owners", [](const Climb &self) { return self.owners(); })
        .def_prop_ro("best_owners", [](const Climb &self) { return self.best_owners(); })
        .def_prop_ro("best", &Climb::best)
        .def_prop_ro("level", [](const Climb &self) { return self.verdict().level; })
        .def_prop_ro("total", [](const Climb &self) { return self.verdict().total; })
        .def_prop_ro("states", &Climb::states)
        .def_prop_ro("evaluations", &Climb::evaluations);
}

} // namespace kumitate
