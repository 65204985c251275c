// The core's own tests, run under sanitizers: addresses and undefined behaviour, or threads.

#include "../cover.hpp"
#include "check.hpp"

static void with_every_instruction_set(void (*test)()) {
    const std::string best = kumitate::instruction_set();
    for (const auto &set : kumitate::instruction_sets())
        if (set.here) {
            kumitate::use_instruction_set(set.name);
            test();
        }
    kumitate::use_instruction_set(best);
}

#ifndef __SANITIZE_THREAD__ // what runs on one thread has no races
static void on_one_thread() {
    test_ground();
    test_placements();
    test_sets();
    with_every_instruction_set(test_cover);
    test_problem();
    test_sweep();
    test_burr6();
    test_frontier();
    with_every_instruction_set(test_items);
    test_modular();
    test_vertex_cover();
    test_restarts();
    test_routes();
    test_climb();
    test_contract();
    with_every_instruction_set(test_values);
    test_disassemble();
    test_turning();
}
#endif

static void on_several() {
    test_contract_on_threads();
    with_every_instruction_set(test_values_on_threads);
    test_disassemble_on_threads();
    test_turning_on_threads();
    test_parallel();
    test_threads();
}

int main() {
#ifndef __SANITIZE_THREAD__
    on_one_thread();
#endif
    on_several();
    std::printf("core: %d checks passed\n", checks);
}
