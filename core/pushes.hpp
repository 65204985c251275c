// Who pushes whom along a step, and whom in the end.
//
// A piece that moves takes along all that stand in its way, and those what stands in theirs: the
// transitive closure of a relation. For up to 8 pieces the whole relation is one word.
#pragma once

#include "sets.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace kumitate {

// For each piece the set that moves if it does, and for which of them that is not too many.
template <class Set> struct Closure {
    std::vector<Set> of;
    Set small{};
};
template <> struct Closure<Octet> {
    std::array<Octet, 8> of;
    Octet small = 0;
};

template <class Set> class Pushes {
  public:
    explicit Pushes(std::size_t n) : forth_(n), back_(n) {}

    void clear() {
        std::fill(forth_.begin(), forth_.end(), Set{});
        std::fill(back_.begin(), back_.end(), Set{});
    }
    void add(std::size_t pusher, std::size_t pushed, bool does) {
        if (does) {
            include(forth_[pusher], pushed);
            include(back_[pushed], pusher);
        }
    }
    void close(std::size_t most, Closure<Set> &forth, Closure<Set> &back) const {
        close(forth_, most, forth);
        close(back_, most, back);
    }

  private:
    std::vector<Set> forth_, back_; // along the step, and against it

    static void close(const std::vector<Set> &rows, std::size_t most, Closure<Set> &closure) {
        closure.of.resize(rows.size());
        closure.small = Set{};
        Set large{}; // who pushes one of these pushes too many
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

// All of it in one word: row i, whom piece i pushes, is byte i.
template <> class Pushes<Octet> {
  public:
    explicit Pushes(std::size_t n) : n_(n) {}

    void clear() { rows_ = 0; }
    void add(std::size_t pusher, std::size_t pushed, bool does) {
        rows_ |= std::uint64_t{does} << (8 * pusher + pushed);
    }

    void close(std::size_t most, Closure<Octet> &forth, Closure<Octet> &back) const {
        std::uint64_t m = rows_ | 0x8040201008040201u;
        for (std::size_t k = 0; k < n_; ++k) // who pushes k pushes whom k pushes
            m |= (m >> k & ones) * (m >> 8 * k & 0xff);
        fill(m, most, forth);
        fill(transposed(m), most, back);
    }

  private:
    static constexpr std::uint64_t ones = 0x0101010101010101u;
    std::size_t n_;
    std::uint64_t rows_ = 0;

    static std::uint64_t transposed(std::uint64_t x) {
        std::uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aau;
        x ^= t ^ t << 7;
        t = (x ^ x >> 14) & 0x0000cccc0000ccccu;
        x ^= t ^ t << 14;
        t = (x ^ x >> 28) & 0x00000000f0f0f0f0u;
        return x ^ t ^ t << 28;
    }

    void fill(std::uint64_t m, std::size_t most, Closure<Octet> &closure) const {
        std::memcpy(closure.of.data(), &m, 8);
        std::uint64_t count = m - (m >> 1 & 0x5555555555555555u); // bits in each byte
        count = (count & 0x3333333333333333u) + (count >> 2 & 0x3333333333333333u);
        count = (count + (count >> 4)) & 0x0f0f0f0f0f0f0f0fu;
        const std::uint64_t few = ((most + 0x80) * ones - count) >> 7 & ones;
        closure.small = static_cast<Octet>((few * 0x0102040810204080u >> 56) & ((1u << n_) - 1));
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
        all.clear();
        slots_.clear();
    }
    bool add(const Set &set) {
        if (slots_.empty()) {
            if (std::find(all.begin(), all.end(), set) != all.end())
                return false;
        } else if (!enter(set, all.size())) {
            return false;
        }
        if (all.size() == most_sets)
            throw Crowded{};
        all.push_back(set);
        if (all.size() >= 16 && 2 * all.size() > slots_.size()) {
            slots_.assign(8 * all.size(), 0);
            for (std::size_t i = 0; i < all.size(); ++i)
                enter(all[i], i);
        }
        return true;
    }

  private:
    std::vector<std::uint32_t> slots_; // number + 1, half full at most

    bool enter(const Set &set, std::size_t number) {
        std::size_t slot = hash(set) % slots_.size();
        for (; slots_[slot] != 0; slot = (slot + 1) % slots_.size())
            if (all[slots_[slot] - 1] == set)
                return false;
        slots_[slot] = static_cast<std::uint32_t>(number + 1);
        return true;
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
