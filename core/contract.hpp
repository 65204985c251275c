// What the core refuses, and what it takes for granted.
//
// A `Refusal` is the caller's to mend: its message says what is wrong and the way out, and Python
// raises it as a PuzzleError. A broken contract is a fault of the core, and an AssertionError:
// better an exception than a wrong answer, so the checks that cost nothing are always on; costly
// ones are plain asserts, which `make core` runs under sanitizers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
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

inline void require(bool kept, const char *rule,
                    std::source_location where = std::source_location::current()) {
    if (!kept)
        throw Broken(std::string(where.function_name()) + ": " + rule);
}

// A number as 32 bits, the last of which is left for `none`; `what` is counted, in the plural.
inline std::uint32_t to_32_bits(std::uint64_t number, const char *what) {
    if (number >= std::numeric_limits<std::uint32_t>::max())
        throw Refusal("too large: there is room for 4,294,967,294 " + std::string(what));
    return static_cast<std::uint32_t>(number);
}

} // namespace kumitate
