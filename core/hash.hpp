// The only hash of the core: multiply, then fold.
//
// The multiplication carries every bit of a word up to the top bits; folding brings those down, so
// that the next multiplication spreads them again. The top half of a hash is therefore the good
// one, and tables take their slots from there (table.hpp). Hashes are never stored on disk and
// never decide an order, so nothing else depends on the constants.
#pragma once

#include <cstdint>

namespace kumitate {

inline constexpr std::uint64_t no_words = 0x9e3779b97f4a7c15u; // the hash of nothing

constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

template <class Words> constexpr std::uint64_t hash_of(const Words &words) {
    std::uint64_t hash = no_words;
    for (std::uint64_t word : words)
        hash = mix(hash, word);
    return hash;
}

} // namespace kumitate
