// A problem as Python builds it: a goal, pieces, pins and bans; and the cover made of it.

#include "bindings.hpp"
#include "modular.hpp"
#include "vertex_cover.hpp"

#include <algorithm>

namespace kumitate {

// One coordinate, or an OverflowError.
static std::int32_t coordinate(PyObject *number) {
    const long value = PyLong_AsLong(number);
    if (value == -1 && PyErr_Occurred())
        throw nb::python_error();
    if (value != static_cast<std::int32_t>(value)) {
        PyErr_SetString(PyExc_OverflowError, "a coordinate beyond 32 bits");
        throw nb::python_error();
    }
    return static_cast<std::int32_t>(value);
}

static Cell cell_of(const nb::handle &cell) {
    PyObject *t = cell.ptr();
    if (!PyTuple_Check(t) || PyTuple_Size(t) != 4)
        throw nb::value_error("four integers a cell");
    return {coordinate(PyTuple_GetItem(t, 0)), coordinate(PyTuple_GetItem(t, 1)),
            coordinate(PyTuple_GetItem(t, 2)), coordinate(PyTuple_GetItem(t, 3))};
}

// The cells of a Python set, in order.
static std::vector<Cell> sorted_cells(const nb::handle &set) {
    std::vector<Cell> cells;
    for (const nb::handle cell : set)
        cells.push_back(cell_of(cell));
    std::sort(cells.begin(), cells.end());
    return cells;
}

static std::size_t number_of(const std::vector<Cell> &cells, Cell cell) {
    const auto at = std::lower_bound(cells.begin(), cells.end(), cell);
    if (at == cells.end() || *at != cell)
        throw nb::value_error("not one of the cells");
    return static_cast<std::size_t>(at - cells.begin());
}

// The colour of each cell; those that are not in the dictionary are neutral.
static std::vector<std::uint32_t> colours_of(const std::vector<Cell> &cells,
                                             const nb::dict &colours) {
    std::vector<std::uint32_t> found(cells.size(), 0);
    for (const auto &[cell, colour] : colours)
        found[number_of(cells, cell_of(cell))] = nb::cast<std::uint32_t>(colour) & 63;
    return found;
}

nb::class_<PreparedProblem, Searchable> bind_problem(nb::module_ &m) {
    nb::class_<Thorough>(m, "Thorough")
        .def(
            "stands_for_its_class",
            [](Thorough &self, const std::vector<std::uint32_t> &assembly) {
                const WithoutGil release;
                return self.stands_for_its_class(assembly);
            },
            nb::arg("assembly"));

    nb::class_<PreparedProblem, Searchable> problem(m, "Problem");
    problem
        .def(
            "__init__",
            [](PreparedProblem *self, const nb::handle &cells, const nb::handle &optional,
               const nb::dict &colours, const nb::dict &accepts, const Integers &turns,
               std::size_t tiles) {
                const std::vector<Cell> all = sorted_cells(cells);
                std::vector<std::uint32_t> labels = colours_of(all, colours);
                std::array<std::uint64_t, 64> accepted{};
                for (const auto &[colour, mask] : accepts)
                    accepted.at(nb::cast<std::size_t>(colour)) = nb::cast<std::uint64_t>(mask);
                std::vector<std::uint64_t> masks;
                for (std::uint32_t &label : labels) {
                    masks.push_back(accepted[label]);
                    label *= 2;
                }
                new (self) PreparedProblem;
                self->problem.optional.assign(all.size(), 0);
                for (const nb::handle cell : optional) {
                    const std::size_t at = number_of(all, cell_of(cell));
                    self->problem.optional[at] = 1;
                    ++labels[at];
                }
                self->problem.goal = make_goal(all, masks);
                self->problem.labels = std::move(labels);
                self->problem.turns = turns_of(turns, tiles);
                // As many reflections follow.
                self->problem.rotations =
                    static_cast<std::uint32_t>(self->problem.turns.size() / 2);
            },
            nb::arg("cells"), nb::arg("optional"), nb::arg("colours"), nb::arg("accepts"),
            nb::arg("turns"), nb::arg("tiles"))
        .def(
            "add_piece",
            [](PreparedProblem &self, const nb::handle &cells, const nb::dict &colours,
               std::uint32_t least, std::uint32_t most, bool may_be_copy) {
                const std::vector<Cell> shape = sorted_cells(cells);
                std::vector<std::uint64_t> kinds;
                for (std::uint32_t colour : colours_of(shape, colours))
                    kinds.push_back(std::uint64_t{1} << colour);
                return add_piece(self.problem, shape, kinds, least, most, may_be_copy);
            },
            nb::arg("cells"), nb::arg("colours"), nb::arg("least"), nb::arg("most"),
            nb::arg("may_be_copy"))
        .def("placements",
             [](const PreparedProblem &self) {
                 std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int32_t, std::int32_t,
                                        std::int32_t>>
                     rows;
                 for (std::size_t name = 0; name < self.problem.rules.piece.size(); ++name) {
                     const Way &way = self.problem.ways[name];
                     rows.emplace_back(self.problem.rules.piece[name],
                                       self.problem.turn[self.problem.orientation[name]],
                                       way.shift.x, way.shift.y, way.shift.z);
                 }
                 return rows;
             })
        .def(
            "fits",
            [](const PreparedProblem &self, std::uint32_t piece) {
                const auto &pieces = self.problem.rules.piece; // in order
                return std::binary_search(pieces.begin(), pieces.end(), piece);
            },
            nb::arg("piece"))
        .def(
            "covers",
            [](const PreparedProblem &self, std::uint32_t name) {
                return self.problem.ways.at(name).covers;
            },
            nb::arg("name"))
        .def(
            "pin",
            [](PreparedProblem &self, std::uint32_t name) {
                self.problem.ways.at(name); // or an IndexError
                self.problem.rules.pinned.push_back(name);
            },
            nb::arg("name"))
        .def(
            "forbid",
            [](PreparedProblem &self, std::uint32_t name) {
                self.problem.rules.forbidden.at(name) = 1;
            },
            nb::arg("name"))
        .def(
            "fault",
            [](const PreparedProblem &self, const std::vector<std::uint32_t> &names,
               std::uint64_t holes) { return fault_of(self.problem, names, holes); },
            nb::arg("names"), nb::arg("holes"))
        .def(
            "prepare",
            [](PreparedProblem &self, std::uint64_t holes, bool rotations, bool reflections,
               bool breaks, bool reduces) {
                const WithoutGil release;
                self.problem.holes = holes;
                std::shared_ptr<Symmetry> symmetry;
                std::vector<Breaker> choices;
                double gain = 1;
                if (rotations) {
                    symmetry = std::make_shared<Symmetry>(make_symmetry(self.problem, reflections));
                    if (breaks)
                        choices = breakers(self.problem, *symmetry);
                    gain = break_symmetry(choices, *symmetry);
                }
                Reduced made{make_cover(self.problem, symmetry.get()), true};
                // Dracula: 1,656 cells, 68 placements; what is left fits into the list core.
                if (reduces && made.cover.cells() > made.cover.placements())
                    made.possible = merge_cells(made.cover);
                if (reduces && made.possible &&
                    !look(made.cover, cost_of_reducing(made.cover)).over) {
                    made = reduce(made.cover);
                    if (!choices.empty() && made.possible && !look(made.cover, 10'000).over &&
                        break_symmetry_better(self.problem, choices, *symmetry))
                        made = reduce(make_cover(self.problem, symmetry.get()));
                }
                self.possible = made.possible;
                self.prepared = {std::make_shared<Cover>(with_holes(std::move(made.cover))),
                                 std::move(symmetry)};
                return gain;
            },
            nb::arg("holes"), nb::arg("rotations"), nb::arg("reflections"),
            nb::arg("breaks") = true, nb::arg("reduces") = true)
        .def("dimacs",
             [](const PreparedProblem &self) {
                 const WithoutGil release;
                 return dimacs(collisions(make_cover(self.problem, nullptr), false));
             })
        .def(
            "weights",
            [](const PreparedProblem &self, unsigned modulus) {
                const WithoutGil release;
                return weights_against(equations(make_cover(self.problem, nullptr)), modulus);
            },
            nb::arg("modulus"))
        .def("cover",
             [](const PreparedProblem &self) {
                 const Cover cover = make_cover(self.problem, nullptr);
                 std::vector<std::vector<std::uint32_t>> covers;
                 for (std::size_t i = 0; i < cover.placements(); ++i)
                     covers.emplace_back(cover.cells_of(i).begin(), cover.cells_of(i).end());
                 return nb::make_tuple(cover.optional, cover.least, cover.most, cover.piece,
                                       cover.name, covers);
             })
        .def(
            "thorough",
            [](const PreparedProblem &self, bool reflections) {
                return std::make_unique<Thorough>(self.problem, reflections);
            },
            nb::arg("reflections"), nb::keep_alive<0, 1>())
        .def_prop_ro("symmetries", [](const PreparedProblem &self) {
            const Symmetry *const its = self.prepared.symmetry.get();
            return 1 + (its ? its->safe.size() : 0);
        });
    return problem;
}

} // namespace kumitate
