// Sets of pieces: a byte for up to 8, two for up to 16, four for up to 32, a word for up to 64,
// else many words.
#pragma once

#include "contract.hpp"
#include "hash.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace kumitate {

using Octet = std::uint8_t;
using Hex = std::uint16_t;
using Dozens = std::uint32_t;
using Few = std::uint64_t;
constexpr std::size_t most_pieces = 1024;

struct Many {
    std::array<std::uint64_t, most_pieces / 64> words{};
    friend bool operator==(const Many &, const Many &) = default;
    friend Many operator|(Many a, const Many &b) {
        for (std::size_t w = 0; w < a.words.size(); ++w)
            a.words[w] |= b.words[w];
        return a;
    }
    friend Many operator&(Many a, const Many &b) {
        for (std::size_t w = 0; w < a.words.size(); ++w)
            a.words[w] &= b.words[w];
        return a;
    }
    friend Many operator~(Many a) {
        for (std::uint64_t &word : a.words)
            word = ~word;
        return a;
    }
};

template <class Word> bool contains(Word set, std::size_t i) {
    return set >> i & 1;
}
inline bool contains(const Many &set, std::size_t i) {
    return contains(set.words[i / 64], i % 64);
}
template <class Word> void include(Word &set, std::size_t i) {
    KUMITATE_EXPECT(i < 8 * sizeof(Word), "a set has room for its members");
    set = static_cast<Word>(set | Word{1} << i);
}
inline void include(Many &set, std::size_t i) {
    include(set.words[i / 64], i % 64);
}
template <class Word> Word unite(Word a, Word b) {
    return static_cast<Word>(a | b);
}
inline Many unite(const Many &a, const Many &b) {
    return a | b;
}
template <class Word> Word without(Word a, Word b) {
    return static_cast<Word>(a & ~b);
}
inline Many without(const Many &a, const Many &b) {
    return a & ~b;
}
template <class Word> Word common(Word a, Word b) {
    return static_cast<Word>(a & b);
}
inline Many common(const Many &a, const Many &b) {
    return a & b;
}
template <class Set> bool empty(const Set &set) {
    return set == Set{};
}
template <class Word, class Visit> void each(Word set, Visit &&visit) {
    for (; set; set = static_cast<Word>(set & (set - 1)))
        visit(static_cast<std::size_t>(std::countr_zero(set)));
}
template <class Visit> void each(const Many &set, Visit &&visit) {
    for (std::size_t w = 0; w < set.words.size(); ++w)
        each(set.words[w], [&](std::size_t i) { visit(64 * w + i); });
}
template <class Word> std::size_t size(Word set) {
    return static_cast<std::size_t>(std::popcount(set));
}
inline std::size_t size(const Many &set) {
    std::size_t count = 0;
    for (std::uint64_t word : set.words)
        count += size(word);
    return count;
}
// A bit for each of the members from some number on, at least four of them.
template <class Word> std::uint64_t bits_from(Word set, std::size_t from) {
    return std::uint64_t{set} >> from;
}
inline std::uint64_t bits_from(const Many &set, std::size_t from) {
    const std::size_t word = from / 64, next = word + 1;
    const std::uint64_t more = from % 64 > 0 && next < set.words.size() ? set.words[next] : 0;
    return set.words[word] >> from % 64 | (from % 64 > 0 ? more << (64 - from % 64) : 0);
}
inline std::uint64_t hash_of(Few set) {
    return mix(no_words, set);
}
inline std::uint64_t hash_of(Hex set) {
    return hash_of(Few{set});
}
inline std::uint64_t hash_of(Dozens set) {
    return hash_of(Few{set});
}
inline std::uint64_t hash_of(const Many &set) {
    return hash_of(set.words);
}
template <class Set> Set singleton(std::size_t i) {
    Set set{};
    include(set, i);
    return set;
}

} // namespace kumitate
