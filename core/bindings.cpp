// kumitate._core: what Python sees of the core.

#include "bindings.hpp"
#include "contract.hpp"

#include <atomic>
#include <thread>

using namespace kumitate;

std::vector<Turn> kumitate::turns_of(const Integers &numbers, std::size_t tiles) {
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

namespace {

#ifdef KUMITATE_ALONE // where there is one thread, it has the lock

template <class F> auto return_to_python(F take_lock) {
    return take_lock();
}

void end_python() {}

#else

std::atomic<std::thread::id> ending;   // the thread that ends Python, once it does
std::atomic<std::size_t> returning{0}; // threads that are about to take Python's lock

template <class F> auto return_to_python(F take_lock) {
    ++returning;
    const std::thread::id by = ending;
    if (by != std::thread::id() && by != std::this_thread::get_id()) {
        --returning;
        while (true)
            std::this_thread::sleep_for(std::chrono::hours(1));
    }
    auto state = take_lock();
    --returning;
    return state;
}

// From now on no other thread takes the lock; those that wait for it get it first. (A fork may have
// copied a count that nobody lowers, so they have a second.)
void end_python() {
    ending = std::this_thread::get_id();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (returning != 0 && std::chrono::steady_clock::now() < deadline) {
        const WithoutGil release;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

#endif

} // namespace

WithoutGil::~WithoutGil() {
    return_to_python([this] {
        PyEval_RestoreThread(state_);
        return state_;
    });
}

WithGil::WithGil() : state_(return_to_python(PyGILState_Ensure)) {}

bool Patience::operator()(std::uint64_t states) {
    if (Clock::now() < next_)
        return true;
    next_ = Clock::now() + pause;
    const WithGil acquire;
    if (PyErr_CheckSignals() != 0)
        return false;
    if (tell_)
        (*tell_)(states);
    return true;
}

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

    nb::module_::import_("atexit").attr("register")(nb::cpp_function(end_python));

    bind_searches(m);
    auto problem = bind_problem(m);
    bind_searches_for_one(m, problem);
    bind_items(m);
    bind_found(m);
    bind_disassembler(m);
    bind_burr6(m);
    bind_sweeps(m);
    bind_climb(m);
}
