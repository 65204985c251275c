// The core's own tests, run under sanitizers: addresses and undefined behaviour, or threads.

#include "../cover.hpp"
#include "check.hpp"

int main() {
    const std::string best = kumitate::instruction_set();
    test_fit();
    test_sets();
    test_contract();
    for (const auto &set : kumitate::instruction_sets())
        if (set.here) {
            kumitate::use_instruction_set(set.name);
            test_cover();
        }
    kumitate::use_instruction_set(best);
    test_question();
    test_apart();
    test_burr();
    test_run();
    test_threads();
    test_tally();
    test_modular();
    test_vertexcover();
    test_hunt();
    std::printf("core: %d checks passed\n", checks);
}
