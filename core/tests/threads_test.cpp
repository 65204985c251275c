// What a thread throws, the caller gets: wherever memory runs out on a thread of an assembly, a
// search or a disassembly, it ends with bad_alloc; or, if the caller had its answer by then,
// rightly.

#include "../contract.hpp"
#include "../disassemble.hpp"
#include "../parallel.hpp"
#include "../restarts.hpp"
#include "../threads.hpp"
#include "allocations.hpp"
#include "check.hpp"
#include "puzzles.hpp"

#include <new>
#include <string>

using namespace kumitate;
using std::chrono::milliseconds;

// Run something with each allocation on its threads failing in turn, more and more of them between
// two tries, until it gets through. It says whether its answer is right.
template <class Try> static void runs_out_of_memory(const char *what, Try &&attempt) {
    int thrown = 0;
    for (long n = 0;; n += 1 + n / 8) {
        fail_allocation(n);
        bool right = true, threw = false;
        try {
            right = attempt();
        } catch (const std::bad_alloc &) {
            threw = true;
        }
        const bool failed = allocation_failed();
        expect(right, what);
        expect(failed || !threw, "nothing is thrown without reason");
        thrown += threw;
        if (!failed)
            break;
    }
    expect(thrown > 10, what);
}

static std::size_t count(const Cover &cover, unsigned threads) {
    ParallelSearch run(cover, nullptr, {{fresh_state(), {}}}, threads, true, true);
    std::vector<std::uint32_t> out;
    while (!run.read(out, milliseconds(20))) {
    }
    return assemblies_in(out).size();
}

static void an_assembly_runs_out_of_memory() {
    const Cover cover = dominoes(16); // so many that one thread is not done before it is started
    for (const unsigned threads : {1u, 3u})
        runs_out_of_memory("assembly: bad_alloc reaches the reader",
                           [&] { return count(cover, threads) == 1597; });
}

// Run something on a thread, so that each of its allocations may fail.
template <class Do> static void on_a_thread(Do &&what) {
    Threads threads;
    threads.start(1, [&](std::size_t) { what(); });
    threads.join();
    threads.rethrow();
}

static void an_assembly_without_a_thread_runs_out_of_memory() {
    const Cover cover = dominoes(12);
    runs_out_of_memory("short assembly: bad_alloc reaches the caller", [&] {
        std::size_t found = 0;
        on_a_thread([&] { found = count(cover, 1); });
        return found == 233;
    });
}

static void a_disassembly_runs_out_of_memory() {
    const auto pieces = tray(5, 6, 29); // so many that threads share a depth of some hundred states
    const Attempt alone = take_apart(pieces, 1, {3000, 1000});
    runs_out_of_memory("disassembly: bad_alloc reaches the caller", [&] {
        const Attempt attempt = take_apart(pieces, 3, {3000, 1000});
        return attempt.ending == Ending::limited && attempt.states == alone.states;
    });
}

// Searches with restarts have no threads of their own: the caller has.
static void a_restart_search_runs_out_of_memory() {
    const Cover cover = chessboard(6);
    runs_out_of_memory("restarts: bad_alloc reaches the caller", [&] {
        RestartSearch::Outcome outcome = RestartSearch::Outcome::going;
        on_a_thread([&] {
            RestartSearch restart_search(cover, [&] { return cover; }, 1);
            while (outcome == RestartSearch::Outcome::going)
                outcome = restart_search.run(milliseconds(10));
        });
        return outcome == RestartSearch::Outcome::none;
    });
}

static void the_first_exception_is_thrown_and_all_are_joined() {
    for (std::size_t who = 0; who < 4; ++who) {
        std::atomic<int> over{0};
        std::string said;
        try {
            in_parallel(4, [&](std::size_t me) {
                ++over;
                if (me == who)
                    throw std::runtime_error("thread " + std::to_string(me));
            });
        } catch (const std::runtime_error &error) {
            said = error.what();
        }
        expect(over == 4, "all have run");
        expect(said == "thread " + std::to_string(who), "the one that threw is heard");
    }
}

static void a_throwing_callback_ends_a_disassembly_on_threads() {
    struct Enough {};
    Disassembler apart = cubes();
    const std::vector<Spot> assembly = add_pieces(apart, tray(5, 6, 29));
    bool caught = false;
    try {
        apart.take_apart(assembly, {3000, 1000}, 3, [](std::uint64_t states) -> bool {
            if (states > 1500)
                throw Enough{};
            return true;
        });
    } catch (Enough) {
        caught = true;
    }
    expect(caught, "the callback's exception comes through");
    const Attempt again =
        apart.take_apart(assembly, {3000, 1000}, 3, [](std::uint64_t) { return true; });
    expect(again.ending == Ending::limited, "and the same pieces can be asked about again");
}

static void as_many_threads_as_make_sense() {
    const Cover cover = dominoes(4);
    for (const unsigned threads : {0u, 257u, 0xffffffffu}) {
        std::string said;
        try {
            ParallelSearch run(cover, nullptr, {{fresh_state(), {}}}, threads, true, true);
        } catch (const Refusal &refusal) {
            said = refusal.what();
        }
        expect(said == "threads: " + std::to_string(threads) + "; there can be 1 to 256",
               "refused");
        said.clear();
        try {
            take_apart(tray(2, 2, 2), threads);
        } catch (const Refusal &refusal) {
            said = refusal.what();
        }
        expect(said == "threads: " + std::to_string(threads) + "; there can be 1 to 256",
               "refused");
    }
}

void test_threads() {
    the_first_exception_is_thrown_and_all_are_joined();
    as_many_threads_as_make_sense();
    an_assembly_runs_out_of_memory();
    an_assembly_without_a_thread_runs_out_of_memory();
    a_disassembly_runs_out_of_memory();
    a_restart_search_runs_out_of_memory();
    a_throwing_callback_ends_a_disassembly_on_threads();
}
