// Exact cover of items by options, as Python asks for it.

#include "bindings.hpp"
#include "items.hpp"

namespace kumitate {

namespace {

struct PreparedItems final : Searchable {
    ItemProblem problem;

    void require_answers(std::span<const std::uint32_t> rows) const override {
        for (std::size_t at = 0; at < rows.size(); at += 1 + rows[at]) {
            require(rows[at] < rows.size() - at, "an answer is a length and so many options");
            const std::string fault = fault_of(problem, rows.subspan(at + 1, rows[at]));
            if (!fault.empty())
                throw Broken("a search found an invalid cover: " + fault);
        }
    }
    std::vector<Filling> fillings() const override { return kumitate::fillings(problem); }
};

std::vector<std::uint32_t> unsigned_of(const Integers &numbers) {
    const auto span = span_of(numbers);
    return {span.begin(), span.end()};
}

} // namespace

void bind_items(nb::module_ &m) {
    nb::class_<PreparedItems, Searchable>(m, "Items")
        .def(
            "__init__",
            [](PreparedItems *self, const Integers &least, const Integers &most,
               const Integers &starts, const Integers &items, const Integers &colours) {
                new (self) PreparedItems;
                self->problem = {unsigned_of(least), unsigned_of(most), unsigned_of(starts),
                                 unsigned_of(items), unsigned_of(colours)};
                const WithoutGil release;
                Reduced made = make_small_cover(self->problem);
                self->possible = made.possible;
                self->prepared.cover = std::make_shared<Cover>(std::move(made.cover));
            },
            nb::arg("least"), nb::arg("most"), nb::arg("starts"), nb::arg("items"),
            nb::arg("colours"))
        .def(
            "fault",
            [](const PreparedItems &self, const std::vector<std::uint32_t> &options) {
                return fault_of(self.problem, options);
            },
            nb::arg("options"));
}

} // namespace kumitate
