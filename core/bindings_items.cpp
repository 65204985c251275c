// Exact cover of items by options, as Python asks for it.

#include "bindings.hpp"
#include "items.hpp"

namespace kumitate {

namespace {

struct PreparedItems final : Searchable {
    ItemProblem problem;

    void require_answers(std::span<const std::uint32_t> rows) const override {
        if (rows.empty())
            return;
        Judge judge(problem);
        for (std::size_t at = 0; at < rows.size(); at += 1 + rows[at]) {
            require(rows[at] < rows.size() - at, "an answer is a length and so many options");
            const std::string fault = judge.fault(rows.subspan(at + 1, rows[at]));
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

nb::object new_list(std::size_t length) {
    PyObject *const list = PyList_New(static_cast<Py_ssize_t>(length));
    if (!list)
        throw nb::python_error();
    return nb::steal(list);
}

void set(const nb::object &list, std::size_t at, nb::object value) {
    PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(at), value.release().ptr());
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
            "answers",
            [](const PreparedItems &, const nb::bytes &names, std::size_t rows, std::size_t length,
               const nb::list &labels) {
                const Rows table = rows_of(names, length, 4);
                require(table.rows() == rows, "a table has as many rows as it says");
                const std::vector<nb::handle> objects(labels.begin(), labels.end());
                std::vector<std::uint32_t> options;
                nb::object answers = new_list(rows);
                for (std::size_t row = 0; row < rows; ++row) {
                    table.read(row, options);
                    nb::object answer = new_list(options.size());
                    for (std::size_t i = 0; i < options.size(); ++i)
                        set(answer, i, nb::borrow(objects.at(options[i])));
                    set(answers, row, std::move(answer));
                }
                return answers;
            },
            nb::arg("names"), nb::arg("rows"), nb::arg("length"), nb::arg("labels"))
        .def(
            "fault",
            [](const PreparedItems &self, const std::vector<std::uint32_t> &options) {
                return Judge(self.problem).fault(options);
            },
            nb::arg("options"));
}

} // namespace kumitate
