// Exact cover of items by options, as Python asks for it: its objects come in, and go out again in
// the answers; in between they are numbers.
//
// Whatever is asked of an object (its items, its hash, whether it equals another, how it prints)
// may run code of its own, which may raise, or change what is being read. So collections are copied
// before their items are looked at, and every object is held while it is used.

#include "bindings.hpp"
#include "items.hpp"

#include <algorithm>
#include <unordered_map>

namespace kumitate {

namespace {

constexpr std::uint32_t unlimited = (1u << 31) - 1; // no item is covered more often

struct PreparedItems final : Searchable {
    ItemProblem problem;
    std::optional<std::vector<std::uint32_t>> answers; // where the first look found them all

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

    void prepare() {
        Start start = start_on(problem);
        possible = start.possible;
        prepared.cover = std::make_shared<Cover>(std::move(start.cover));
        answers = std::move(start.answers);
        if (answers)
            require_answers(*answers);
    }
};

// ---- Python's objects ----

// What Python returned; throws what it raised instead.
nb::object checked(PyObject *made) {
    if (!made)
        throw nb::python_error();
    return nb::steal(made);
}

bool checked(int answer) {
    if (answer < 0)
        throw nb::python_error();
    return answer != 0;
}

// Raises a PuzzleError. In the message, %R is how an object prints, %S its text.
template <class... Objects>
[[noreturn]] void refuse(const char *message, const Objects &...objects) {
    const nb::object text = checked(PyUnicode_FromFormat(message, objects.ptr()...));
    const nb::object type = nb::module_::import_("kumitate.model.errors").attr("PuzzleError");
    PyErr_SetObject(type.ptr(), text.ptr());
    throw nb::python_error();
}

// How an object prints, but for what is too long.
nb::object brief(nb::handle object) {
    const nb::object text = checked(PyObject_Repr(object.ptr()));
    if (PyUnicode_GetLength(text.ptr()) <= 60)
        return text;
    const nb::object start = checked(PyUnicode_Substring(text.ptr(), 0, 57));
    return checked(PyUnicode_FromFormat("%U...", start.ptr()));
}

// Does something in which a TypeError means that an object is not of the kind that is wanted.
template <class Do, class Refuse> void expecting(Do what, Refuse otherwise) {
    try {
        what();
    } catch (nb::python_error &error) {
        if (!error.matches(PyExc_TypeError))
            throw;
        otherwise(error.value());
    }
}

std::size_t length(const nb::object &tuple) {
    return static_cast<std::size_t>(PyTuple_Size(tuple.ptr()));
}

nb::object item_of(const nb::object &tuple, std::size_t at) {
    return nb::borrow(PyTuple_GetItem(tuple.ptr(), static_cast<Py_ssize_t>(at)));
}

bool is_mapping(nb::handle object) {
    if (PyList_CheckExact(object.ptr()) || PyTuple_CheckExact(object.ptr()))
        return false;
    if (PyDict_Check(object.ptr()))
        return true;
    const nb::object mapping = nb::module_::import_("collections.abc").attr("Mapping");
    return checked(PyObject_IsInstance(object.ptr(), mapping.ptr()));
}

// Numbers for objects, in the order in which they come.
class Numbers {
  public:
    std::uint32_t find(const nb::object &object) const {
        PyObject *const number = PyDict_GetItemWithError(dict_.ptr(), object.ptr());
        if (!number && PyErr_Occurred())
            throw nb::python_error();
        return number ? static_cast<std::uint32_t>(PyLong_AsUnsignedLong(number)) : none;
    }
    std::uint32_t add(const nb::object &object) {
        const nb::object number = checked(PyLong_FromUnsignedLong(count_));
        checked(PyDict_SetItem(dict_.ptr(), object.ptr(), number.ptr()));
        return count_++;
    }

  private:
    nb::dict dict_;
    std::uint32_t count_ = 0;
};

// ---- questions ----

// Items get their numbers in this order: those in `primary`, those of each option, and those in
// `times` that nobody covers and somebody should.
class Reader {
  public:
    ItemProblem problem;
    nb::list labels; // of the options

    Reader(nb::handle primary, nb::handle secondary, nb::handle times)
        : strict_(!primary.is_none()) {
        bound_all(secondary, "secondary", {0, 1, true});
        const nb::object first = bound_all(primary, "primary", {1, 1, false});
        if (!times.is_none()) {
            if (!is_mapping(times))
                refuse("times %U: it must be a dictionary of items", brief(times));
            const nb::object timed = checked(PySequence_Tuple(times.ptr()));
            for (std::size_t i = 0; i < length(timed); ++i) {
                const nb::object item = item_of(timed, i);
                const Bounds its =
                    bounds_in(item, checked(PyObject_GetItem(times.ptr(), item.ptr())));
                bound(item, its);
                if (its.least > 0)
                    needed_.push_back(item);
            }
        }
        for (std::size_t i = 0; i < length(first); ++i)
            number(item_of(first, i));
    }

    void read(nb::handle options) {
        named_ = is_mapping(options);
        nb::object each = nb::borrow(options), next;
        if (named_) {
            labels = nb::list(checked(PySequence_List(options.ptr())));
            each = options.attr("values")();
        }
        expecting([&] { each = checked(PyObject_GetIter(each.ptr())); },
                  [&](nb::handle) {
                      refuse("options %U: it must be a collection of options", brief(options));
                  });
        while ((!named_ || problem.options() < nb::len(labels)) &&
               (next = nb::steal(PyIter_Next(each.ptr()))).is_valid()) {
            add(next);
            if (problem.options() % often == 0)
                checked(PyErr_CheckSignals());
        }
        if (PyErr_Occurred())
            throw nb::python_error();
        for (std::size_t option = 0; !named_ && option < problem.options(); ++option)
            labels.append(option);
        checked(PyList_SetSlice(labels.ptr(), static_cast<Py_ssize_t>(problem.options()),
                                PyList_Size(labels.ptr()), nullptr));
        for (const nb::object &item : needed_)
            number(item);
    }

  private:
    struct Bounds {
        std::uint32_t least, most;
        bool secondary;
    };

    static constexpr std::size_t often = 4096; // options, between two looks whether to go on

    bool strict_, named_ = false;
    Numbers bound_of_, number_of_;
    std::vector<Bounds> bounds_;
    std::vector<std::uint8_t> secondary_;                 // for each item
    std::vector<std::size_t> last_;                       // for each item: its last option, from 1
    std::unordered_map<std::uint32_t, Numbers> palettes_; // for each item that has colours
    std::vector<nb::object> needed_;                      // of those in `times`
    nb::object unknown_;                                  // an item that should not be there

    nb::object bound_all(nb::handle items, const char *what, Bounds its) {
        nb::object copy = nb::make_tuple();
        if (items.is_none())
            return copy;
        expecting(
            [&] {
                copy = checked(PySequence_Tuple(items.ptr()));
                for (std::size_t i = 0; i < length(copy); ++i)
                    bound(item_of(copy, i), its);
            },
            [&](nb::handle error) {
                refuse("%U %U: it must be a collection of items (%S)", nb::str(what), brief(items),
                       error);
            });
        return copy;
    }

    void bound(const nb::object &item, Bounds its) {
        const std::uint32_t known = bound_of_.find(item);
        if (known == none) {
            bound_of_.add(item);
            bounds_.push_back(its);
            return;
        }
        if (bounds_[known].secondary && !its.secondary)
            refuse("item %R is secondary and also primary or in times; it can be one of them",
                   item);
        bounds_[known] = its;
    }

    static Bounds bounds_in(const nb::object &item, const nb::object &times) {
        const bool pair = PyTuple_Check(times.ptr()) && length(times) == 2;
        const nb::object low = pair ? item_of(times, 0) : times;
        const nb::object high = pair ? item_of(times, 1) : times;
        const auto number = [&](const nb::object &some) {
            int beyond = 0; // what 64 bits can hold, and on which side
            const bool whole = PyLong_Check(some.ptr()) && !PyBool_Check(some.ptr());
            const long long its = whole ? PyLong_AsLongLongAndOverflow(some.ptr(), &beyond) : -1;
            if (beyond < 0 || (beyond == 0 && its < 0))
                refuse("times of item %R: %R; it must be a whole number, or a pair of them: the "
                       "fewest and the most",
                       item, times);
            return beyond || its > unlimited ? unlimited : static_cast<std::uint32_t>(its);
        };
        const Bounds its{number(low), number(high), false};
        if (checked(PyObject_RichCompareBool(low.ptr(), high.ptr(), Py_GT)))
            refuse("times of item %R: the range %S..%S is empty", item, low, high);
        return its;
    }

    std::uint32_t number(const nb::object &item) {
        const std::uint32_t known = number_of_.find(item);
        if (known != none)
            return known;
        const std::uint32_t at = bounds_.empty() ? none : bound_of_.find(item);
        const auto [least, most, secondary] = at == none ? Bounds{1, 1, false} : bounds_[at];
        if (strict_ && at == none && !unknown_.is_valid())
            unknown_ = item;
        problem.least.push_back(least);
        problem.most.push_back(most);
        secondary_.push_back(secondary);
        last_.push_back(0);
        return number_of_.add(item);
    }

    nb::object name() const {
        const std::size_t option = problem.options();
        return named_ ? nb::object(labels[option]) : nb::object(nb::int_(option));
    }

    void add(const nb::object &option) {
        const std::size_t begin = problem.items.size();
        nb::object mine;
        bool twice = false;
        expecting(
            [&] {
                mine = checked(PySequence_Tuple(option.ptr()));
                for (std::size_t i = 0; i < length(mine); ++i) {
                    const std::uint32_t item = number(item_of(mine, i));
                    twice = twice || last_[item] == problem.starts.size();
                    last_[item] = problem.starts.size();
                    problem.items.push_back(item);
                }
                problem.colours.resize(problem.items.size(), 0);
                if (is_mapping(option))
                    colour(option, mine);
            },
            [&](nb::handle error) {
                refuse("option %R is %U: an option is a collection of items, and an item anything "
                       "that can be the key of a dictionary (%S)",
                       name(), brief(option), error);
            });
        if (length(mine) == 0)
            refuse("option %R is empty: it could be chosen or not, whatever else is; leave it out",
                   name());
        const std::span items = std::span(problem.items).subspan(begin);
        for (std::size_t i = 0; twice && i < items.size(); ++i)
            if (std::count(items.begin(), items.end(), items[i]) > 1)
                refuse("option %R has item %R twice; list each item once", name(),
                       item_of(mine, i));
        if (unknown_.is_valid())
            refuse("option %R has item %R, which is neither in primary nor in secondary nor in "
                   "times",
                   name(), unknown_);
        problem.starts.push_back(to_32_bits(problem.items.size(), "items of options"));
    }

    // Its last items are those of the option.
    void colour(const nb::object &option, const nb::object &mine) {
        const std::size_t begin = problem.items.size() - length(mine);
        for (std::size_t i = 0; i < length(mine); ++i) {
            const nb::object item = item_of(mine, i);
            const nb::object its = checked(PyObject_GetItem(option.ptr(), item.ptr()));
            if (its.is_none())
                continue;
            const std::uint32_t number = problem.items[begin + i];
            if (!secondary_[number])
                refuse("option %R colours item %R, but only secondary items have colours; list it "
                       "in secondary, or give it None for a colour",
                       name(), item);
            Numbers &palette = palettes_[number];
            const std::uint32_t known = palette.find(its);
            problem.colours[begin + i] = 1 + (known == none ? palette.add(its) : known);
        }
    }
};

// ---- answers ----

nb::object new_list(std::size_t length) {
    return checked(PyList_New(static_cast<Py_ssize_t>(length)));
}

void set(const nb::object &list, std::size_t at, nb::object value) {
    PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(at), value.release().ptr());
}

nb::object labelled(std::span<const std::uint32_t> options, const nb::list &labels) {
    nb::object answer = new_list(options.size());
    for (std::size_t i = 0; i < options.size(); ++i) {
        PyObject *const label = PyList_GetItem(labels.ptr(), options[i]);
        if (!label)
            throw nb::python_error();
        set(answer, i, nb::borrow(label));
    }
    return answer;
}

// Everything that is asked, as bytes: the same for the same question.
nb::bytes bytes_of(const ItemProblem &problem) {
    const auto &[least, most, starts, items, colours] = problem;
    std::string bytes;
    for (const auto *numbers : {&least, &most, &starts, &items, &colours}) {
        const std::uint64_t size = numbers->size();
        bytes.append(reinterpret_cast<const char *>(&size), sizeof size);
    }
    for (const auto *numbers : {&least, &most, &starts, &items, &colours})
        bytes.append(reinterpret_cast<const char *>(numbers->data()), 4 * numbers->size());
    return nb::bytes(bytes.data(), bytes.size());
}

} // namespace

void bind_items(nb::module_ &m) {
    nb::class_<PreparedItems, Searchable>(m, "Items")
        .def_prop_ro("items", [](const PreparedItems &self) { return self.problem.least.size(); })
        .def_prop_ro("question", [](const PreparedItems &self) { return bytes_of(self.problem); })
        .def(
            "known_answers",
            [](const PreparedItems &self, const nb::list &labels) -> std::optional<nb::list> {
                if (!self.answers)
                    return std::nullopt;
                const std::span found(*self.answers);
                nb::list answers;
                for (std::size_t at = 0; at < found.size(); at += 1 + found[at])
                    answers.append(labelled(found.subspan(at + 1, found[at]), labels));
                return answers;
            },
            nb::arg("labels"))
        .def(
            "answers",
            [](const PreparedItems &, const nb::bytes &names, std::size_t rows, std::size_t length,
               const nb::list &labels) {
                const Rows table = rows_of(names, length, 4);
                require(table.rows() == rows, "a table has as many rows as it says");
                std::vector<std::uint32_t> options;
                nb::object answers = new_list(rows);
                for (std::size_t row = 0; row < rows; ++row) {
                    table.read(row, options);
                    set(answers, row, labelled(options, labels));
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

    // What is asked, and the names of its options.
    m.def(
        "read_items",
        [](const nb::object &options, const nb::object &primary, const nb::object &secondary,
           const nb::object &times) {
            Reader reader(primary, secondary, times);
            reader.read(options);
            auto items = std::make_unique<PreparedItems>();
            items->problem = std::move(reader.problem);
            {
                const WithoutGil release;
                items->prepare();
            }
            return std::pair(std::move(items), std::move(reader.labels));
        },
        nb::arg("options").none(), nb::arg("primary").none(), nb::arg("secondary").none(),
        nb::arg("times").none());
}

} // namespace kumitate
