// Lists of bit masks, and what the list core does with them, a vector at a time: sieve, pack, unite
// and count. Masks have W words, and half a word more if H says so; a list has an array for each
// word, and zeros behind its end, which cover nothing.
//
// Counting adds up all columns of a word at once, in planes: bit c of plane j is bit j of the
// number of masks that have bit c.
#pragma once

#include "contract.hpp"
#include "simd.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <vector>

namespace kumitate::KUMITATE_ISA {

template <std::size_t W> using Mask = std::array<std::uint64_t, W>;

template <std::size_t W> bool any(const Mask<W> &a) {
    std::uint64_t bits = 0;
    for (std::uint64_t word : a)
        bits |= word;
    return bits != 0;
}

template <std::size_t W> Mask<W> without(Mask<W> a, const Mask<W> &b) {
    for (std::size_t w = 0; w < W; ++w)
        a[w] &= ~b[w];
    return a;
}

template <std::size_t W> Mask<W> common(Mask<W> a, const Mask<W> &b) {
    for (std::size_t w = 0; w < W; ++w)
        a[w] &= b[w];
    return a;
}

// The number of the first bit, or `none`.
template <std::size_t W> std::uint32_t first_of(const Mask<W> &a) {
    for (std::uint32_t w = 0; w < W; ++w)
        if (a[w])
            return 64 * w + static_cast<std::uint32_t>(std::countr_zero(a[w]));
    return none;
}

inline constexpr unsigned lanes = Words::lanes;

// Lists begin with a line of the cache, so that no vector of theirs lies in two.
template <class T> struct Aligned {
    using value_type = T;
    static constexpr std::align_val_t line{64};
    T *allocate(std::size_t n) { return static_cast<T *>(::operator new(n * sizeof(T), line)); }
    void deallocate(T *p, std::size_t) { ::operator delete(p, line); }
    bool operator==(const Aligned &) const = default;
};
template <class T> using Array = std::vector<T, Aligned<T>>;

// The first `count` lanes of a vector.
inline unsigned first_lanes(std::size_t count) {
    return (1u << count) - 1;
}

// The OR of all lanes.
template <class V> std::uint64_t united(V v) {
    if constexpr (std::is_same_v<V, std::uint64_t>)
        return v;
    else
        return united(v.low() | v.high());
}

// How many masks have each bit, in T planes; `over` has the bits that more masks have than T planes
// can count. Everything here is inline, so that planes stay in registers.
template <class V, unsigned T> struct Counts {
    V plane[T] = {}, over{};

    // Four masks at once take six operations in the first two planes, and one carry into the rest.
    [[gnu::always_inline]] void add(V a, V b, V c, V d) {
        const V twos = carry(plane[0], a, b);
        plane[0] = sum(plane[0], a, b);
        const V others = carry(plane[0], c, d);
        plane[0] = sum(plane[0], c, d);
        V carried = carry(plane[1], twos, others);
        plane[1] = sum(plane[1], twos, others);
        for (unsigned j = 2; j < T; ++j) {
            const V next = plane[j] & carried;
            plane[j] = plane[j] ^ carried;
            carried = next;
        }
        over = over | carried;
    }

    // Both halves of each plane added up.
    template <class Low, class High>
    [[gnu::always_inline]] auto halved(const Low &low, const High &high) const {
        Counts<decltype(low(over)), T> sums;
        auto carried = sums.over;
        for (unsigned j = 0; j < T; ++j) {
            const auto a = low(plane[j]), b = high(plane[j]);
            sums.plane[j] = sum(a, b, carried);
            carried = carry(a, b, carried);
        }
        sums.over = low(over) | high(over) | carried;
        return sums;
    }
};

template <class V, unsigned T>
[[gnu::always_inline]] inline Counts<std::uint64_t, T> add_lanes(const Counts<V, T> &counts) {
    if constexpr (std::is_same_v<V, std::uint64_t>)
        return counts;
    else
        return add_lanes(
            counts.halved([](const V &v) { return v.low(); }, [](const V &v) { return v.high(); }));
}

template <class V, unsigned T>
[[gnu::always_inline]] inline Counts<std::uint64_t, T> count_bits(const typename V::Word *list,
                                                                  std::uint32_t vectors) {
    alignas(V) static constexpr typename V::Word nothing[lanes] = {};
    Counts<V, T> counts;
    for (; vectors >= 4; vectors -= 4, list += 4 * lanes)
        counts.add(V::load(list), V::load(list + lanes), V::load(list + 2 * lanes),
                   V::load(list + 3 * lanes));
    const auto rest = [&](unsigned k) { return V::load(k < vectors ? list + k * lanes : nothing); };
    counts.add(rest(0), rest(1), rest(2), V::all(0)); // without a branch, which is hard to predict
    return add_lanes(counts);
}

template <std::size_t W, bool H> class MaskList {
  public:
    using Columns = Mask<W + H>;

    std::uint32_t size = 0;

    explicit MaskList(std::uint32_t most)
        : capacity_((most + 3 * lanes + 15) / 16 * 16), words_(W * capacity_, 0),
          halves_(H ? capacity_ : 0, 0) {}

    // How many vectors a list of this many masks has.
    static std::uint32_t vectors(std::uint32_t masks) { return (masks + lanes - 1) / lanes; }

    Columns operator[](std::uint32_t at) const {
        Columns mask;
        for (std::size_t w = 0; w < W; ++w)
            mask[w] = words_[w * capacity_ + at];
        if constexpr (H)
            mask[W] = halves_[at];
        return mask;
    }

    void push_back(const Columns &mask) {
        for (std::size_t w = 0; w < W; ++w)
            words_[w * capacity_ + size] = mask[w];
        if constexpr (H)
            halves_[size] = static_cast<Halves::Word>(mask[W]);
        end(size + 1);
    }

    // All columns of the list.
    Columns united() {
        const Arrays in = arrays();
        Rows all = Rows::all({});
        for (std::uint32_t i = 0; i < size; i += lanes)
            all.unite(in.load(i), first_lanes(lanes));
        return all.united();
    }

    // Find which masks share no column with this one, as a bit for each, by vectors; and unite
    // those.
    Columns sieve(const Columns &mask, std::uint8_t *left) {
        const Arrays in = arrays();
        const Rows chosen = Rows::all(mask);
        Rows all = Rows::all({});
        const std::uint32_t masks = size;
        std::uint8_t *at = left;
        for (std::uint32_t i = 0; i < masks; i += lanes) {
            const Rows rows = in.load(i);
            const unsigned some = rows.apart(chosen);
            all.unite(rows, some);
            *at++ = static_cast<std::uint8_t>(some);
        }
        if (masks % lanes)
            left[masks / lanes] &= static_cast<std::uint8_t>(first_lanes(masks % lanes));
        return all.united();
    }

    // Become the masks of another list whose bits are set.
    void pack(MaskList &list, const std::uint8_t *left) {
        const Arrays in = list.arrays(), out = arrays();
        const std::uint32_t masks = list.size;
        std::uint32_t packed = 0;
        for (std::uint32_t i = 0; i < masks; i += lanes) {
            const unsigned some = *left++;
            out.pack(in.load(i), packed, some);
            packed += count_lanes(some);
        }
        end(packed);
    }

    // Of some columns, of which there must be one, those on the fewest masks; and how many those
    // are: seven at most of nine times in ten, so no more are counted at first.
    unsigned fewest(const Columns &among, Columns &columns) {
        return fewest_in<3, 6, 10, 24>(among, columns);
    }

    // Write down where the masks on a column are; there are `count`.
    void find(std::uint32_t column, std::uint32_t count, std::uint32_t *places) {
        const auto search = [&]<class V>(const typename V::Word *words) {
            const V bit = V::all(std::uint64_t{1} << column % 64);
            const unsigned all = first_lanes(lanes);
            for (std::uint32_t i = 0, found = 0; found < count; i += lanes) {
                const unsigned its = all & ~V::load(words + i).apart(bit, all);
                store_places(places + found, i, its);
                found += count_lanes(its);
            }
        };
        const Arrays in = arrays();
        if (!H || column < 64 * W)
            search.template operator()<Words>(in.full[column / 64]);
        else
            search.template operator()<Halves>(in.half);
    }

  private:
    // Vectors of one list, a lane for each placement.
    struct Rows {
        Words full[W];
        Halves half;

        static Rows all(const Columns &mask) {
            Rows rows;
            for (std::size_t w = 0; w < W; ++w)
                rows.full[w] = Words::all(mask[w]);
            if constexpr (H)
                rows.half = Halves::all(mask[W]);
            return rows;
        }
        unsigned apart(const Rows &other) const {
            unsigned found = KUMITATE_ISA::apart(full, other.full);
            if constexpr (H)
                found = half.apart(other.half, found);
            return found;
        }
        void unite(const Rows &other, unsigned some) {
            for (std::size_t w = 0; w < W; ++w)
                full[w].unite(other.full[w], some);
            if constexpr (H)
                half.unite(other.half, some);
        }
        Columns united() const {
            Columns mask;
            for (std::size_t w = 0; w < W; ++w)
                mask[w] = KUMITATE_ISA::united(full[w]);
            if constexpr (H) {
                const std::uint64_t both = KUMITATE_ISA::united(half);
                mask[W] = (both | both >> 32) & 0xFFFFFFFF;
            }
            return mask;
        }
    };

    struct Arrays {
        std::uint64_t *full[W];
        Halves::Word *half;

        Rows load(std::uint32_t at) const {
            Rows rows;
            for (std::size_t w = 0; w < W; ++w)
                rows.full[w] = Words::load(full[w] + at);
            if constexpr (H)
                rows.half = Halves::load(half + at);
            return rows;
        }
        void pack(const Rows &rows, std::uint32_t at, unsigned some) const {
            for (std::size_t w = 0; w < W; ++w)
                rows.full[w].pack(full[w] + at, some);
            if constexpr (H)
                rows.half.pack(half + at, some);
        }
    };

    std::uint32_t capacity_; // lists are read and written whole vectors at a time
    Array<std::uint64_t> words_;
    Array<Halves::Word> halves_;

    Arrays arrays() {
        Arrays found{};
        for (std::size_t w = 0; w < W; ++w)
            found.full[w] = words_.data() + w * capacity_;
        found.half = halves_.data();
        return found;
    }

    void end(std::uint32_t masks) {
        KUMITATE_EXPECT(masks + lanes <= capacity_, "a list has room for a vector behind its end");
        size = masks;
        const Arrays out = arrays();
        for (std::size_t w = 0; w < W; ++w)
            Words::all(0).store(out.full[w] + masks);
        if constexpr (H)
            Halves::all(0).store(out.half + masks);
    }

    // With the first of these numbers of planes that can count one of the columns.
    template <unsigned T, unsigned... More>
    unsigned fewest_in(const Columns &among, Columns &columns) {
        Counts<std::uint64_t, T> counts[W + H];
        const Arrays in = arrays();
        const std::uint32_t some = vectors(size);
        for (std::size_t w = 0; w < W; ++w)
            counts[w] = count_bits<Words, T>(in.full[w], some);
        if constexpr (H)
            counts[W] = count_bits<Halves, T>(in.half, some)
                            .halved([](std::uint64_t both) { return both & 0xFFFFFFFF; },
                                    [](std::uint64_t both) { return both >> 32; });
        for (std::size_t w = 0; w < W + H; ++w)
            columns[w] = among[w] & ~counts[w].over;
        if constexpr (sizeof...(More) > 0)
            if (!any(columns))
                return fewest_in<More...>(among, columns);
        unsigned least = 0;
        for (unsigned j = T; j-- > 0;) {
            Columns lower;
            for (std::size_t w = 0; w < W + H; ++w)
                lower[w] = columns[w] & ~counts[w].plane[j];
            const bool there = any(lower);
            for (std::size_t w = 0; w < W + H; ++w)
                columns[w] = there ? lower[w] : columns[w];
            least |= (there ? 0u : 1u) << j;
        }
        return least;
    }
};

} // namespace kumitate::KUMITATE_ISA
