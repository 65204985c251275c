// The core's own tests, run under sanitizers: addresses and undefined behaviour, or threads.

#include "../cover.hpp"
#include "check.hpp"

int main() {
    const std::string best = kumitate::instruction_set();
    test_placements();
    test_sets();
    test_contract();
    for (const auto &set : kumitate::instruction_sets())
        if (set.here) {
            kumitate::use_instruction_set(set.name);
            test_cover();
        }
    kumitate::use_instruction_set(best);
    test_problem();
    test_disassemble();
    test_burr6();
    test_parallel();
    test_threads();
    test_frontier();
    test_modular();
    test_vertex_cover();
    test_restarts();
    std::printf("core: %d checks passed\n", checks);
}
