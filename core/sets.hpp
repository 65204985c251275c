// Sets of pieces: a byte for up to 8, a word for up to 64, else many words.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace kumitate {

using Octet = std::uint8_t;
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
inline std::size_t size(const auto &set) {
    std::size_t count = 0;
    each(set, [&](std::size_t) { ++count; });
    return count;
}
inline std::uint64_t hash(std::uint64_t set) {
    set *= 0x9e3779b97f4a7c15u;
    return set ^ set >> 32;
}
inline std::uint64_t hash(const Many &set) {
    std::uint64_t sum = 0;
    for (std::uint64_t word : set.words)
        sum = hash(sum ^ word);
    return sum;
}
template <class Set> Set singleton(std::size_t i) {
    Set set{};
    include(set, i);
    return set;
}

} // namespace kumitate
