// What compilers do differently: numbers of 128 bits, sums that are too large, memory that will be
// needed soon, lanes of vectors.
//
// GCC 11, Clang 15 and what is built on it (Apple's, zig, clang-cl on Windows) or newer, on
// 64-bit machines that store the low byte first. Microsoft's own compiler has no numbers of 128
// bits, and clang-cl does not link the functions that divide them or turn them into floating-point
// numbers: the core does neither.
#pragma once

#include <bit>
#include <cstdint>

#if !defined(__SIZEOF_INT128__)
#error "kumitate needs GCC 11 or Clang 15, or newer, for a 64-bit machine; on Windows use clang-cl"
#endif

namespace kumitate {

static_assert(std::endian::native == std::endian::little,
              "kumitate runs on little-endian machines only");

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

// Adds to a sum; true if it is too large for its type.
template <class Number> [[nodiscard]] bool add_overflows(Number &sum, Number more) {
    return __builtin_add_overflow(sum, more, &sum);
}

// The greatest whole number that is at most a / b, for b > 0, if that has 32 bits.
inline std::int32_t floor_quotient(Int128 a, Int128 b) {
    const auto a64 = static_cast<std::int64_t>(a), b64 = static_cast<std::int64_t>(b);
    if (a64 == a && b64 == b)
        return static_cast<std::int32_t>(a64 / b64 - (a64 % b64 < 0));
    std::int64_t low = INT32_MIN, high = std::int64_t{INT32_MAX} + 1;
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (middle * b <= a ? low : high) = middle;
    }
    return static_cast<std::int32_t>(low);
}

[[gnu::always_inline]] inline void prefetch(const void *address) {
    __builtin_prefetch(address);
}

// The lanes of a vector in the order 1 0 3 2 5 4 7 6.
template <class Vector> [[gnu::always_inline]] inline Vector with_neighbours_swapped(Vector v) {
    static_assert(sizeof v == 8 * sizeof v[0]);
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
#else // GCC 11
    return __builtin_shuffle(v, Vector{1, 0, 3, 2, 5, 4, 7, 6});
#endif
}

} // namespace kumitate
