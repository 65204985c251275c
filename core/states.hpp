// States of a disassembly: where the pieces stand, packed, and which states were found so far.
#pragma once

#include "contract.hpp"
#include "placements.hpp"
#include "threads.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace kumitate {

inline Shift operator+(Shift a, Shift b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Shift operator-(Shift a, Shift b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Shift times(std::int32_t k, Shift a) {
    return {k * a.x, k * a.y, k * a.z};
}

// Where a piece stands, packed into one number: sums and differences stay right.
template <class Lane> struct Packed {
    static constexpr int x_bits = sizeof(Lane) == 2 ? 5 : 10, y_bits = sizeof(Lane) == 2 ? 5 : 11,
                         z_bits = sizeof(Lane) == 2 ? 6 : 11;
    // How far apart two pieces may be.
    static constexpr Shift most{(1 << (x_bits - 1)) - 1, (1 << (y_bits - 1)) - 1,
                                (1 << (z_bits - 1)) - 1};

    static Lane pack(Shift s) {
        return static_cast<Lane>(static_cast<std::uint32_t>(s.x) +
                                 (static_cast<std::uint32_t>(s.y) << x_bits) +
                                 (static_cast<std::uint32_t>(s.z) << (x_bits + y_bits)));
    }
    static Shift unpack(Lane lane) {
        constexpr std::uint32_t x_half = 1u << (x_bits - 1), y_half = 1u << (y_bits - 1),
                                z_half = 1u << (z_bits - 1);
        const auto sum =
            static_cast<Lane>(lane + x_half + (y_half << x_bits) + (z_half << (x_bits + y_bits)));
        const auto field = [](std::uint32_t bits, std::uint32_t half) {
            return static_cast<std::int32_t>(bits) - static_cast<std::int32_t>(half);
        };
        return {field(sum & (2 * x_half - 1), x_half),
                field(sum >> x_bits & (2 * y_half - 1), y_half),
                field(static_cast<std::uint32_t>(sum) >> (x_bits + y_bits), z_half)};
    }
};

// The states that moves lead to, in order.
// Apart from each other in memory, so that threads do not get in each other's way.
struct alignas(128) Children {
    std::vector<std::uint64_t> lanes, hashes;
    std::vector<std::uint32_t> from;
    // If threads share them: which belong to whose shards, and which turned out to be new.
    std::vector<std::vector<std::uint32_t>> of_shards;
    std::vector<std::uint8_t> fresh;

    std::size_t size() const { return hashes.size(); }
    void clear() { lanes.clear(), hashes.clear(), from.clear(); }
};

// States found so far, in the order they were found.
//
//     lanes   | state 0 | state 1 | ...     some words each: a lane for every piece but the first
//     from    |    -    |    0    | ...     the state it was reached from
//     shards  by bits of the hash, each with open addressing:
//             | tag, the bits that say where it belongs (32) | state + 1 (32) |, or 0
//
// Threads find out which children are new each in its own shards, in the order of the children;
// then the new ones are numbered in that order. So the numbers never depend on the number of
// threads.

class States {
  public:
    // States have numbers of 32 bits; a Refusal says that there are too many.
    States(std::size_t words, bool shared, std::uint64_t most = most_states)
        : words(words), most_(most), shards_(shared ? 64 : 1) {}

    static constexpr std::uint64_t most_states = 0xfffffffe;
    const std::size_t words;

    std::size_t size() const { return size_; }
    const std::uint64_t *at(std::size_t state) const {
        return &lanes_[state / chunk][state % chunk * words];
    }
    std::uint32_t from(std::size_t state) const { return from_[state / chunk][state % chunk]; }

    static std::uint64_t hash(const std::uint64_t *state, std::size_t words) {
        std::uint64_t hash = 0;
        for (std::size_t w = 0; w < words; ++w) {
            hash = (hash ^ state[w]) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 32;
        }
        return hash * 0xbf58476d1ce4e5b9u;
    }

    void add(const std::uint64_t *state, std::uint32_t parent) {
        if (size_ % chunk == 0) {
            lanes_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(chunk * words));
            from_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(chunk));
        }
        std::copy(state, state + words, &lanes_.back()[size_ % chunk * words]);
        from_.back()[size_++ % chunk] = parent;
    }

    void insert(Children &children) {
        require_room_for(children.size());
        for (std::uint64_t hash : children.hashes)
            prefetch(hash);
        for (std::size_t c = 0; c < children.size(); ++c) {
            const std::uint64_t *state = &children.lanes[c * words], hash = children.hashes[c];
            const auto same = [&](std::uint32_t other) { return equal(state, at(other)); };
            if (shard_of(hash).add(tag_of(hash), static_cast<std::uint32_t>(size()), same))
                add(state, children.from[c]);
        }
    }

    // The same for the children of several threads, one after the other.
    void insert(std::vector<Children> &all) {
        std::uint64_t more = 0;
        for (const Children &children : all)
            more += children.size();
        require_room_for(more);
        std::vector<std::uint32_t> starts{static_cast<std::uint32_t>(size())}; // if all were new
        for (Children &children : all) {
            children.fresh.assign(children.size(), 0);
            starts.push_back(starts.back() + static_cast<std::uint32_t>(children.size()));
        }
        const auto lanes_of = [&](std::uint32_t state) {
            if (state < starts[0])
                return at(state);
            const auto next = std::upper_bound(starts.begin(), starts.end(), state);
            const auto thread = static_cast<std::size_t>(next - starts.begin()) - 1;
            return static_cast<const std::uint64_t *>(
                &all[thread].lanes[(state - starts[thread]) * words]);
        };
        in_parallel(all.size(), [&](std::size_t me) {
            for (std::size_t thread = 0; thread < all.size(); ++thread) {
                Children &children = all[thread];
                const std::vector<std::uint32_t> &mine = children.of_shards[me];
                for (std::size_t i = 0; i < mine.size(); ++i) {
                    if (i + 8 < mine.size())
                        prefetch(children.hashes[mine[i + 8]]);
                    const std::uint32_t c = mine[i];
                    const std::uint64_t hash = children.hashes[c];
                    const std::uint64_t *state = &children.lanes[c * words];
                    const auto same = [&](std::uint32_t other) {
                        return equal(state, lanes_of(other));
                    };
                    children.fresh[c] = shard_of(hash).add(tag_of(hash), starts[thread] + c, same);
                }
            }
        });
        std::vector<std::uint32_t> numbers(starts.back() - starts[0]);
        for (std::size_t thread = 0; thread < all.size(); ++thread)
            for (std::size_t c = 0; c < all[thread].size(); ++c)
                if (all[thread].fresh[c]) {
                    numbers[starts[thread] + c - starts[0]] = static_cast<std::uint32_t>(size());
                    add(&all[thread].lanes[c * words], all[thread].from[c]);
                }
        in_parallel(all.size(), [&](std::size_t me) {
            for (std::size_t thread = 0; thread < all.size(); ++thread)
                for (std::uint32_t c : all[thread].of_shards[me])
                    if (all[thread].fresh[c]) {
                        const std::uint64_t hash = all[thread].hashes[c];
                        const std::uint32_t state = starts[thread] + c;
                        shard_of(hash).renumber(tag_of(hash), state, numbers[state - starts[0]]);
                    }
        });
    }

    // Say which of the children belong to the shards of each thread.
    void sort(Children &children, std::size_t threads) const {
        children.of_shards.resize(threads);
        for (std::vector<std::uint32_t> &some : children.of_shards)
            some.clear();
        for (std::uint32_t c = 0; c < children.size(); ++c)
            children.of_shards[number_of_shard(children.hashes[c]) * threads / shards_.size()]
                .push_back(c);
    }

  private:
    struct Shard {
        std::vector<std::uint64_t> slots = std::vector<std::uint64_t>(16, 0);
        std::size_t used = 0;

        template <class Same> bool add(std::uint32_t tag, std::uint32_t state, Same &&same) {
            if (10 * ++used > 7 * slots.size())
                grow();
            std::size_t slot = tag & (slots.size() - 1);
            for (; slots[slot] != 0; slot = (slot + 1) & (slots.size() - 1))
                if (slots[slot] >> 32 == tag && same(static_cast<std::uint32_t>(slots[slot]) - 1)) {
                    --used;
                    return false;
                }
            slots[slot] = std::uint64_t{tag} << 32 | (state + 1);
            return true;
        }

        void grow() {
            std::vector<std::uint64_t> old(2 * slots.size(), 0);
            old.swap(slots);
            for (std::uint64_t entry : old) {
                if (entry == 0)
                    continue;
                std::size_t slot = (entry >> 32) & (slots.size() - 1);
                while (slots[slot] != 0)
                    slot = (slot + 1) & (slots.size() - 1);
                slots[slot] = entry;
            }
        }

        void renumber(std::uint32_t tag, std::uint32_t state, std::uint32_t number) {
            std::size_t slot = tag & (slots.size() - 1);
            while (slots[slot] != (std::uint64_t{tag} << 32 | (state + 1)))
                slot = (slot + 1) & (slots.size() - 1);
            slots[slot] = std::uint64_t{tag} << 32 | (number + 1);
        }
    };
    // In chunks, so that growing neither copies nor takes twice the room.
    static constexpr std::size_t chunk = 1024;
    std::vector<std::unique_ptr<std::uint64_t[]>> lanes_;
    std::vector<std::unique_ptr<std::uint32_t[]>> from_;
    std::size_t size_ = 0;
    const std::uint64_t most_;
    std::vector<Shard> shards_;

    void require_room_for(std::uint64_t more) const {
        if (size_ + more > most_)
            throw Refusal("the pieces can stand in too many ways: " + std::to_string(size_) +
                          " were visited; set a lower limit to the states");
    }

    // A call of memcmp would cost more than the few words it compares.
    bool equal(const std::uint64_t *a, const std::uint64_t *b) const {
        for (std::size_t w = 0; w < words; ++w)
            if (a[w] != b[w])
                return false;
        return true;
    }
    void prefetch(std::uint64_t hash) {
        const Shard &shard = shard_of(hash);
        __builtin_prefetch(&shard.slots[tag_of(hash) & (shard.slots.size() - 1)]);
    }
    std::size_t number_of_shard(std::uint64_t hash) const { return hash & (shards_.size() - 1); }
    Shard &shard_of(std::uint64_t hash) { return shards_[number_of_shard(hash)]; }
    static std::uint32_t tag_of(std::uint64_t hash) {
        return static_cast<std::uint32_t>(hash >> 32);
    }
};

} // namespace kumitate
