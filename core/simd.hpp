// Vectors of bits: 8 words of 64 bits (AVX-512), 4 (AVX2, or NEON in two registers), or 2, which
// the compiler makes of what every 64-bit machine has.
//
// Only what the list core needs: bitwise operations, which lanes of two vectors share no bit, to
// unite or pack some lanes, and to halve a vector until one word is left. `Words` holds a word for
// each lane, `Halves` half a word, where that is cheaper than a whole one. The same source is
// compiled for each instruction set (cover_kernel.cpp).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#elif defined(KUMITATE_NEON)
#include <arm_neon.h>
#endif

#ifndef KUMITATE_ISA
#define KUMITATE_ISA plain
#endif

namespace kumitate::KUMITATE_ISA {

// The lower bit of a + b + c in each place, and the upper one.
template <class V> V sum(V a, V b, V c) {
    return a ^ b ^ c;
}
template <class V> V carry(V a, V b, V c) {
    return (a & b) | ((a ^ b) & c);
}

// Everything that is one vector `v` has its bitwise operations.
template <class V>
concept Vector = requires(V a) { a.v; };
template <Vector V> V operator&(V a, V b) {
    return {a.v & b.v};
}
template <Vector V> V operator|(V a, V b) {
    return {a.v | b.v};
}
template <Vector V> V operator^(V a, V b) {
    return {a.v ^ b.v};
}

struct Pair {
    typedef std::uint64_t Two __attribute__((vector_size(16)));
    Two v;
    std::uint64_t low() const { return v[0]; }
    std::uint64_t high() const { return v[1]; }
};

#if defined(__AVX512F__)

// For each mask of eight lanes the numbers of its lanes. Fetching lanes by these numbers packs a
// vector in half the time that compressing it takes on Zen 4.
struct LaneTable {
    alignas(8) std::uint8_t numbers[256][8];
    constexpr LaneTable() : numbers{} {
        for (int mask = 0; mask < 256; ++mask)
            for (int lane = 0, filled = 0; lane < 8; ++lane)
                if (mask >> lane & 1)
                    numbers[mask][filled++] = static_cast<std::uint8_t>(lane);
    }
};
inline constexpr LaneTable lane_table{};

inline __m128i numbers_of(unsigned lanes) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i *>(lane_table.numbers[lanes]));
}

struct Halves {
    using Word = std::uint32_t;
    __m256i v;
    static Halves all(std::uint64_t x) { return {_mm256_set1_epi32(static_cast<int>(x))}; }
    static Halves load(const Word *p) {
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p))};
    }
    void store(Word *to) const { _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), v); }
    // Among some lanes, those in which the two have no bit in common.
    unsigned apart(Halves other, unsigned among) const {
        return _mm256_mask_testn_epi32_mask(static_cast<__mmask8>(among), v, other.v);
    }
    // Take in some lanes of another vector.
    void unite(Halves other, unsigned lanes) {
        v = _mm256_mask_or_epi32(v, static_cast<__mmask8>(lanes), v, other.v);
    }
    // Store some lanes one after the other; may write all lanes.
    void pack(Word *to, unsigned lanes) const {
        const __m256i from = _mm256_cvtepu8_epi32(numbers_of(lanes));
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), _mm256_permutevar8x32_epi32(v, from));
    }
    Pair low() const { return {reinterpret_cast<Pair::Two>(_mm256_castsi256_si128(v))}; }
    Pair high() const { return {reinterpret_cast<Pair::Two>(_mm256_extracti128_si256(v, 1))}; }
    friend Halves sum(Halves a, Halves b, Halves c) {
        return {_mm256_ternarylogic_epi64(a.v, b.v, c.v, 0x96)};
    }
    friend Halves carry(Halves a, Halves b, Halves c) {
        return {_mm256_ternarylogic_epi64(a.v, b.v, c.v, 0xE8)};
    }
};

struct Words {
    using Word = std::uint64_t;
    static constexpr unsigned lanes = 8;
    static constexpr bool has_halves = true;
    __m512i v;
    static Words all(std::uint64_t x) { return {_mm512_set1_epi64(static_cast<long long>(x))}; }
    static Words load(const Word *p) { return {_mm512_loadu_si512(p)}; }
    void store(Word *to) const { _mm512_storeu_si512(to, v); }
    unsigned apart(Words other, unsigned among) const {
        return _mm512_mask_testn_epi64_mask(static_cast<__mmask8>(among), v, other.v);
    }
    void unite(Words other, unsigned lanes) {
        v = _mm512_mask_or_epi64(v, static_cast<__mmask8>(lanes), v, other.v);
    }
    void pack(Word *to, unsigned lanes) const {
        const __m512i from = _mm512_cvtepu8_epi64(numbers_of(lanes));
        _mm512_storeu_si512(to, _mm512_permutexvar_epi64(from, v));
    }
    Halves low() const { return {_mm512_castsi512_si256(v)}; }
    Halves high() const { return {_mm512_extracti64x4_epi64(v, 1)}; }
    friend Words sum(Words a, Words b, Words c) {
        return {_mm512_ternarylogic_epi64(a.v, b.v, c.v, 0x96)};
    }
    friend Words carry(Words a, Words b, Words c) {
        return {_mm512_ternarylogic_epi64(a.v, b.v, c.v, 0xE8)};
    }
};

// Store where some lanes are, the first being at `first`; may write all lanes.
inline void store_places(std::uint32_t *to, std::uint32_t first, unsigned lanes) {
    const __m256i places = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first)),
                                            _mm256_cvtepu8_epi32(numbers_of(lanes)));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), places);
}

// The lanes in which two rows of vectors have no bit in common.
template <std::size_t W> unsigned apart(const Words (&a)[W], const Words (&b)[W]) {
    unsigned found = 255;
    for (std::size_t w = 0; w < W; ++w)
        found = a[w].apart(b[w], found);
    return found;
}

#else

// For each mask of four lanes: where to fetch them from, in parts of a lane, the lanes as words of
// ones, and their numbers.
template <class Part> struct LaneTables {
    static constexpr unsigned parts = 8 / sizeof(Part);
    alignas(32) Part from[16][4 * parts];
    alignas(32) std::uint64_t ones[16][4];
    alignas(16) std::uint32_t numbers[16][4];
    constexpr LaneTables() : from{}, ones{}, numbers{} {
        for (unsigned mask = 0; mask < 16; ++mask)
            for (unsigned lane = 0, filled = 0; lane < 4; ++lane)
                if (mask >> lane & 1) {
                    for (unsigned i = 0; i < parts; ++i)
                        from[mask][parts * filled + i] = static_cast<Part>(parts * lane + i);
                    ones[mask][lane] = ~std::uint64_t{0};
                    numbers[mask][filled++] = lane;
                }
    }
};

#if defined(__AVX2__)

inline constexpr LaneTables<std::uint32_t> lane_tables{};

struct Words {
    using Word = std::uint64_t;
    static constexpr unsigned lanes = 4;
    static constexpr bool has_halves = false;
    __m256i v;
    static Words all(std::uint64_t x) { return {_mm256_set1_epi64x(static_cast<long long>(x))}; }
    static Words load(const Word *p) {
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p))};
    }
    void store(Word *to) const { _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), v); }
    unsigned zeros() const {
        const __m256i equal = _mm256_cmpeq_epi64(v, _mm256_setzero_si256());
        return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(equal)));
    }
    unsigned apart(Words other, unsigned among) const { return (*this & other).zeros() & among; }
    void unite(Words other, unsigned lanes) {
        const __m256i ones =
            _mm256_load_si256(reinterpret_cast<const __m256i *>(lane_tables.ones[lanes]));
        v = _mm256_or_si256(v, _mm256_and_si256(other.v, ones));
    }
    void pack(Word *to, unsigned lanes) const {
        const __m256i from =
            _mm256_load_si256(reinterpret_cast<const __m256i *>(lane_tables.from[lanes]));
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), _mm256_permutevar8x32_epi32(v, from));
    }
    Pair low() const { return {reinterpret_cast<Pair::Two>(_mm256_castsi256_si128(v))}; }
    Pair high() const { return {reinterpret_cast<Pair::Two>(_mm256_extracti128_si256(v, 1))}; }
};
inline void store_places(std::uint32_t *to, std::uint32_t first, unsigned lanes) {
    const __m128i numbers =
        _mm_load_si128(reinterpret_cast<const __m128i *>(lane_tables.numbers[lanes]));
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to),
                     _mm_add_epi32(_mm_set1_epi32(static_cast<int>(first)), numbers));
}

#elif defined(KUMITATE_NEON)

inline constexpr LaneTables<std::uint8_t> lane_tables{};

struct Words {
    using Word = std::uint64_t;
    static constexpr unsigned lanes = 4;
    static constexpr bool has_halves = false;
    uint64x2_t a, b;
    static Words all(std::uint64_t x) { return {vdupq_n_u64(x), vdupq_n_u64(x)}; }
    static Words load(const Word *p) { return {vld1q_u64(p), vld1q_u64(p + 2)}; }
    void store(Word *to) const {
        vst1q_u64(to, a);
        vst1q_u64(to + 2, b);
    }
    unsigned zeros() const {
        const uint32x4_t bits{1, 2, 4, 8};
        const uint32x4_t empty =
            vuzp1q_u32(vreinterpretq_u32_u64(vceqzq_u64(a)), vreinterpretq_u32_u64(vceqzq_u64(b)));
        return vaddvq_u32(vandq_u32(empty, bits));
    }
    unsigned apart(Words other, unsigned among) const { return (*this & other).zeros() & among; }
    void unite(Words other, unsigned lanes) {
        *this = *this | (other & load(lane_tables.ones[lanes]));
    }
    void pack(Word *to, unsigned lanes) const {
        const uint8x16x2_t bytes{{vreinterpretq_u8_u64(a), vreinterpretq_u8_u64(b)}};
        const std::uint8_t *const from = lane_tables.from[lanes];
        vst1q_u64(to, vreinterpretq_u64_u8(vqtbl2q_u8(bytes, vld1q_u8(from))));
        vst1q_u64(to + 2, vreinterpretq_u64_u8(vqtbl2q_u8(bytes, vld1q_u8(from + 16))));
    }
    Pair low() const { return {reinterpret_cast<Pair::Two>(a)}; }
    Pair high() const { return {reinterpret_cast<Pair::Two>(b)}; }
    friend Words operator&(Words x, Words y) { return {vandq_u64(x.a, y.a), vandq_u64(x.b, y.b)}; }
    friend Words operator|(Words x, Words y) { return {vorrq_u64(x.a, y.a), vorrq_u64(x.b, y.b)}; }
    friend Words operator^(Words x, Words y) { return {veorq_u64(x.a, y.a), veorq_u64(x.b, y.b)}; }
    friend Words carry(Words x, Words y, Words z) {
        const Words differ = x ^ y;
        return {vbslq_u64(differ.a, z.a, x.a), vbslq_u64(differ.b, z.b, x.b)};
    }
};

inline void store_places(std::uint32_t *to, std::uint32_t first, unsigned lanes) {
    vst1q_u32(to, vaddq_u32(vdupq_n_u32(first), vld1q_u32(lane_tables.numbers[lanes])));
}

#else

struct Words {
    using Word = std::uint64_t;
    static constexpr unsigned lanes = 2;
    static constexpr bool has_halves = false;
    Pair::Two v;
    static Words all(std::uint64_t x) { return {Pair::Two{x, x}}; }
    static Words load(const Word *p) { return {Pair::Two{p[0], p[1]}}; }
    void store(Word *to) const {
        to[0] = v[0];
        to[1] = v[1];
    }
    unsigned zeros() const { return unsigned{v[0] == 0} | unsigned{v[1] == 0} << 1; }
    unsigned apart(Words other, unsigned among) const { return (*this & other).zeros() & among; }
    void unite(Words other, unsigned lanes) {
        const Pair::Two bits{lanes & 1, lanes >> 1};
        v |= other.v & -bits;
    }
    void pack(Word *to, unsigned lanes) const {
        to[0] = v[0];
        to[lanes & 1] = v[1];
    }
    std::uint64_t low() const { return v[0]; }
    std::uint64_t high() const { return v[1]; }
};

inline void store_places(std::uint32_t *to, std::uint32_t first, unsigned lanes) {
    to[0] = first;
    to[lanes & 1] = first + 1;
}

#endif
#endif

// How many lanes some are. Without vectors a machine may lack an instruction that counts bits.
inline std::uint32_t count_lanes(unsigned some) {
    if constexpr (Words::lanes == 2)
        return (some & 1) + (some >> 1);
    else
        return static_cast<std::uint32_t>(std::popcount(some));
}

#if !defined(__AVX512F__)

using Halves = Words; // and never used

template <std::size_t W> unsigned apart(const Words (&a)[W], const Words (&b)[W]) {
    Words both = a[0] & b[0];
    for (std::size_t w = 1; w < W; ++w)
        both = both | (a[w] & b[w]);
    return both.zeros();
}

#endif

} // namespace kumitate::KUMITATE_ISA
