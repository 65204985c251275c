// Which pieces push which along a step, directly and in the end.
//
// A piece that moves takes along all that stand in its way, and those what stands in theirs: the
// transitive closure of a relation. Up to 8 pieces the whole relation is one word, up to 16 it is
// four, up to 32 sixteen:
//
//     | row 0: what piece 0 pushes | row 1 | row 2 | ...     as many bits as a set has
#pragma once

#include "sets.hpp"
#include "table.hpp"

#include <algorithm>
#include <cstring>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace kumitate {

template <class Set>
concept Small = sizeof(Set) <= 4;

// For each piece the set that moves if it does, and for which of them that is not too many.
template <class Set> struct Closure {
    std::vector<Set> of;
    Set small{};
};
template <Small Set> struct Closure<Set> {
    std::array<Set, 8 * sizeof(Set)> of;
    Set small = 0;
};

// A bit for each of 64 bytes that is at most so much; none of them has its top bit set.
inline std::uint64_t at_most(const std::uint8_t *bytes, unsigned most) {
    std::uint64_t bits = 0;
#ifdef __SSE2__
    const __m128i limit = _mm_set1_epi8(static_cast<char>(most));
    for (unsigned i = 0; i < 64; i += 16) {
        const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes + i));
        const int more = _mm_movemask_epi8(_mm_cmpgt_epi8(some, limit));
        bits |= std::uint64_t{static_cast<std::uint16_t>(~more)} << i;
    }
#else
    constexpr std::uint64_t ones = 0x0101010101010101u;
    for (unsigned i = 0; i < 64; i += 8) {
        std::uint64_t some = 0;
        for (unsigned k = 0; k < 8; ++k)
            some |= std::uint64_t{bytes[i + k]} << 8 * k;
        const std::uint64_t tops = ((most | 0x80) * ones - some) >> 7 & ones;
        bits |= (tops * 0x0102040810204080u >> 56) << i;
    }
#endif
    return bits;
}

template <class Set> class Pushes {
  public:
    explicit Pushes(std::size_t n) : rows_(n) {}
    friend bool operator==(const Pushes &, const Pushes &) = default;

    const Set &row(std::size_t pusher) const { return rows_[pusher]; }
    void add(std::size_t pusher, std::size_t pushed, bool does) {
        if (does)
            include(rows_[pusher], pushed);
    }
    // How those of a part push each other.
    void forget(const Set &part) {
        each(part, [&](std::size_t i) { rows_[i] = without(rows_[i], part); });
    }

    // Those that push within this many units, from the gaps of all in rows of `stride`.
    template <class Gap> void load(const Gap *gaps, std::size_t stride, unsigned units) {
        for (std::size_t i = 0; i < rows_.size(); ++i, gaps += stride)
            if constexpr (sizeof(Set) == 8 && sizeof(Gap) == 1)
                rows_[i] = at_most(gaps, units);
            else {
                rows_[i] = Set{};
                for (std::size_t j = 0; j < rows_.size(); ++j)
                    if (gaps[j] <= units)
                        include(rows_[i], j);
            }
    }

    // Only those of a part among each other.
    Pushes within(const Set &part) const {
        Pushes some(rows_.size());
        each(part, [&](std::size_t i) { some.rows_[i] = common(rows_[i], part); });
        return some;
    }

    void close(std::size_t most, Closure<Set> &forth, Closure<Set> &back) const {
        close(rows_, most, forth);
        std::vector<Set> columns(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i)
            each(rows_[i], [&](std::size_t j) { include(columns[j], i); });
        close(columns, most, back);
    }

  private:
    std::vector<Set> rows_;

    static void close(const std::vector<Set> &rows, std::size_t most, Closure<Set> &closure) {
        closure.of.resize(rows.size());
        closure.small = Set{};
        Set large{}; // a piece that pushes one of these pushes too many
        for (std::size_t piece = 0; piece < rows.size(); ++piece) {
            Set set = singleton<Set>(piece), fresh = without(rows[piece], set);
            std::size_t count = 1;
            while (!empty(fresh) && empty(common(fresh, large)) && count <= most) {
                Set more{};
                each(fresh, [&](std::size_t i) { more = unite(more, rows[i]), ++count; });
                set = unite(set, fresh);
                fresh = without(more, set);
            }
            include(empty(fresh) && count <= most ? closure.small : large, piece);
            closure.of[piece] = set;
        }
    }
};

template <Small Set> class Pushes<Set> {
    static constexpr std::size_t width = 8 * sizeof(Set), count = width * width / 64; // words

  public:
    explicit Pushes(std::size_t n)
        : n_(n), used_((n * width + 63) / 64), padded_((used_ + 1) / 2 * 2 * rows) {
        require(n <= width, "a set has a bit for every piece");
    }
    friend bool operator==(const Pushes &a, const Pushes &b) { // no call of memcmp
        std::uint64_t differ = 0;
        for (std::size_t w = 0; w < count; ++w)
            differ |= a.words_[w] ^ b.words_[w];
        return differ == 0;
    }

    Set row(std::size_t pusher) const { return row_of(words_, pusher); }
    void add(std::size_t pusher, std::size_t pushed, bool does) {
        const std::size_t bit = pusher * width + pushed;
        words_[bit / 64] |= std::uint64_t{does} << bit % 64;
    }
    void forget(Set part) {
        each(part, [&](std::size_t i) {
            words_[i * width / 64] &= ~(std::uint64_t{part} << i * width % 64);
        });
    }

    void load(const std::uint8_t *gaps, std::size_t, unsigned units) {
        for (std::size_t w = 0; w < used_; ++w)
            words_[w] = at_most(gaps + 64 * w, units);
    }

    Pushes within(Set part) const {
        Pushes some(n_);
        each(part, [&](std::size_t i) {
            some.words_[i * width / 64] |= std::uint64_t{common(row(i), part)} << i * width % 64;
        });
        return some;
    }

    void close(std::size_t most, Closure<Set> &forth, Closure<Set> &back) const {
        Words m = words_;
        for (std::size_t w = 0; w < used_; ++w)
            m[w] |= diagonal << w * rows;
        if constexpr (width == 8)
            for (std::size_t k = 0; k < n_; ++k) // what pushes k pushes what k pushes
                m[0] |= (m[0] >> k & ones) * row_of(m, k);
        else { // the same for vectors of rows
            std::array<Set, width> all;
            std::memcpy(all.data(), m.data(), sizeof m);
            for (std::size_t k = 0; k < n_; ++k) {
                const Set row = all[k], its = singleton<Set>(k);
                for (std::size_t i = 0; i < padded_; ++i)
                    all[i] = unite(all[i], empty(common(all[i], its)) ? Set{} : row);
            }
            std::memcpy(m.data(), all.data(), sizeof m);
        }
        fill(m, most, forth);
        transpose(m);
        fill(m, most, back);
    }

  private:
    static constexpr std::size_t rows = 64 / width;                         // in a word
    static constexpr std::uint64_t ones = ~std::uint64_t{0} / Set(~Set{0}); // the first of each row
    using Words = std::array<std::uint64_t, count>;
    std::size_t n_, used_; // words, for this many pieces
    std::size_t padded_;   // rows, with those that fill a vector
    Words words_{};

    // The bits of a word for whose row and column something holds.
    template <class Holds> static constexpr std::uint64_t bits_where(Holds holds) {
        std::uint64_t bits = 0;
        for (std::size_t bit = 0; bit < 64; ++bit)
            bits |= std::uint64_t{holds(bit / width, bit % width)} << bit;
        return bits;
    }
    static constexpr std::uint64_t diagonal =
        bits_where([](std::size_t row, std::size_t column) { return row == column; });

    static Set row_of(const Words &words, std::size_t i) {
        return static_cast<Set>(words[i / rows] >> i % rows * width);
    }

    // Swap what lies above the diagonal with what lies below: in blocks, smaller and smaller.
    template <std::size_t side = width / 2> static void transpose(Words &m) {
        if constexpr (side >= rows) {
            constexpr std::uint64_t left = bits_where([](auto, auto c) { return !(c & side); });
            constexpr std::size_t below = side / rows;
            for (std::size_t w = 0; w < count; ++w)
                if (!(w & below)) {
                    const std::uint64_t t = (m[w] >> side ^ m[w + below]) & left;
                    m[w + below] ^= t;
                    m[w] ^= t << side;
                }
        } else {
            constexpr std::uint64_t above =
                bits_where([](auto r, auto c) { return !(r & side) && (c & side); });
            for (std::uint64_t &word : m) {
                const std::uint64_t t = (word ^ word >> side * (width - 1)) & above;
                word ^= t ^ t << side * (width - 1);
            }
        }
        if constexpr (side > 1)
            transpose<side / 2>(m);
    }

    void fill(const Words &m, std::size_t most, Closure<Set> &closure) const {
        // Multiplied by this, the first bits of all rows come together in the last.
        constexpr std::uint64_t together =
            bits_where([](auto r, auto c) { return r + c == rows - 1; });
        std::memcpy(closure.of.data(), m.data(), sizeof m);
        std::uint64_t small = 0;
        for (std::size_t w = 0; w < used_; ++w) {
            std::uint64_t bits = m[w] - (m[w] >> 1 & 0x5555555555555555u); // counted in each row
            bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
            bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
            for (std::size_t by = 8; by < width; by *= 2)
                bits += bits >> by;
            bits &= ones * 0xff;
            const std::uint64_t few =
                ((most | std::uint64_t{1} << (width - 1)) * ones - bits) >> (width - 1) & ones;
            small |= (few * together >> (64 - width) & ((1u << rows) - 1)) << rows * w;
        }
        closure.small = static_cast<Set>(small & ((std::uint64_t{1} << n_) - 1));
    }
};

// Unions of loose pieces are too many to be listed.
struct Crowded {};
inline constexpr std::size_t most_sets = 50'000;

// The sets found for one direction and distance, each once; in a hash table when they are many.
template <class Set> class Sets {
  public:
    std::vector<Set> all;
    void clear() {
        if (all.size() >= many)
            numbers_.clear();
        all.clear();
    }
    bool add(const Set &set) {
        if (all.size() < many ? std::find(all.begin(), all.end(), set) != all.end()
                              : !enter(set, all.size()))
            return false;
        if (all.size() == most_sets)
            throw Crowded{};
        all.push_back(set);
        for (std::size_t i = 0; all.size() == many && i < many; ++i)
            enter(all[i], i);
        return true;
    }

  private:
    static constexpr std::size_t many = 16;
    Numbers numbers_; // once there are many

    bool enter(const Set &set, std::size_t number) {
        return numbers_.add(hash_of(set), static_cast<std::uint32_t>(number),
                            [&](std::uint32_t other) { return all[other] == set; });
    }
};
template <> class Sets<Octet> {
  public:
    std::vector<Octet> all;
    void clear() { all.clear(), known_ = {}; }
    bool add(Octet set) {
        std::uint64_t &word = known_[set / 64];
        const std::uint64_t bit = std::uint64_t{1} << set % 64;
        if (word & bit)
            return false;
        word |= bit;
        all.push_back(set);
        return true;
    }

  private:
    std::array<std::uint64_t, 4> known_{};
};

} // namespace kumitate
