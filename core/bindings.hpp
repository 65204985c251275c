// What the files of the bindings share: how arrays come in, a problem with what is made of it, and
// how long calls listen to Ctrl-C. Only files named bindings* know Python.
//
// Cells come as sets of tuples, (x, y, z, tile), or as arrays of integers, four a cell. Whatever
// may take long runs without the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <map>
#include <optional>

#include "disassemble.hpp"
#include "frontier.hpp"
#include "symmetry.hpp"

namespace nb = nanobind;

namespace kumitate {

template <class T> using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Integers = Array<std::int32_t>;

template <class T> std::span<const T> span_of(const Array<T> &array) {
    return {array.data(), array.shape(0)};
}

// For each turn the matrix by rows, the divisor, and for each tile where it goes and its shift.
std::vector<Turn> turns_of(const Integers &numbers, std::size_t tiles);

// Four integers a cell.
std::span<const Cell> cells_of(const Integers &numbers);

// By residue, step and tile: how many cells it passes through, and those.
Sweeps sweeps_of(std::uint32_t tiles, std::int32_t parts, const Integers &steps,
                 const Integers &swept);

// For each placement the piece, the turn and the shift.
std::vector<Spot> spots_of(const Integers &rows);

// What a search needs as long as it lives.
struct Prepared {
    std::shared_ptr<const Cover> cover = std::make_shared<Cover>();
    std::shared_ptr<const Symmetry> symmetry; // may be null
};

// What can be searched. Preparing it again makes another cover, so searches that are under way keep
// theirs.
struct Searchable {
    Prepared prepared;
    bool possible = true;

    virtual ~Searchable() = default;
    // Throws if something that a search wrote is no answer.
    virtual void require_answers(std::span<const std::uint32_t> rows) const = 0;
    // What to tally, for each symmetry; empty if tallying cannot count the answers.
    virtual std::vector<Filling> fillings() const = 0;
};

// A problem with its symmetry.
struct PreparedProblem final : Searchable {
    Problem problem;

    void require_answers(std::span<const std::uint32_t> rows) const override {
        require_assemblies(problem, rows);
    }
    std::vector<Filling> fillings() const override {
        return kumitate::fillings(problem, prepared.symmetry.get());
    }
};

// Without Python's lock as long as it lives.
//
// A thread that asks for the lock while Python ends is unwound by Python up to 3.13, through
// destructors, and that aborts the process. Here it sleeps until the process is gone, as from 3.14.
class WithoutGil {
  public:
    WithoutGil() : state_(PyEval_SaveThread()) {}
    ~WithoutGil();
    WithoutGil(const WithoutGil &) = delete;
    WithoutGil &operator=(const WithoutGil &) = delete;

  private:
    PyThreadState *state_;
};

// With it again, inside the other.
class WithGil {
  public:
    WithGil();
    ~WithGil() { PyGILState_Release(state_); }
    WithGil(const WithGil &) = delete;
    WithGil &operator=(const WithGil &) = delete;

  private:
    PyGILState_STATE state_;
};

// Reports to Python, 20 times a second, how many states were visited, and asks whether Ctrl-C was
// pressed: false if so, or if the callback raised. The GIL is not held.
class Patience {
  public:
    explicit Patience(const std::optional<nb::callable> &tell) : tell_(tell) {}
    bool operator()(std::uint64_t states);

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds pause{50};
    const std::optional<nb::callable> &tell_;
    Clock::time_point next_ = Clock::now() + pause;
};

// Assemblies as a table: a row for each, of names of `width` bytes, little end first, and ones
// where an assembly has fewer names than the longest of them.
struct Rows {
    std::string_view bytes; // somebody else's
    std::size_t length;
    unsigned width;

    std::size_t rows() const { return bytes.size() / (length * width); }
    void read(std::size_t row, std::vector<std::uint32_t> &names) const;
};
Rows rows_of(const nb::bytes &bytes, std::size_t length, unsigned width);

// What a search wrote as a table, for Python: the bytes, the rows and the length.
nb::object packed(const Searchable &asked, std::vector<std::uint32_t> found, unsigned width);

// Deals the placements of an assembly out to the pieces of the puzzle. To a search, pieces of one
// shape are one kind; which of them a placement belongs to is settled by the pins and by the order
// in which a kind's pieces get theirs.
class Dealer {
  public:
    // How a piece lies where a turned one of its kind does: the turn and the shift to add, for
    // those that are not the first of their kind, by kind, number in it and turn.
    using Turned = std::map<std::array<std::uint32_t, 3>, std::pair<std::uint32_t, Shift>>;

    // Pieces: those of each kind. Order: for each kind the numbers in it of those that get its next
    // placements. Pinned: names with the number of the piece that must lie there.
    Dealer(const Problem &problem, const std::vector<std::vector<std::uint32_t>> &pieces,
           const Turned &turned, std::vector<std::vector<std::uint32_t>> order,
           const std::vector<std::pair<std::uint32_t, std::uint32_t>> &pinned);

    // The places of an assembly's pieces, in the order of their spots.
    void deal(std::span<const std::uint32_t> names, std::vector<std::uint32_t> &places) const;

    std::vector<Spot> spots;        // for each place: by name, and for each piece of its kind
    std::vector<std::string> texts; // the same as JSON, once they are needed

  private:
    std::vector<std::uint32_t> kinds_, pinned_; // for each name
    std::vector<std::uint32_t> starts_;         // for each name the first of its places
    std::vector<std::vector<std::uint32_t>> order_;
};

// Each makes its classes known to Python; searches are made by methods of the problem.
void bind_searches(nb::module_ &m);
nb::class_<PreparedProblem, Searchable> bind_problem(nb::module_ &m);
void bind_searches_for_one(nb::module_ &m, nb::class_<PreparedProblem, Searchable> &problem);
void bind_items(nb::module_ &m);
void bind_found(nb::module_ &m);
void bind_disassembler(nb::module_ &m);
void bind_burr6(nb::module_ &m);
void bind_sweeps(nb::module_ &m);
void bind_climb(nb::module_ &m);

} // namespace kumitate
