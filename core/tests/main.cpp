// The core's own tests, run under sanitizers: addresses and undefined behaviour, or threads.

#include "check.hpp"

int main() {
    test_fit();
    test_cover();
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
