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

void test_fit();
void test_cover();
void test_apart();
void test_burr();
void test_run();
void test_threads();
void test_contract();
void test_sets();
void test_question();
void test_tally();
void test_modular();
void test_vertexcover();
void test_hunt();
