// kumitate._core: what Python sees of the core. The only file that includes nanobind.
//
// Cells come as sets of tuples, (x, y, z, tile), or as arrays of integers, four a cell. Whatever
// may take long runs without the GIL.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

#include "burr6.hpp"
#include "contract.hpp"
#include "cover.hpp"
#include "disassemble.hpp"
#include "frontier.hpp"
#include "modular.hpp"
#include "parallel.hpp"
#include "placements.hpp"
#include "problem.hpp"
#include "restarts.hpp"
#include "threads.hpp"
#include "vertex_cover.hpp"

namespace nb = nanobind;
using namespace kumitate;

template <class T> using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Integers = Array<std::int32_t>;
using Masks = Array<std::uint64_t>;

static_assert(sizeof(Cell) == 4 * sizeof(std::int32_t));

template <class T> static std::span<const T> span_of(const Array<T> &array) {
    return {array.data(), array.shape(0)};
}

static std::span<const Cell> cells_of(const Integers &numbers) {
    if (numbers.shape(0) % 4 != 0)
        throw nb::value_error("four integers a cell");
    return {reinterpret_cast<const Cell *>(numbers.data()), numbers.shape(0) / 4};
}

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

// For each turn the matrix by rows, the divisor, and for each tile where it goes and its shift.
static std::vector<Turn> turns_of(const Integers &numbers, std::size_t tiles) {
    const std::size_t each = 10 + 4 * tiles;
    if (numbers.shape(0) % each != 0)
        throw nb::value_error("a turn needs 10 numbers and 4 for each tile");
    std::vector<Turn> turns;
    for (const std::int32_t *p = numbers.data(), *end = p + numbers.shape(0); p < end; p += each) {
        Turn turn{{}, p[9], {}, {}};
        std::copy(p, p + 9, turn.matrix.begin());
        for (const std::int32_t *t = p + 10; t < p + each; t += 4) {
            turn.onto.push_back(t[0]);
            turn.shifts.push_back({t[1], t[2], t[3]});
        }
        turns.push_back(std::move(turn));
    }
    return turns;
}

static nb::bytes bytes_of(const State &state) {
    std::vector<std::uint64_t> words{state.nodes, state.found, state.all, state.done};
    for (const Level &level : state.path)
        words.push_back(std::uint64_t{level.at} << 32 | level.end);
    return nb::bytes(reinterpret_cast<const char *>(words.data()), 8 * words.size());
}

static State state_of(const nb::bytes &bytes) {
    if (bytes.size() < 32 || bytes.size() % 8 != 0)
        throw nb::value_error("these bytes are no state of a search");
    std::vector<std::uint64_t> words(bytes.size() / 8);
    std::memcpy(words.data(), bytes.c_str(), bytes.size());
    State state{{}, words[0], words[1], words[2], words[3] != 0};
    for (std::size_t i = 4; i < words.size(); ++i)
        state.path.push_back(
            {static_cast<std::uint32_t>(words[i] >> 32), static_cast<std::uint32_t>(words[i])});
    if (state.done != state.path.empty())
        throw nb::value_error("these bytes are no state of a search");
    return state;
}

// A problem with its symmetry and its cover, once it is prepared.
struct PreparedProblem {
    Problem problem;
    std::optional<Symmetry> symmetry;
    Cover cover;
    bool possible = true;

    const Symmetry *symmetry_or_null() const { return symmetry ? &*symmetry : nullptr; }
};

using Names = std::vector<std::vector<std::uint32_t>>;

static Names names_of(const std::vector<std::uint32_t> &found) {
    Names assemblies;
    for (std::size_t at = 0; at < found.size(); at += 1 + found[at])
        assemblies.emplace_back(found.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                found.begin() + static_cast<std::ptrdiff_t>(at + 1 + found[at]));
    return assemblies;
}

// Assemblies as a table: a row for each, of the names in so many bytes each, little end first, and
// ones where an assembly has fewer names than the longest of them.
struct Packed {
    std::string bytes;
    std::size_t rows = 0, length = 0;
};

static Packed packed(const std::vector<std::uint32_t> &found, unsigned width) {
    Packed table;
    for (std::size_t at = 0; at < found.size(); at += 1 + found[at], ++table.rows)
        table.length = std::max<std::size_t>({table.length, found[at], 1});
    table.bytes.assign(table.rows * table.length * width, '\xff');
    char *row = table.bytes.data();
    for (std::size_t at = 0; at < found.size(); at += 1 + found[at], row += table.length * width)
        for (std::size_t i = 0; i < found[at]; ++i)
            for (unsigned byte = 0; byte < width; ++byte)
                row[i * width + byte] = static_cast<char>(found[at + 1 + i] >> 8 * byte);
    return table;
}

// A search that its owner drives: so many nodes at a time.
struct Slice {
    const Problem *problem;
    std::unique_ptr<Search> search;
};

static const std::atomic<bool> never{false};

// The fillings of a problem tallied one after the other.
struct FrontierCounts {
    std::vector<Filling> fillings;
    std::unique_ptr<FrontierCount> tally;
    std::vector<Total> totals;
    std::uint64_t states = 0;

    static constexpr std::size_t most_waiting = 1'000'000; // some 100 MB

    bool done() const { return !fillings.empty() && totals.size() == fillings.size(); }

    // Whether there is more to do: not once all are done, nor after giving one up.
    bool run(std::uint64_t some) {
        if (totals.size() == fillings.size())
            return false;
        if (!tally)
            tally = make_frontier_count(fillings[totals.size()], most_waiting);
        if (!tally)
            return false;
        states -= tally->states;
        const FrontierCount::Outcome outcome = tally->run(some);
        states += tally->states;
        if (outcome == FrontierCount::Outcome::done) {
            totals.push_back(tally->total);
            tally.reset();
        }
        return outcome != FrontierCount::Outcome::given_up && totals.size() < fillings.size();
    }
};

// A search for one assembly, and a local search, with what they search in.
struct Restarting {
    std::unique_ptr<RestartSearch> restart_search;
};
struct Local {
    Cover cover;
    std::unique_ptr<LocalSearch> search;
};

// By residue, step and tile: how many cells it passes through, and those.
static Sweeps sweeps_of(std::uint32_t tiles, std::int32_t parts, const Integers &steps,
                        const Integers &swept) {
    if (tiles < 1 || parts < 1 || parts > 32)
        throw nb::value_error("a tile at least, and 1 to 32 parts");
    Sweeps sweeps{tiles, parts, {}, {}};
    for (std::size_t i = 0; i + 2 < steps.shape(0); i += 3)
        sweeps.steps.push_back({steps.data()[i], steps.data()[i + 1], steps.data()[i + 2]});
    const std::int32_t *p = swept.data(), *end = p + swept.shape(0);
    while (p < end) {
        const auto cells = static_cast<std::size_t>(*p++);
        if (static_cast<std::size_t>(end - p) / 4 < cells)
            throw nb::value_error("fewer cells than a sweep says");
        sweeps.swept.emplace_back();
        for (std::size_t i = 0; i < cells; ++i, p += 4)
            sweeps.swept.back().push_back({p[0], p[1], p[2], p[3]});
    }
    const auto residues = static_cast<std::size_t>(parts) * static_cast<std::size_t>(parts) *
                          static_cast<std::size_t>(parts);
    if (sweeps.swept.size() != residues * sweeps.steps.size() * tiles || sweeps.steps.size() > 32)
        throw nb::value_error("a sweep for each residue, step (32 at most) and tile");
    return sweeps;
}

using Triple = std::tuple<std::int32_t, std::int32_t, std::int32_t>;

static std::vector<Triple> triples_of(const std::vector<Shift> &shifts) {
    std::vector<Triple> triples;
    for (const Shift &s : shifts)
        triples.emplace_back(s.x, s.y, s.z);
    return triples;
}

// For each placement the piece, the turn and the shift.
static std::vector<Spot> spots_of(const Integers &rows) {
    if (rows.shape(0) % 5 != 0)
        throw nb::value_error("five numbers a placement");
    std::vector<Spot> spots;
    for (const std::int32_t *p = rows.data(), *end = p + rows.shape(0); p < end; p += 5)
        spots.push_back({static_cast<std::uint32_t>(p[0]),
                         static_cast<std::uint32_t>(p[1]),
                         {p[2], p[3], p[4]}});
    return spots;
}

static nb::list moves_of(const std::vector<Slide> &slides) {
    nb::list moves;
    for (const Slide &move : slides)
        moves.append(nb::make_tuple(move.pieces, move.direction, move.units,
                                    move.each.empty() ? nb::list()
                                                      : nb::list(nb::cast(triples_of(move.each)))));
    return moves;
}

static nb::object tree_of(const Separation *separation) {
    if (!separation)
        return nb::none();
    return nb::make_tuple(moves_of(separation->moves), tree_of(separation->left.get()),
                          tree_of(separation->removed.get()));
}

static const char *word_for(Ending ending) {
    switch (ending) {
    case Ending::apart:
        return "apart";
    case Ending::rigid:
        return "rigid";
    case Ending::stuck:
        return "stuck";
    case Ending::limited:
        return "limit";
    case Ending::vast:
        return "vast";
    case Ending::crowded:
        return "crowded";
    case Ending::interrupted:
        break;
    }
    return "interrupted";
}

// Tells Python, 20 times a second, how many states were visited, and asks whether somebody pressed
// Ctrl-C. The GIL is not held.
class Patience {
  public:
    explicit Patience(const std::optional<nb::callable> &tell) : tell_(tell) {}

    bool operator()(std::uint64_t states) {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_)
            return true;
        next_ = now + std::chrono::milliseconds(50);
        const nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0)
            return false;
        if (tell_)
            (*tell_)(states);
        return true;
    }

  private:
    const std::optional<nb::callable> &tell_;
    std::chrono::steady_clock::time_point next_ =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
};

// What the core refuses is a user's slip.
static void translate(const std::exception_ptr &thrown, void *) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Refusal &refusal) {
        const nb::object type = nb::module_::import_("kumitate.model.errors").attr("PuzzleError");
        PyErr_SetString(type.ptr(), refusal.what());
    } catch (const Broken &broken) {
        PyErr_SetString(PyExc_AssertionError, broken.what());
    }
}

NB_MODULE(_core, m) {
    nb::register_exception_translator(translate);

    m.def("instruction_set", [] { return std::string(instruction_set()); });
    m.def("instruction_sets", [] {
        std::vector<std::string> here;
        for (const InstructionSet &set : instruction_sets())
            if (set.here)
                here.emplace_back(set.name);
        return here;
    });
    m.def("use_instruction_set", &use_instruction_set, nb::arg("name"));

    // Objects that threads still hold when Python ends are no fault of the binding.
    m.def("expect_leaks", [] { nb::set_leak_warnings(false); });

    nb::class_<Shares>(m, "Shares");

    nb::class_<Slice>(m, "Search")
        .def(
            "run",
            [](Slice &self, std::uint64_t nodes) {
                std::vector<std::uint32_t> found;
                {
                    const nb::gil_scoped_release release;
                    self.search->run(nodes, never, &found, ~std::size_t{0});
                }
                return names_of(found);
            },
            nb::arg("nodes"))
        .def(
            "run_packed",
            [](Slice &self, std::uint64_t nodes, std::size_t room, unsigned width) {
                if (width < 1 || width > 4)
                    throw nb::value_error("a name is packed in 1 to 4 bytes");
                Packed table;
                {
                    const nb::gil_scoped_release release;
                    std::vector<std::uint32_t> found;
                    self.search->run(nodes, never, &found, room);
                    require_assemblies(*self.problem, found);
                    table = packed(found, width);
                }
                return std::make_tuple(nb::bytes(table.bytes.data(), table.bytes.size()),
                                       table.rows, table.length);
            },
            nb::arg("nodes"), nb::arg("room"), nb::arg("width"))
        .def(
            "skim",
            [](Slice &self, std::uint64_t nodes) {
                const nb::gil_scoped_release release;
                self.search->run(nodes, never, nullptr, 0);
            },
            nb::arg("nodes"))
        .def("estimate",
             [](Slice &self) {
                 const nb::gil_scoped_release release;
                 return std::make_shared<Shares>(self.search->estimate(never));
             })
        .def(
            "weigh",
            [](Slice &self, std::shared_ptr<Shares> shares) {
                self.search->shares = std::move(shares);
            },
            nb::arg("shares"))
        .def("save", [](const Slice &self) { return bytes_of(self.search->position()); })
        .def(
            "load", [](Slice &self, const nb::bytes &bytes) { self.search->load(state_of(bytes)); },
            nb::arg("state"))
        .def("split",
             [](Slice &self) -> std::optional<nb::bytes> {
                 State other;
                 if (!self.search->split(other))
                     return std::nullopt;
                 return bytes_of(other);
             })
        .def_prop_ro("nodes", [](const Slice &self) { return self.search->position().nodes; })
        .def_prop_ro("found", [](const Slice &self) { return self.search->position().found; })
        .def_prop_ro("all", [](const Slice &self) { return self.search->position().all; })
        .def_prop_ro("done", [](const Slice &self) { return self.search->position().done; })
        .def_prop_ro("left", [](const Slice &self) { return self.search->left(); });

    nb::class_<ParallelSearch>(m, "ParallelSearch")
        .def(
            "read",
            [](ParallelSearch &self, unsigned milliseconds) {
                std::vector<std::uint32_t> found;
                bool over;
                {
                    const nb::gil_scoped_release release;
                    over = self.read(found, std::chrono::milliseconds(milliseconds));
                }
                return std::make_tuple(names_of(found), over);
            },
            nb::arg("milliseconds"))
        .def("report",
             [](ParallelSearch &self) {
                 const Report now = self.report();
                 return std::make_tuple(now.nodes, now.found, now.all, now.fraction);
             })
        .def("stop", &ParallelSearch::stop, nb::call_guard<nb::gil_scoped_release>());

    nb::class_<Disassembler>(m, "Disassembler")
        .def(
            "__init__",
            [](Disassembler *self, std::uint32_t tiles, std::int32_t parts, const Integers &steps,
               const Integers &swept, const Integers &turns) {
                new (self)
                    Disassembler(sweeps_of(tiles, parts, steps, swept), turns_of(turns, tiles));
            },
            nb::arg("tiles"), nb::arg("parts"), nb::arg("steps"), nb::arg("swept"),
            nb::arg("turns"))
        .def(
            "add_piece",
            [](Disassembler &self, const Integers &cells, std::int32_t weight,
               const Groups &groups) { self.add_piece(cells_of(cells), weight, groups); },
            nb::arg("cells"), nb::arg("weight"), nb::arg("groups"))
        .def(
            "take_apart",
            [](Disassembler &self, const Integers &rows, std::uint64_t states, std::uint32_t moves,
               unsigned threads, std::optional<nb::callable> rescue,
               std::optional<nb::callable> tell) {
                const std::vector<Spot> assembly = spots_of(rows);
                const auto ask = [&](const std::vector<std::uint32_t> &part,
                                     const std::vector<Shift> &places) {
                    const nb::gil_scoped_acquire acquire;
                    std::vector<Shift> velocities;
                    for (const auto &[x, y, z] :
                         nb::cast<std::vector<Triple>>((*rescue)(part, triples_of(places))))
                        velocities.push_back({x, y, z});
                    return velocities;
                };
                Attempt attempt;
                {
                    const nb::gil_scoped_release release;
                    Patience patience(tell);
                    attempt = self.take_apart(
                        assembly, {states, moves}, threads,
                        [&](std::uint64_t n) { return patience(n); },
                        rescue ? Rescue(ask) : Rescue());
                }
                if (attempt.ending == Ending::interrupted)
                    throw nb::python_error();
                // Most are where they were assembled, and nobody need be told so.
                const auto moved = [](const Shift &s) { return s != Shift{0, 0, 0}; };
                if (std::none_of(attempt.places.begin(), attempt.places.end(), moved))
                    attempt.places.clear();
                return nb::make_tuple(word_for(attempt.ending), tree_of(attempt.separation.get()),
                                      attempt.states, attempt.part, triples_of(attempt.places));
            },
            nb::arg("assembly"), nb::arg("states"), nb::arg("moves"), nb::arg("threads"),
            nb::arg("rescue") = nb::none(), nb::arg("tell") = nb::none())
        .def(
            "survey",
            [](Disassembler &self, const Integers &rows, const std::vector<std::uint32_t> &part,
               const std::vector<Triple> &places) -> std::optional<nb::list> {
                std::vector<Shift> shifts;
                for (const auto &[x, y, z] : places)
                    shifts.push_back({x, y, z});
                const auto found = self.survey(spots_of(rows), part, shifts);
                if (!found)
                    return std::nullopt;
                return moves_of(*found);
            },
            nb::arg("assembly"), nb::arg("part"), nb::arg("places"));

    nb::class_<BurrEnumeration>(m, "BurrEnumeration")
        .def(
            "__init__",
            [](BurrEnumeration *self, std::vector<FrameCell> home, std::vector<FrameCell> loose,
               std::vector<std::uint16_t> kinds, std::vector<std::vector<FrameCell>> turns,
               std::size_t rotations, bool solid) {
                new (self) BurrEnumeration({std::move(home), std::move(loose), std::move(kinds),
                                            std::move(turns), rotations},
                                           solid);
            },
            nb::arg("home"), nb::arg("loose"), nb::arg("kinds"), nb::arg("turns"),
            nb::arg("rotations"), nb::arg("solid"))
        .def_prop_ro("tasks", &BurrEnumeration::tasks)
        .def_prop_ro("places",
                     [](const BurrEnumeration &self) {
                         return std::vector<std::size_t>(self.places().begin(),
                                                         self.places().end());
                     })
        .def("sizes", &BurrEnumeration::sizes, nb::call_guard<nb::gil_scoped_release>())
        .def("count",
             [](const BurrEnumeration &self) {
                 const nb::gil_scoped_release release;
                 const auto [once, apart] = self.count();
                 return std::make_pair(once, apart);
             })
        .def(
            "run",
            [](const BurrEnumeration &self, const Array<std::uint32_t> &tasks, std::uint8_t least) {
                BurrCounts tally;
                std::vector<Kept> kept;
                bool done;
                {
                    const std::optional<nb::callable> empty;
                    const nb::gil_scoped_release release;
                    Patience patience(empty);
                    done =
                        self.run(span_of(tasks), tally, [&] { return patience(0); }, least, &kept);
                }
                if (!done)
                    throw nb::python_error();
                nb::list rows;
                for (const Kept &one : kept)
                    rows.append(nb::make_tuple(
                        std::vector<std::uint16_t>(one.kinds.begin(), one.kinds.end()), one.ending,
                        one.mirrored));
                return nb::make_tuple(
                    std::vector<std::uint64_t>(tally.once.begin(), tally.once.end()),
                    std::vector<std::uint64_t>(tally.mirrored.begin(), tally.mirrored.end()), rows);
            },
            nb::arg("tasks"), nb::arg("least"))
        .def(
            "ending",
            [](const BurrEnumeration &self, const std::vector<std::uint16_t> &kinds) {
                if (kinds.size() != six)
                    throw nb::value_error("six sticks");
                Kinds six_kinds;
                std::copy(kinds.begin(), kinds.end(), six_kinds.begin());
                return self.ending(six_kinds);
            },
            nb::arg("kinds"));

    nb::class_<FrontierCounts>(m, "FrontierCounts")
        .def(
            "run",
            [](FrontierCounts &self, std::uint64_t states) -> bool {
                const nb::gil_scoped_release release;
                return self.run(states);
            },
            nb::arg("states"))
        .def_prop_ro("states", [](const FrontierCounts &self) { return self.states; })
        .def_prop_ro("done", [](const FrontierCounts &self) { return self.done(); })
        .def_prop_ro("totals", [](const FrontierCounts &self) {
            // A total is wider than the integers that can be handed over.
            std::vector<std::pair<std::uint64_t, std::uint64_t>> halves;
            for (Total total : self.totals)
                halves.emplace_back(static_cast<std::uint64_t>(total >> 64),
                                    static_cast<std::uint64_t>(total));
            return halves;
        });

    nb::class_<Thorough>(m, "Thorough")
        .def(
            "stands_for_its_class",
            [](Thorough &self, const std::vector<std::uint32_t> &assembly) {
                const nb::gil_scoped_release release;
                return self.stands_for_its_class(assembly);
            },
            nb::arg("assembly"));

    nb::class_<Restarting>(m, "RestartSearch")
        .def(
            "run",
            [](Restarting &self, unsigned milliseconds) {
                const nb::gil_scoped_release release;
                return self.restart_search->run(std::chrono::milliseconds(milliseconds));
            },
            nb::arg("milliseconds"))
        .def_prop_ro("nodes", [](const Restarting &self) { return self.restart_search->nodes; })
        .def_prop_ro("restarts",
                     [](const Restarting &self) { return self.restart_search->restarts; })
        .def_prop_ro("names", [](const Restarting &self) { return self.restart_search->names; });
    nb::enum_<RestartSearch::Outcome>(m, "Outcome")
        .value("GOING", RestartSearch::Outcome::going)
        .value("FOUND", RestartSearch::Outcome::found)
        .value("NONE", RestartSearch::Outcome::none);

    nb::class_<Local>(m, "Local")
        .def(
            "run",
            [](Local &self, unsigned milliseconds, std::uint64_t wanted) {
                const nb::gil_scoped_release release;
                return self.search->run(std::chrono::milliseconds(milliseconds), wanted);
            },
            nb::arg("milliseconds"), nb::arg("wanted"))
        .def_prop_ro("best", [](const Local &self) { return self.search->best_weight(); })
        .def_prop_ro("steps", [](const Local &self) { return self.search->steps; })
        .def_prop_ro("size",
                     [](const Local &self) {
                         return std::make_tuple(self.search->graph().vertices(),
                                                self.search->graph().edges());
                     })
        .def_prop_ro("names", [](const Local &self) {
            std::vector<std::uint32_t> names;
            for (std::uint32_t v : self.search->best())
                names.push_back(self.cover.name[self.search->graph().placement[v]]);
            std::sort(names.begin(), names.end());
            return names;
        });

    nb::class_<PreparedProblem>(m, "Problem")
        .def(
            "__init__",
            [](PreparedProblem *self, const nb::handle &cells, const nb::handle &optional,
               const nb::dict &colours, const nb::dict &accepts, const Integers &turns,
               std::size_t tiles, std::uint32_t rotations) {
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
                self->problem.rotations = rotations;
            },
            nb::arg("cells"), nb::arg("optional"), nb::arg("colours"), nb::arg("accepts"),
            nb::arg("turns"), nb::arg("tiles"), nb::arg("rotations"))
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
            "covers",
            [](const PreparedProblem &self, std::uint32_t name) {
                return self.problem.ways.at(name).covers;
            },
            nb::arg("name"))
        .def(
            "pin",
            [](PreparedProblem &self, std::uint32_t name) {
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
                const nb::gil_scoped_release release;
                self.problem.holes = holes;
                self.symmetry.reset();
                double gain = 1;
                if (rotations) {
                    self.symmetry = make_symmetry(self.problem, reflections);
                    if (breaks)
                        gain = break_symmetry(self.problem, *self.symmetry);
                }
                self.cover = make_cover(self.problem, self.symmetry_or_null());
                if (reduces && worth_reducing(self.cover)) {
                    Reduced reduced = reduce(self.cover);
                    self.possible = reduced.possible;
                    self.cover = std::move(reduced.cover);
                }
                return gain;
            },
            nb::arg("holes"), nb::arg("rotations"), nb::arg("reflections"),
            nb::arg("breaks") = true, nb::arg("reduces") = true)
        .def(
            "restart_search",
            [](PreparedProblem &self, std::uint64_t holes, std::uint32_t seed) {
                prepare_to_throw();
                const nb::gil_scoped_release release;
                self.problem.holes = holes;
                return Restarting{make_restart_search(self.problem, seed)};
            },
            nb::arg("holes"), nb::arg("seed"), nb::keep_alive<0, 1>())
        .def(
            "local",
            [](const PreparedProblem &self, bool cells, std::uint32_t seed,
               std::uint64_t most_collisions) -> std::optional<Local> {
                prepare_to_throw();
                const nb::gil_scoped_release release;
                Local made{make_cover(self.problem, nullptr), {}};
                if (size_of_collisions(made.cover, true) > most_collisions)
                    return std::nullopt;
                Graph graph = collisions(made.cover, true);
                std::vector<std::uint32_t> weights;
                for (std::uint32_t i : graph.placement)
                    weights.push_back(
                        cells ? static_cast<std::uint32_t>(made.cover.cells_of(i).size()) : 1);
                made.search =
                    std::make_unique<LocalSearch>(std::move(graph), std::move(weights), seed);
                return made;
            },
            nb::arg("cells"), nb::arg("seed"), nb::arg("most_collisions"))
        .def("dimacs",
             [](const PreparedProblem &self) {
                 const nb::gil_scoped_release release;
                 return dimacs(collisions(make_cover(self.problem, nullptr), false));
             })
        .def(
            "weights",
            [](const PreparedProblem &self, unsigned modulus) {
                const nb::gil_scoped_release release;
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
        .def("frontier_counts",
             [](const PreparedProblem &self) {
                 return FrontierCounts{fillings(self.problem, self.symmetry_or_null()), {}, {}};
             })
        .def_prop_ro("symmetries",
                     [](const PreparedProblem &self) {
                         return 1 + (self.symmetry ? self.symmetry->safe.size() : 0);
                     })
        .def_prop_ro("size",
                     [](const PreparedProblem &self) {
                         return std::make_tuple(self.cover.cells(), self.cover.placements());
                     })
        .def_prop_ro("possible", [](const PreparedProblem &self) { return self.possible; })
        .def(
            "search",
            [](const PreparedProblem &self) {
                prepare_to_throw();
                return Slice{&self.problem, make_search(self.cover, self.symmetry_or_null())};
            },
            nb::keep_alive<0, 1>())
        .def(
            "run",
            [](const PreparedProblem &self, unsigned threads, bool keep, bool ordered) {
                std::vector<State> whole;
                if (self.possible)
                    whole.push_back(fresh_state());
                const nb::gil_scoped_release release;
                return std::make_unique<ParallelSearch>(self.cover, self.symmetry_or_null(),
                                                        std::move(whole), threads, keep, ordered);
            },
            nb::arg("threads"), nb::arg("keep"), nb::arg("ordered"), nb::keep_alive<0, 1>());
}
