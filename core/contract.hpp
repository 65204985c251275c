// What the core refuses, and what it takes for granted.
//
// A `Refusal` is for the user to fix: its message says what is wrong and the way out, and Python
// raises it as a PuzzleError. A broken contract is a fault of the core and becomes an
// AssertionError: an exception is better than a wrong answer. Every contract has a rule in words:
//
//     require(kept, "rule")             always checked: it costs next to nothing
//     KUMITATE_EXPECT(kept, "rule")     checked by the core's tests, under sanitizers (`make
//     core`);
//                                       not even evaluated in a release (NDEBUG)
//     broken("rule")                    a place that no call reaches
#pragma once

#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>

namespace kumitate {

struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Broken : std::logic_error {
    using std::logic_error::logic_error;
};

// Throws Broken, with the name of the function and the rule. Not inline: kernels must not define
// functions that other files share.
[[noreturn]] void broken(const char *rule,
                         std::source_location where = std::source_location::current());

inline void require(bool kept, const char *rule,
                    std::source_location where = std::source_location::current()) {
    if (!kept)
        broken(rule, where);
}

#ifdef NDEBUG
#define KUMITATE_EXPECT(kept, rule) static_cast<void>(0)
#else
#define KUMITATE_EXPECT(kept, rule) ((kept) ? static_cast<void>(0) : ::kumitate::broken(rule))
#endif

inline constexpr std::uint32_t none = 0xffffffff; // no number

// A number as 32 bits, the last of which is left for `none`; `what` is counted, in the plural.
std::uint32_t to_32_bits(std::uint64_t number, const char *what);

} // namespace kumitate
