// One search on several threads: the same assemblies, in the same order.

#include "../parallel.hpp"
#include "check.hpp"
#include "puzzles.hpp"

using namespace kumitate;
using std::chrono::milliseconds;

static std::vector<std::uint32_t> all_of(const Cover &cover, unsigned threads, bool ordered) {
    ParallelSearch run(cover, nullptr, {{make_search(cover, nullptr)->position(), {}}}, threads,
                       true, ordered);
    std::vector<std::uint32_t> out;
    double fraction = 0;
    while (!run.read(out, milliseconds(20))) {
        const double now = run.report().fraction;
        expect(now >= fraction && now < 1, "the fraction only grows");
        fraction = now;
    }
    expect(run.report().done, "it says that it is done");
    return out;
}

static void any_number_of_threads_gives_the_same_stream() {
    const Cover cover = dominoes(22); // 28657 coverings
    const auto one = all_of(cover, 1, true);
    expect(assemblies_in(one).size() == 28657, "a Fibonacci number of coverings");
    expect(all_of(cover, 2, true) == one, "two threads, same order");
    expect(all_of(cover, 8, true) == one, "eight threads, same order");
    expect(assemblies_in(all_of(cover, 4, false)) == assemblies_in(one), "in any order, the same");
}

static void a_run_can_be_stopped_at_any_time() {
    const Cover cover = dominoes(40);
    for (int round = 0; round < 20; ++round) {
        ParallelSearch run(cover, nullptr, {{make_search(cover, nullptr)->position(), {}}}, 3, true,
                           round % 2 == 0);
        std::vector<std::uint32_t> out;
        run.read(out, milliseconds(round % 3));
        const auto before = std::chrono::steady_clock::now();
        run.stop();
        expect(std::chrono::steady_clock::now() - before < milliseconds(1000), "it stops soon");
    }
}

static void counting_needs_no_reader() {
    const Cover cover = dominoes(24);
    ParallelSearch run(cover, nullptr, {{make_search(cover, nullptr)->position(), {}}}, 2, false,
                       true);
    std::vector<std::uint32_t> out;
    while (!run.read(out, milliseconds(50))) {
    }
    expect(out.empty() && run.report().found == 75025, "75025 counted");
}

// The rest of a paused run, read after it, whatever the number of threads of either.
static void a_paused_run_goes_on_elsewhere() {
    const Cover cover = dominoes(20);
    const auto whole = all_of(cover, 1, true);
    for (unsigned round = 0; round < 12; ++round) {
        std::vector<Part> parts{{fresh_state(), {}}};
        std::vector<std::uint32_t> out;
        for (unsigned pause = 0; !parts.empty(); ++pause) {
            ParallelSearch run(cover, nullptr, std::move(parts), 1 + (round + pause) % 3, true,
                               true);
            run.read(out, milliseconds(pause % 2));
            parts = pause < 5 ? run.pause() : std::vector<Part>{};
            while (pause == 5 && !run.read(out, milliseconds(20))) {
            }
        }
        expect(out == whole, "nothing is lost, nothing comes twice");
    }
}

void test_parallel() {
    a_paused_run_goes_on_elsewhere();
    any_number_of_threads_gives_the_same_stream();
    a_run_can_be_stopped_at_any_time();
    counting_needs_no_reader();
}
