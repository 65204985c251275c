// Vectors of 64-bit words, as wide as the machine has them: 8 lanes (AVX-512), 4 (AVX2) or 1.
//
// Only what the list core needs: bitwise operations, "which lanes are zero", keep or pack the lanes
// named by a mask, and turning the lanes round so that a fold of log2(lanes) steps combines them.
// The same source is compiled for each instruction set (cover_kernel.cpp); elsewhere one lane does.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#ifndef KUMITATE_ISA
#define KUMITATE_ISA plain
#endif

namespace kumitate::KUMITATE_ISA {

#if defined(__AVX512F__)

struct Words {
    static constexpr unsigned lanes = 8;
    __m512i v;
    static Words zero() { return {_mm512_setzero_si512()}; }
    static Words all(std::uint64_t x) { return {_mm512_set1_epi64(static_cast<long long>(x))}; }
    static Words load(const std::uint64_t *p) { return {_mm512_loadu_si512(p)}; }
    // A bit for each lane that is zero, among those of `among`.
    unsigned zeros(unsigned among) const {
        return _mm512_mask_testn_epi64_mask(static_cast<__mmask8>(among), v, v);
    }
    bool empty() const { return _mm512_test_epi64_mask(v, v) == 0; }
    Words keep(unsigned mask) const {
        return {_mm512_maskz_mov_epi64(static_cast<__mmask8>(mask), v)};
    }
    // Store the lanes of the mask one after the other; may write all lanes.
    void pack(std::uint64_t *to, unsigned mask) const {
        _mm512_storeu_si512(to, _mm512_maskz_compress_epi64(static_cast<__mmask8>(mask), v));
    }
    template <unsigned by> Words turned() const {
        if constexpr (by == 4)
            return {_mm512_shuffle_i64x2(v, v, 0x4E)};
        else if constexpr (by == 2)
            return {_mm512_shuffle_i64x2(v, v, 0xB1)};
        else
            return {_mm512_shuffle_epi32(v, static_cast<_MM_PERM_ENUM>(0x4E))};
    }
    std::uint64_t first() const {
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm512_castsi512_si128(v)));
    }
    friend Words operator&(Words a, Words b) { return {_mm512_and_si512(a.v, b.v)}; }
    friend Words operator|(Words a, Words b) { return {_mm512_or_si512(a.v, b.v)}; }
    friend Words operator^(Words a, Words b) { return {_mm512_xor_si512(a.v, b.v)}; }
};

#elif defined(__AVX2__)

// For each mask of four lanes, where vpermd must fetch the eight halves from.
struct PackTable {
    alignas(32) std::int32_t from[16][8];
    constexpr PackTable() : from{} {
        for (int mask = 0; mask < 16; ++mask) {
            int filled = 0;
            for (int lane = 0; lane < 4; ++lane)
                if (mask >> lane & 1) {
                    from[mask][2 * filled] = 2 * lane;
                    from[mask][2 * filled + 1] = 2 * lane + 1;
                    ++filled;
                }
        }
    }
};
inline constexpr PackTable pack_table{};

struct Words {
    static constexpr unsigned lanes = 4;
    __m256i v;
    static Words zero() { return {_mm256_setzero_si256()}; }
    static Words all(std::uint64_t x) { return {_mm256_set1_epi64x(static_cast<long long>(x))}; }
    static Words load(const std::uint64_t *p) {
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p))};
    }
    unsigned zeros(unsigned among) const {
        const __m256i equal = _mm256_cmpeq_epi64(v, _mm256_setzero_si256());
        return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(equal))) & among;
    }
    bool empty() const { return _mm256_testz_si256(v, v) != 0; }
    Words keep(unsigned mask) const {
        const __m256i bits = _mm256_set_epi64x(8, 4, 2, 1);
        const __m256i chosen = _mm256_and_si256(_mm256_set1_epi64x(mask), bits);
        return {_mm256_and_si256(v, _mm256_cmpeq_epi64(chosen, bits))};
    }
    void pack(std::uint64_t *to, unsigned mask) const {
        const __m256i from =
            _mm256_load_si256(reinterpret_cast<const __m256i *>(pack_table.from[mask]));
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), _mm256_permutevar8x32_epi32(v, from));
    }
    template <unsigned by> Words turned() const {
        if constexpr (by == 2)
            return {_mm256_permute4x64_epi64(v, 0x4E)};
        else
            return {_mm256_shuffle_epi32(v, 0x4E)};
    }
    std::uint64_t first() const {
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_castsi256_si128(v)));
    }
    friend Words operator&(Words a, Words b) { return {_mm256_and_si256(a.v, b.v)}; }
    friend Words operator|(Words a, Words b) { return {_mm256_or_si256(a.v, b.v)}; }
    friend Words operator^(Words a, Words b) { return {_mm256_xor_si256(a.v, b.v)}; }
};

#else

struct Words {
    static constexpr unsigned lanes = 1;
    std::uint64_t v;
    static Words zero() { return {0}; }
    static Words all(std::uint64_t x) { return {x}; }
    static Words load(const std::uint64_t *p) { return {*p}; }
    unsigned zeros(unsigned among) const { return (v == 0) & among; }
    bool empty() const { return v == 0; }
    Words keep(unsigned mask) const { return {v & -static_cast<std::uint64_t>(mask)}; }
    void pack(std::uint64_t *to, unsigned) const { *to = v; }
    template <unsigned by> Words turned() const { return *this; }
    std::uint64_t first() const { return v; }
    friend Words operator&(Words a, Words b) { return {a.v & b.v}; }
    friend Words operator|(Words a, Words b) { return {a.v | b.v}; }
    friend Words operator^(Words a, Words b) { return {a.v ^ b.v}; }
};

#endif

// The first `count` lanes of a vector, all if there are more.
inline unsigned first_lanes(std::size_t count) {
    return count >= Words::lanes ? (1u << Words::lanes) - 1 : (1u << count) - 1;
}

} // namespace kumitate::KUMITATE_ISA
