// kumiki._core: what Python sees of the core. The only file that includes nanobind.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "fit.hpp"

namespace nb = nanobind;
using kumiki::Cell;
using kumiki::Goal;
using kumiki::Shift;

using Integers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Masks = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Triple = std::tuple<std::int32_t, std::int32_t, std::int32_t>;

static_assert(sizeof(Cell) == 4 * sizeof(std::int32_t));

// Four integers a cell, one after the other.
static std::span<const Cell> cells_of(const Integers &numbers, const Masks &masks) {
    if (numbers.shape(0) != 4 * masks.shape(0))
        throw nb::value_error("there must be four integers and one mask for each cell");
    return {reinterpret_cast<const Cell *>(numbers.data()), masks.shape(0)};
}

static std::span<const std::uint64_t> masks_of(const Masks &masks) {
    return {masks.data(), masks.shape(0)};
}

NB_MODULE(_core, m) {
    nb::class_<Goal>(m, "Goal")
        .def(
            "__init__",
            [](Goal *self, const Integers &cells, const Masks &accepts) {
                new (self) Goal(make_goal(cells_of(cells, accepts), masks_of(accepts)));
            },
            nb::arg("cells"), nb::arg("accepts"))
        .def(
            "fits",
            [](const Goal &self, const Integers &piece, const Masks &kinds) {
                std::vector<Triple> found;
                for (const Shift &by : fits(self, cells_of(piece, kinds), masks_of(kinds)))
                    found.emplace_back(by.x, by.y, by.z);
                return found;
            },
            nb::arg("piece"), nb::arg("kinds"));
}
