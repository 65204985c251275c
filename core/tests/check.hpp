// The smallest test harness: count what is expected, stop at the first that is not so.
#pragma once

#include <cstdio>
#include <cstdlib>

inline int checks = 0;

inline void expect(bool truth, const char *what) {
    ++checks;
    if (!truth) {
        std::printf("failed: %s\n", what);
        std::exit(1);
    }
}

void test_ground();
void test_values();
void test_values_on_threads();
void test_placements();
void test_cover();
void test_sweep();
void test_disassemble();
void test_disassemble_on_threads();
void test_burr6();
void test_parallel();
void test_threads();
void test_contract();
void test_contract_on_threads();
void test_sets();
void test_problem();
void test_frontier();
void test_items();
void test_modular();
void test_vertex_cover();
void test_restarts();
void test_turning();
void test_turning_on_threads();
void test_routes();
void test_climb();
