// States of a disassembly: where the pieces stand, packed, and which states were found so far.
#pragma once

#include "box.hpp"
#include "hash.hpp"
#include "portable.hpp"
#include "table.hpp"
#include "threads.hpp"

#include <cstdlib>
#include <memory>
#include <span>

namespace kumitate {

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
        const Lane sum = static_cast<Lane>(lane + middle);
        const auto field = [](std::uint32_t bits, int width) {
            return static_cast<std::int32_t>(bits & ((1u << width) - 1)) - (1 << (width - 1));
        };
        return {field(sum, x_bits), field(static_cast<std::uint32_t>(sum) >> x_bits, y_bits),
                field(static_cast<std::uint32_t>(sum) >> (x_bits + y_bits), z_bits)};
    }

    // With 21 bits for each coordinate, as between two bodies; only differences mean anything.
    static std::uint64_t offset(Lane lane) {
        const std::uint64_t sum = static_cast<Lane>(lane + middle);
        return (sum & ((1u << x_bits) - 1)) | (sum >> x_bits & ((1u << y_bits) - 1)) << 21 |
               sum >> (x_bits + y_bits) << 42;
    }

    // Not 0 if a coordinate is not in the middle half of those that a lane can tell.
    static Lane outskirts(Lane lane) { return static_cast<Lane>(lane + middle / 2) & middle; }

    // Units of a step that lead from the middle half to nowhere that a lane cannot tell.
    static std::int32_t half_room(Shift step) {
        std::int32_t units = 1 << (z_bits - 2);
        const auto allow = [&](std::int32_t along, int bits) {
            if (along != 0)
                units = std::min(units, (1 << (bits - 2)) / std::abs(along));
        };
        allow(step.x, x_bits), allow(step.y, y_bits), allow(step.z, z_bits);
        return units;
    }

    // Add to some of the lanes in a word, those with a bit in `which`.
    static std::uint64_t add(std::uint64_t word, std::uint64_t which, Lane delta) {
        constexpr std::uint64_t ones = ~std::uint64_t{0} / Lane(~Lane{0});
        constexpr std::uint64_t tops = ones << (8 * sizeof(Lane) - 1);
        constexpr std::uint64_t spread = sizeof(Lane) == 2 ? 0x0000200040008001u : 0x80000001u;
        constexpr std::uint64_t lanes = (1u << 8 / sizeof(Lane)) - 1;
        const std::uint64_t deltas = ((which & lanes) * spread & ones) * delta;
        return ((word & ~tops) + (deltas & ~tops)) ^ ((word ^ deltas) & tops);
    }

  private:
    // Added to a lane, this makes all coordinates positive.
    static constexpr Lane middle = (1u << (x_bits - 1)) + (1u << (x_bits + y_bits - 1)) +
                                   (1u << (x_bits + y_bits + z_bits - 1));
};

// The states that moves lead to, in order.
// Apart from each other in memory, so that threads do not get in each other's way.
class alignas(128) Children {
  public:
    // If threads share them: which belong to whose shards, and which turned out to be new.
    std::vector<std::vector<std::uint32_t>> of_shards;
    std::vector<std::uint8_t> fresh;

    std::size_t size() const { return size_; }
    void clear() { size_ = 0; }

    const std::uint64_t *lanes(std::size_t c, std::size_t words) const {
        KUMITATE_EXPECT(c < size_, "there is such a child");
        return &lanes_[c * words];
    }
    std::uint64_t hash(std::size_t c) const { return heads_[c].hash; }
    std::uint32_t from(std::size_t c) const { return heads_[c].from; }

    // One more, from a state: `lane_of` gives its words.
    template <class WordOf> void add(std::size_t words, std::uint32_t from, WordOf &&word_of) {
        if (size_ == heads_.size() || lanes_.size() < (size_ + 1) * words)
            grow(words);
        std::uint64_t *lanes = &lanes_[size_ * words], hash = no_words;
        for (std::size_t w = 0; w < words; ++w) {
            lanes[w] = word_of(w);
            hash = mix(hash, lanes[w]);
        }
        heads_[size_++] = {hash, from};
    }

  private:
    struct Head {
        std::uint64_t hash;
        std::uint32_t from;
    };
    std::vector<std::uint64_t> lanes_;
    std::vector<Head> heads_; // more than are used, as of the lanes
    std::size_t size_ = 0;

    [[gnu::noinline]] void grow(std::size_t words) {
        const std::size_t room = std::max<std::size_t>(16, 2 * size_);
        lanes_.resize(std::max(lanes_.size(), room * words));
        heads_.resize(std::max(heads_.size(), room));
    }
};

// The numbers of states by their hashes, in 32 bits each, since there may be billions of them: what
// the number leaves of those tells most of the other states apart.
//
//     slots   | some of the hash | number + 1 |, or 0     by the top bits of the hash, or the next
//     free one
class StateNumbers {
  public:
    static constexpr std::size_t ahead = 16; // states that are fetched from memory beforehand

    void prefetch(std::uint64_t hash) const { kumitate::prefetch(&slots_[home(hash)]); }

    // The state that is probably the same, if any.
    std::uint32_t guess(std::uint64_t hash) const {
        const std::uint32_t slot = slots_[home(hash)];
        return slot != 0 && ((slot ^ tag(hash)) & ~numbers_) == 0 ? (slot & numbers_) - 1 : none;
    }

    // Add a state under its number; false if there is one that is the same. `lanes_of` gives the
    // words of those that were added.
    template <class LanesOf>
    bool add(std::span<const std::uint64_t> state, std::uint64_t hash, std::uint32_t number,
             LanesOf &&lanes_of) {
        const bool full = 10 * (used_ + 1) > 7 * slots_.size();
        if (full || number >= numbers_)
            grow(full, number, state.size(), lanes_of);
        const std::uint32_t mine = tag(hash);
        for (std::size_t at = home(hash);; at = (at + 1) & (slots_.size() - 1)) {
            const std::uint32_t slot = slots_[at];
            if (slot == 0) {
                slots_[at] = mine | (number + 1);
                ++used_;
                return true;
            }
            if (((slot ^ mine) & ~numbers_) == 0 && equal(state, lanes_of((slot & numbers_) - 1)))
                return false;
        }
    }

    // The number of a state, if it was added.
    template <class LanesOf>
    std::uint32_t find(std::span<const std::uint64_t> state, std::uint64_t hash,
                       LanesOf &&lanes_of) const {
        for (std::size_t at = home(hash); slots_[at] != 0; at = (at + 1) & (slots_.size() - 1))
            if (const std::uint32_t number = (slots_[at] & numbers_) - 1;
                equal(state, lanes_of(number)))
                return number;
        return none;
    }

    // Call a state by another number, which is less.
    void renumber(std::uint64_t hash, std::uint32_t number, std::uint32_t other) {
        std::size_t at = home(hash);
        while ((slots_[at] & numbers_) != number + 1)
            at = (at + 1) & (slots_.size() - 1);
        slots_[at] = tag(hash) | (other + 1);
    }

  private:
    std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(16);
    std::size_t used_ = 0;
    int bits_ = 4;               // of the hash, for a slot
    std::uint32_t numbers_ = 15; // the bits of a slot that are its number

    std::size_t home(std::uint64_t hash) const { return hash >> (64 - bits_); }
    std::uint32_t tag(std::uint64_t hash) const {
        return static_cast<std::uint32_t>(hash << bits_ >> 32) & ~numbers_;
    }

    // A call of memcmp would cost more than the few words it compares.
    static bool equal(std::span<const std::uint64_t> state, const std::uint64_t *other) {
        for (std::size_t w = 0; w < state.size(); ++w)
            if (state[w] != other[w])
                return false;
        return true;
    }

    template <class LanesOf>
    [[gnu::noinline]] void grow(bool full, std::uint32_t number, std::size_t words,
                                LanesOf &&lanes_of) {
        std::vector<std::uint32_t> old((full ? 2 : 1) * slots_.size());
        old.swap(slots_);
        const std::uint32_t were = numbers_;
        bits_ += full;
        while (number >= numbers_ || (numbers_ >> bits_) == 0)
            numbers_ = 2 * numbers_ + 1;
        for (std::size_t i = 0; i < old.size(); ++i) {
            if (i + ahead < old.size() && old[i + ahead] != 0)
                kumitate::prefetch(lanes_of((old[i + ahead] & were) - 1));
            if (old[i] == 0)
                continue;
            const std::uint32_t its = old[i] & were;
            const std::uint64_t hash = hash_of(std::span(lanes_of(its - 1), words));
            std::size_t at = home(hash);
            while (slots_[at] != 0)
                at = (at + 1) & (slots_.size() - 1);
            slots_[at] = tag(hash) | its;
        }
    }
};

// States found so far, in the order they were found.
//
//     lanes   | state 0 | state 1 | ...     some words each: a lane for every piece but the first
//     from    |    -    |    0    | ...     the state it was reached from
//     shards  the numbers of the states, in tables by bits of the hash
//
// Threads find out which children are new each in its own shards, in the order of the children;
// then the new ones are numbered in that order. So the numbers never depend on the number of
// threads.
class States {
  public:
    // States have numbers of 32 bits; a Refusal says that there are too many.
    States(std::size_t words, bool shared, std::uint64_t most = most_states)
        : words(words), most_(most), shards_(shared ? 64 : 1), shard_mask_(shards_.size() - 1) {}

    static constexpr std::uint64_t most_states = 0xfffffffe;
    const std::size_t words;

    std::size_t size() const { return size_; }
    const std::uint64_t *at(std::size_t state) const {
        KUMITATE_EXPECT(state < size_, "there is such a state");
        return &lanes_[state / chunk][state % chunk * words];
    }
    std::uint32_t from(std::size_t state) const { return from_[state / chunk][state % chunk]; }

    // The number of a state, or none.
    std::uint32_t find(const std::uint64_t *state, std::uint64_t hash) const {
        return shards_[number_of_shard(hash)].find({state, words}, hash,
                                                   [&](std::uint32_t other) { return at(other); });
    }

    // Insert children in their order. Once there are more states than `enough`, those of the next
    // state are left out.
    void insert(const Children &children, std::uint64_t enough = most_states) {
        require_room_for(children.size());
        const std::size_t count = children.size();
        const auto lanes_of = [&](std::uint32_t state) { return at(state); };
        for (std::size_t c = 0; c < count && c < ahead; ++c)
            fetch_slot(children.hash(c));
        for (std::size_t c = 0; c < count; ++c) {
            if (size_ > enough && c > 0 && children.from(c) != children.from(c - 1))
                return;
            if (c + ahead < count)
                fetch_slot(children.hash(c + ahead));
            if (c + ahead / 2 < count)
                fetch_state(children.hash(c + ahead / 2), lanes_of);
            const std::uint64_t *state = children.lanes(c, words);
            if (enter(state, children.hash(c), static_cast<std::uint32_t>(size_), lanes_of))
                add(state, children.from(c));
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
            require(children.of_shards.size() == all.size(),
                    "children are sorted for as many threads as insert them");
            children.fresh.assign(children.size(), 0);
            starts.push_back(starts.back() + static_cast<std::uint32_t>(children.size()));
        }
        const auto lanes_of = [&](std::uint32_t state) {
            if (state < starts[0])
                return at(state);
            const auto next = std::upper_bound(starts.begin(), starts.end(), state);
            const auto thread = static_cast<std::size_t>(next - starts.begin()) - 1;
            return all[thread].lanes(state - starts[thread], words);
        };
        in_parallel(all.size(), [&](std::size_t me) {
            for (std::size_t thread = 0; thread < all.size(); ++thread) {
                Children &children = all[thread];
                const std::vector<std::uint32_t> &mine = children.of_shards[me];
                for (std::size_t i = 0; i < mine.size(); ++i) {
                    if (i + ahead < mine.size())
                        fetch_slot(children.hash(mine[i + ahead]));
                    if (i + ahead / 2 < mine.size())
                        fetch_state(children.hash(mine[i + ahead / 2]), lanes_of);
                    const std::uint32_t c = mine[i];
                    children.fresh[c] = enter(children.lanes(c, words), children.hash(c),
                                              starts[thread] + c, lanes_of);
                }
            }
        });
        std::vector<std::uint32_t> numbers(starts.back() - starts[0]);
        for (std::size_t thread = 0; thread < all.size(); ++thread)
            for (std::size_t c = 0; c < all[thread].size(); ++c)
                if (all[thread].fresh[c]) {
                    numbers[starts[thread] + c - starts[0]] = static_cast<std::uint32_t>(size());
                    add(all[thread].lanes(c, words), all[thread].from(c));
                }
        in_parallel(all.size(), [&](std::size_t me) {
            for (std::size_t thread = 0; thread < all.size(); ++thread)
                for (std::uint32_t c : all[thread].of_shards[me])
                    if (all[thread].fresh[c]) {
                        const std::uint64_t hash = all[thread].hash(c);
                        const std::uint32_t state = starts[thread] + c;
                        shard_of(hash).renumber(hash, state, numbers[state - starts[0]]);
                    }
        });
    }

    // Say which of the children belong to the shards of each thread.
    void sort(Children &children, std::size_t threads) const {
        children.of_shards.resize(threads);
        for (std::vector<std::uint32_t> &some : children.of_shards)
            some.clear();
        for (std::uint32_t c = 0; c < children.size(); ++c)
            children.of_shards[number_of_shard(children.hash(c)) * threads / shards_.size()]
                .push_back(c);
    }

  private:
    // In chunks, so that growing neither copies nor takes twice the room.
    static constexpr std::size_t chunk = 1024;
    static constexpr std::size_t ahead = StateNumbers::ahead;
    std::vector<std::unique_ptr<std::uint64_t[]>> lanes_;
    std::vector<std::unique_ptr<std::uint32_t[]>> from_;
    std::size_t size_ = 0;
    const std::uint64_t most_;
    std::vector<StateNumbers> shards_;
    const std::size_t shard_mask_;

    void add(const std::uint64_t *state, std::uint32_t parent) {
        if (size_ % chunk == 0) {
            lanes_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(chunk * words));
            from_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(chunk));
        }
        std::copy(state, state + words, &lanes_.back()[size_ % chunk * words]);
        from_.back()[size_++ % chunk] = parent;
    }

    void fetch_slot(std::uint64_t hash) { shard_of(hash).prefetch(hash); }
    template <class LanesOf> void fetch_state(std::uint64_t hash, LanesOf &&lanes_of) {
        if (const std::uint32_t state = shard_of(hash).guess(hash); state != none)
            kumitate::prefetch(lanes_of(state));
    }

    // Whether a state is new, which then has this number.
    template <class LanesOf>
    bool enter(const std::uint64_t *state, std::uint64_t hash, std::uint32_t number,
               LanesOf &&lanes_of) {
        return shard_of(hash).add({state, words}, hash, number, lanes_of);
    }

    void require_room_for(std::uint64_t more) const {
        if (size_ + more > most_)
            throw Refusal("too many states: gave up after " + std::to_string(size_) +
                          "; set max_states lower to give up earlier");
    }

    // By bits that the table of a shard does not look at, but into which all were folded.
    std::size_t number_of_shard(std::uint64_t hash) const { return hash >> 26 & shard_mask_; }
    StateNumbers &shard_of(std::uint64_t hash) { return shards_[number_of_shard(hash)]; }
};

} // namespace kumitate
