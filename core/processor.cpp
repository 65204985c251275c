#include "processor.hpp"

#if defined(__x86_64__)

#include <cpuid.h>
#include <cstdint>
#include <initializer_list>

namespace kumitate {

namespace {

constexpr std::uint32_t bits(std::initializer_list<int> places) {
    std::uint32_t all = 0;
    for (const int place : places)
        all |= std::uint32_t{1} << place;
    return all;
}

// The features of the psABI's levels, by the register in which CPUID reports them.
constexpr std::uint32_t v3_leaf1 = bits({0, 9, 12, 13, 19, 20, 22, 23, 27, 28, 29}); // ecx
constexpr std::uint32_t v3_leaf7 = bits({3, 5, 8});                                  // ebx
constexpr std::uint32_t v3_extended = bits({0, 5});                                  // ecx
constexpr std::uint32_t v4_leaf7 = bits({16, 17, 28, 30, 31});                       // ebx
constexpr std::uint32_t v3_saved = bits({1, 2});                                     // XCR0
constexpr std::uint32_t v4_saved = bits({5, 6, 7});

struct Processor {
    std::uint32_t leaf1 = 0, leaf7 = 0, extended = 0, saved = 0;

    Processor() {
        std::uint32_t a, b, c, d;
        if (__get_cpuid(1, &a, &b, &c, &d))
            leaf1 = c;
        if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
            leaf7 = b;
        if (__get_cpuid(0x80000001, &a, &b, &c, &d))
            extended = c;
        if ((leaf1 & bits({27})) != 0) // XGETBV may be used
            __asm__ volatile("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
    }
};

constexpr bool has(std::uint32_t some, std::uint32_t all) {
    return (some & all) == all;
}

const Processor &here() {
    static const Processor processor;
    return processor;
}

} // namespace

bool has_v3() {
    const Processor &p = here();
    return has(p.leaf1, v3_leaf1) && has(p.leaf7, v3_leaf7) && has(p.extended, v3_extended) &&
           has(p.saved, v3_saved);
}

bool has_v4() {
    return has_v3() && has(here().leaf7, v4_leaf7) && has(here().saved, v4_saved);
}

} // namespace kumitate

#endif
