// Memory that runs out: every allocation of the tests goes through here, and one of those on other
// threads than the first can be made to fail.
#pragma once

// Let the n-th allocation from now on, on other threads than the first, throw bad_alloc; from 0.
void fail_allocation(long n);

// Whether it came to that; from then on none fails.
bool allocation_failed();
