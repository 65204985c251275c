#include "apart.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <map>
#include <thread>

namespace kumiki {

namespace {

// ---- Sets of pieces: a byte for up to 8, a word for up to 64, else many words. ----

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

template <class Word> bool holds(Word set, std::size_t i) {
    return set >> i & 1;
}
bool holds(const Many &set, std::size_t i) {
    return holds(set.words[i / 64], i % 64);
}
template <class Word> void include(Word &set, std::size_t i) {
    set = static_cast<Word>(set | Word{1} << i);
}
void include(Many &set, std::size_t i) {
    include(set.words[i / 64], i % 64);
}
template <class Word> Word both(Word a, Word b) {
    return static_cast<Word>(a | b);
}
Many both(const Many &a, const Many &b) {
    return a | b;
}
template <class Word> Word without(Word a, Word b) {
    return static_cast<Word>(a & ~b);
}
Many without(const Many &a, const Many &b) {
    return a & ~b;
}
template <class Word> Word common(Word a, Word b) {
    return static_cast<Word>(a & b);
}
Many common(const Many &a, const Many &b) {
    return a & b;
}
template <class Set> bool nobody(const Set &set) {
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
std::size_t size(const auto &set) {
    std::size_t count = 0;
    each(set, [&](std::size_t) { ++count; });
    return count;
}
template <class Set> Set just(std::size_t i) {
    Set set{};
    include(set, i);
    return set;
}

// ---- Who pushes whom along a step, and whom in the end. ----

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
            Set set = just<Set>(piece), fresh = without(rows[piece], set);
            std::size_t count = 1;
            while (!nobody(fresh) && nobody(common(fresh, large)) && count <= most) {
                Set more{};
                each(fresh, [&](std::size_t i) { more = both(more, rows[i]), ++count; });
                set = both(set, fresh);
                fresh = without(more, set);
            }
            include(nobody(fresh) && count <= most ? closure.small : large, piece);
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

// The sets found for one direction and distance, each once.
template <class Set> class Sets {
  public:
    std::vector<Set> all;
    void clear() { all.clear(); }
    bool add(const Set &set) {
        if (std::find(all.begin(), all.end(), set) != all.end())
            return false;
        all.push_back(set);
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

// ---- Where a piece stands, packed into one number: sums and differences stay right. ----

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

Shift operator+(Shift a, Shift b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Shift operator-(Shift a, Shift b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Shift times(std::int32_t k, Shift a) {
    return {k * a.x, k * a.y, k * a.z};
}

struct Vast {};        // pieces are farther apart than lanes can tell
struct Interrupted {}; // the caller has had enough

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

// ---- States found so far, in the order they were found. ----
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
    States(std::size_t words, bool shared) : words(words), shards_(shared ? 64 : 1) {}

    const std::size_t words;
    std::vector<std::uint64_t> lanes;
    std::vector<std::uint32_t> from;

    std::size_t size() const { return from.size(); }
    const std::uint64_t *at(std::size_t state) const { return lanes.data() + state * words; }

    static std::uint64_t hash(const std::uint64_t *state, std::size_t words) {
        std::uint64_t hash = 0;
        for (std::size_t w = 0; w < words; ++w) {
            hash = (hash ^ state[w]) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 32;
        }
        return hash * 0xbf58476d1ce4e5b9u;
    }

    void add(const std::uint64_t *state, std::uint32_t parent) {
        lanes.insert(lanes.end(), state, state + words);
        from.push_back(parent);
    }

    void insert(Children &children) {
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

    static void in_parallel(std::size_t threads, const std::function<void(std::size_t)> &work) {
        std::vector<std::thread> others;
        for (std::size_t i = 1; i < threads; ++i)
            others.emplace_back(work, i);
        work(0);
        for (std::thread &other : others)
            other.join();
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
    std::vector<Shard> shards_;

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

// ---- What can be done from a state. ----

template <class Set> struct Exit {
    Set set;
    std::uint32_t direction;
};

template <class Lane, class Set> class Expander {
  public:
    Expander(Pairs &pairs, std::span<const Placed> pieces)
        : n_(pieces.size()), steps_(pairs.bodies.sweeps.steps), words_(words_for(n_)),
          pairs_(pairs), now_(steps_.size(), Pushes<Set>(n_)), ever_(n_), farther_(n_), lanes_(n_),
          offsets_(n_) {
        for (std::size_t j = 0; j < n_; ++j)
            for (std::size_t i = 0; i < j; ++i)
                twos_.push_back({Pairs::pair(pieces[i].body, pieces[j].body),
                                 static_cast<std::uint32_t>(i),
                                 static_cast<std::uint32_t>(j),
                                 Pairs::offset(pieces[i].at - pieces[j].at),
                                 {}});
        for (std::size_t i = 0; i < n_; ++i)
            include(everyone_, i);
        reach_.resize(1);
        reach_[0].resize(2 * steps_.size());
        exits_.resize(2 * steps_.size());
    }

    static std::size_t words_for(std::size_t n) { return ((n - 1) * sizeof(Lane) + 7) / 8; }

    // Whether something can slide off; if not, the moves are appended to the children.
    std::optional<Exit<Set>> expand(const States &states, std::uint32_t state, Children &children) {
        unpack(states.at(state));
        state_ = state;
        if (!anything_moves())
            return std::nullopt;
        if (auto exit = find_exit())
            return exit;
        for (std::uint32_t step = 0; step < steps_.size(); ++step) {
            if (nobody(reach_[0][2 * step].small) && nobody(reach_[0][2 * step + 1].small))
                continue;
            measure(step);
            moves(2 * step, children);
            moves(2 * step + 1, children);
        }
        return std::nullopt;
    }

    // Where the pieces stand in a state, from where they were assembled.
    std::vector<Shift> places(const std::uint64_t *state) {
        unpack(state);
        std::vector<Shift> found;
        for (Lane lane : lanes_)
            found.push_back(Packed<Lane>::unpack(lane));
        return found;
    }

  private:
    struct Two {
        std::uint32_t pair, i, j;
        std::uint64_t offset; // in the assembly
        Gaps gaps;            // in the state at hand
    };

    const std::size_t n_;
    const std::vector<Shift> &steps_;
    const std::size_t words_;
    Pairs &pairs_;
    std::vector<Two> twos_; // (0, 1), (0, 2), (1, 2), (0, 3), ...
    Set everyone_{};
    // Of the state at hand:
    std::uint32_t state_ = 0;
    std::vector<Pushes<Set>> now_; // by step: on the first unit
    Pushes<Set> ever_, farther_;   // for some step: ever, or on the next unit
    std::vector<Lane> lanes_;
    std::vector<std::uint64_t> offsets_; // of the places
    Shift low_, high_;                   // of the places
    std::vector<std::vector<Closure<Set>>>
        reach_;                       // by distance and direction: what can move so far
    std::vector<Closure<Set>> exits_; // by direction: what can slide off
    std::size_t distances_ = 0;       // that anything can move, along the step at hand
    std::vector<Sets<Set>> listed_;   // by distance, with unions

    void unpack(const std::uint64_t *state) {
        lanes_[0] = 0;
        std::memcpy(lanes_.data() + 1, state, (n_ - 1) * sizeof(Lane));
        low_ = high_ = {0, 0, 0};
        for (std::size_t i = 1; i < n_; ++i) {
            const Shift at = Packed<Lane>::unpack(lanes_[i]);
            offsets_[i] = Pairs::offset(at);
            low_ = {std::min(low_.x, at.x), std::min(low_.y, at.y), std::min(low_.z, at.z)};
            high_ = {std::max(high_.x, at.x), std::max(high_.y, at.y), std::max(high_.z, at.z)};
        }
        for (Two &two : twos_)
            two.gaps = pairs_.find(two.pair, two.offset + offsets_[two.i] - offsets_[two.j]);
    }

    bool anything_moves() {
        const std::size_t steps = steps_.size();
        for (Pushes<Set> &pushes : now_)
            pushes.clear();
        for (const Two &two : twos_)
            for (std::size_t step = 0; step < steps; ++step) {
                const std::uint64_t bits = two.gaps.now >> step;
                now_[step].add(two.i, two.j, bits & 1);
                now_[step].add(two.j, two.i, bits >> steps & 1);
            }
        bool any = false;
        for (std::size_t step = 0; step < steps; ++step) {
            Closure<Set> &forth = reach_[0][2 * step], &back = reach_[0][2 * step + 1];
            now_[step].close(n_ / 2, forth, back);
            any = any || !nobody(forth.small) || !nobody(back.small);
        }
        return any;
    }

    std::optional<Exit<Set>> find_exit() {
        const std::size_t steps = steps_.size();
        for (Two &two : twos_)
            if (two.gaps.at == Pairs::unknown)
                two.gaps = pairs_.measure(two.pair, two.gaps.offset);
        bool any = false;
        for (std::size_t step = 0; step < steps; ++step) {
            Closure<Set> &forth = exits_[2 * step], &back = exits_[2 * step + 1];
            forth.small = back.small = Set{};
            if (nobody(reach_[0][2 * step].small) && nobody(reach_[0][2 * step + 1].small))
                continue;
            ever_.clear();
            for (const Two &two : twos_) {
                const std::uint64_t bits = two.gaps.ever >> step;
                ever_.add(two.i, two.j, bits & 1);
                ever_.add(two.j, two.i, bits >> steps & 1);
            }
            ever_.close(n_ / 2, forth, back);
            any = any || !nobody(forth.small) || !nobody(back.small);
        }
        for (const bool alone : {true, false})
            for (std::uint32_t direction = 0; any && direction < 2 * steps; ++direction)
                for (std::size_t piece = 0; piece < n_; ++piece)
                    if (holds(exits_[direction].small, piece) &&
                        (!alone || exits_[direction].of[piece] == just<Set>(piece)))
                        return Exit<Set>{exits_[direction].of[piece], direction};
        return std::nullopt;
    }

    // What can move how far along a step, and against it.
    void measure(std::uint32_t step) {
        const std::size_t steps = steps_.size();
        farther_ = now_[step];
        for (distances_ = 1;; ++distances_) {
            if (distances_ == reach_.size())
                reach_.emplace_back(2 * steps);
            auto &before = reach_[distances_ - 1], &here = reach_[distances_];
            bool changed = false;
            for (const Two &two : twos_) {
                const std::uint16_t *gaps = &pairs_.gaps[two.gaps.at + step];
                const bool first = gaps[0] == distances_, second = gaps[steps] == distances_;
                farther_.add(two.i, two.j, first);
                farther_.add(two.j, two.i, second);
                changed = changed || first || second;
            }
            Closure<Set> &forth = here[2 * step], &back = here[2 * step + 1];
            if (changed)
                farther_.close(n_ / 2, forth, back);
            else
                forth = before[2 * step], back = before[2 * step + 1];
            if (nobody(forth.small) && nobody(back.small))
                return;
        }
    }

    void moves(std::uint32_t direction, Children &children) {
        if (listed_.size() < distances_)
            listed_.resize(distances_);
        for (std::size_t d = 0; d < distances_; ++d)
            listed_[d].clear();
        each(reach_[0][direction].small, [&](std::size_t piece) {
            for (std::size_t d = 0; d < distances_ && holds(reach_[d][direction].small, piece); ++d)
                list(reach_[d][direction].of[piece], direction, d, children);
        });
    }

    // A set that can move, and its unions with those found before.
    void list(const Set &set, std::uint32_t direction, std::size_t distance, Children &children) {
        Sets<Set> &sets = listed_[distance];
        std::size_t before = sets.all.size();
        if (!sets.add(set))
            return;
        const auto units = static_cast<std::int32_t>(distance + 1);
        child(set, direction, units, children);
        while (before-- > 0) {
            const Set joined = both(sets.all[before], set);
            if (joined != everyone_ && sets.add(joined))
                child(joined, direction, units, children);
        }
    }

    void child(const Set &set, std::uint32_t direction, std::int32_t units, Children &children) {
        const Shift by = times(direction % 2 == 0 ? units : -units, steps_[direction / 2]);
        const auto far = [](std::int32_t extent, std::int32_t move, std::int32_t most) {
            return extent + (move < 0 ? -move : move) > most;
        };
        constexpr Shift most = Packed<Lane>::most;
        if (far(high_.x - low_.x, by.x, most.x) || far(high_.y - low_.y, by.y, most.y) ||
            far(high_.z - low_.z, by.z, most.z))
            require_room(set, by);
        std::array<Lane, most_pieces> moved;
        std::copy(lanes_.begin(), lanes_.end(), moved.begin());
        // The first piece stays where it is: if it moves, the others move the other way.
        const bool flipped = holds(set, 0);
        const Lane delta = Packed<Lane>::pack(flipped ? times(-1, by) : by);
        each(flipped ? without(everyone_, set) : set,
             [&](std::size_t i) { moved[i] = static_cast<Lane>(moved[i] + delta); });
        const std::size_t start = children.lanes.size();
        children.lanes.resize(start + words_, 0);
        std::memcpy(&children.lanes[start], moved.data() + 1, (n_ - 1) * sizeof(Lane));
        children.hashes.push_back(States::hash(&children.lanes[start], words_));
        children.from.push_back(state_);
    }

    void require_room(const Set &set, Shift by) const {
        Shift low{0, 0, 0}, high{0, 0, 0};
        for (std::size_t i = 0; i < n_; ++i) {
            Shift at = Packed<Lane>::unpack(lanes_[i]);
            if (holds(set, i))
                at = at + by;
            if (holds(set, 0))
                at = at - by;
            low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
        }
        constexpr Shift most = Packed<Lane>::most;
        if (high.x - low.x > most.x || high.y - low.y > most.y || high.z - low.z > most.z)
            throw Vast{};
    }
};

} // namespace

// ---- One separation after the other. ----

struct Apart::Engine {
    Bodies bodies;
    Pairs pairs{bodies};
    // Of the attempt at hand:
    std::span<const Placed> placed;
    Groups groups;
    Limits limits;
    unsigned threads = 1;
    const std::function<bool()> *keep_going = nullptr;
    const Rescue *rescue = nullptr;
    Attempt attempt;
    std::vector<std::vector<std::uint32_t>> clumps; // parts that stay together

    Engine(Sweeps sweeps, Groups groups) : bodies(std::move(sweeps)), groups(std::move(groups)) {}

    using Part = std::vector<std::uint32_t>;

    // What a search for one separation found: the moves, the last of them away, and the places of
    // the pieces before that one.
    struct Found {
        std::vector<Slide> moves;
        std::vector<Shift> places;
    };

    std::unique_ptr<Separation> separate(const Part &part, const std::vector<Shift> &places) {
        std::optional<Found> found = part.size() <= 8    ? search<Octet>(part, places)
                                     : part.size() <= 64 ? search<Few>(part, places)
                                                         : search<Many>(part, places);
        if (!found)
            found = fly_apart(part, places);
        if (!found)
            return nullptr;
        auto separation = std::make_unique<Separation>();
        separation->moves = std::move(found->moves);
        Slide &last = separation->moves.back();
        if (last.each.empty())
            keep_heavy(part, last);
        Part left, removed;
        std::vector<Shift> left_places, removed_places;
        for (std::size_t i = 0; i < part.size(); ++i) {
            const bool gone =
                std::find(last.pieces.begin(), last.pieces.end(), part[i]) != last.pieces.end();
            (gone ? removed : left).push_back(part[i]);
            (gone ? removed_places : left_places).push_back(found->places[i]);
        }
        if (!finish(left, left_places, separation->left) ||
            !finish(removed, removed_places, separation->removed))
            return nullptr;
        return separation;
    }

    // All at once, in different directions: the heaviest piece, and what goes with it, stays.
    std::optional<Found> fly_apart(const Part &part, const std::vector<Shift> &places) {
        const bool decided = attempt.ending == Ending::rigid || attempt.ending == Ending::stuck;
        if (!decided || !*rescue)
            return std::nullopt;
        const std::vector<Shift> velocities = (*rescue)(part, places);
        if (velocities.size() != part.size())
            return std::nullopt;
        std::size_t anchor = 0;
        for (std::size_t i = 1; i < part.size(); ++i)
            if (placed[part[i]].weight > placed[part[anchor]].weight)
                anchor = i;
        Slide away{{}, 0, 0, {}};
        for (std::size_t i = 0; i < part.size(); ++i)
            if (velocities[i] != velocities[anchor]) {
                away.pieces.push_back(part[i]);
                away.each.push_back(velocities[i] - velocities[anchor]);
            }
        if (away.pieces.empty())
            return std::nullopt;
        return Found{{std::move(away)}, places};
    }

    // What is taken away is what slid off, unless its heaviest piece outweighs all that stay.
    void keep_heavy(const Part &part, Slide &last) const {
        Part others;
        for (std::uint32_t piece : part)
            if (std::find(last.pieces.begin(), last.pieces.end(), piece) == last.pieces.end())
                others.push_back(piece);
        const auto heaviest = [&](const Part &some) {
            std::int32_t most = placed[some[0]].weight;
            for (std::uint32_t piece : some)
                most = std::max(most, placed[piece].weight);
            return most;
        };
        if (heaviest(others) < heaviest(last.pieces)) {
            last.pieces = std::move(others);
            last.direction ^= 1;
        }
    }

    // A part is finished if it is one piece, stays together, or comes apart.
    bool finish(const Part &part, const std::vector<Shift> &places,
                std::unique_ptr<Separation> &separation) {
        if (part.size() == 1)
            return true;
        if (of_one_group(part) && may_stay(part))
            return true;
        separation = separate(part, places);
        if (separation)
            return true;
        const bool decided = attempt.ending == Ending::rigid || attempt.ending == Ending::stuck;
        return decided && may_stay(part);
    }

    // Whether every piece has just one group, the same.
    bool of_one_group(const Part &part) const {
        return std::all_of(part.begin(), part.end(), [&](std::uint32_t i) {
            const auto &mine = groups[placed[i].piece], &first = groups[placed[part[0]].piece];
            return mine.size() == 1 && first.size() == 1 && mine[0].first == first[0].first;
        });
    }

    // Whether this part, too, can be given a group, with no piece in a group more often than it
    // may.
    bool may_stay(const Part &part) {
        clumps.push_back(part);
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> room;
        for (std::uint32_t piece = 0; piece < groups.size(); ++piece)
            for (const auto &[group, copies] : groups[piece])
                room[{piece, group}] = copies;
        if (assign(0, room))
            return true;
        clumps.pop_back();
        return false;
    }

    bool
    assign(std::size_t clump,
           const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> &room) const {
        if (clump == clumps.size())
            return true;
        for (const auto &[group, copies] : groups[placed[clumps[clump][0]].piece]) {
            auto rest = room;
            bool fits = true;
            for (std::uint32_t i : clumps[clump]) {
                const auto at = rest.find({placed[i].piece, group});
                fits = fits && at != rest.end() && at->second-- > 0;
            }
            if (fits && assign(clump + 1, rest))
                return true;
        }
        return false;
    }

    template <class Set>
    std::optional<Found> search(const Part &part, const std::vector<Shift> &places) {
        // Narrow lanes are enough for most; where they are not, the search begins again.
        if (roomy<std::uint16_t>(part, places)) {
            try {
                return search<std::uint16_t, Set>(part, places);
            } catch (Vast) {
            }
        }
        if (!roomy<std::uint32_t>(part, places))
            throw Vast{};
        return search<std::uint32_t, Set>(part, places);
    }

    // Whether lanes hold these places, and likely those that moves lead to.
    template <class Lane> bool roomy(const Part &part, const std::vector<Shift> &places) const {
        Shift low = places[0], high = places[0], size{0, 0, 0};
        for (const Shift &at : places) {
            low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
        }
        if (sizeof(Lane) == 2)
            for (std::uint32_t i : part) {
                const Bitmap &map = bodies.all[placed[i].body].solid;
                size = {std::max(size.x, map.length), std::max(size.y, map.width),
                        std::max(size.z, map.height)};
            }
        const std::int32_t parts = bodies.sweeps.parts;
        constexpr Shift most = Packed<Lane>::most;
        return std::max(high.x - low.x, parts * size.x) <= most.x &&
               std::max(high.y - low.y, parts * size.y) <= most.y &&
               std::max(high.z - low.z, parts * size.z) <= most.z;
    }

    template <class Lane, class Set>
    std::optional<Found> search(const Part &part, const std::vector<Shift> &places) {
        std::vector<Placed> pieces;
        for (std::uint32_t i : part)
            pieces.push_back(placed[i]);
        Expander<Lane, Set> expander(pairs, pieces);
        std::deque<Expander<Lane, Set>> others; // for the other threads
        States states(Expander<Lane, Set>::words_for(part.size()), threads > 1);
        std::vector<Lane> lanes;
        for (const Shift &at : places)
            lanes.push_back(Packed<Lane>::pack(at - places[0]));
        std::vector<Children> children(1);
        children[0].lanes.assign(states.words, 0);
        std::memcpy(children[0].lanes.data(), lanes.data() + 1, (lanes.size() - 1) * sizeof(Lane));
        children[0].hashes.push_back(States::hash(children[0].lanes.data(), states.words));
        children[0].from.push_back(0);
        states.insert(children[0]);

        const std::uint64_t before = attempt.states;
        // Of states that cost much, fewer at once, so that nobody waits long for an answer.
        const std::size_t block = std::clamp<std::size_t>(400'000 / n_squared(part), 64, 16384);
        std::size_t end_of_depth = 1;
        std::uint32_t depth = 1; // moves that a separation from here takes
        for (std::size_t state = 0; state < states.size();) {
            if (state == end_of_depth) {
                end_of_depth = states.size();
                ++depth;
            }
            attempt.states = before + states.size();
            if (depth > limits.moves || attempt.states > limits.states)
                return end(Ending::limited, part, places);
            if (!(*keep_going)())
                throw Interrupted{};
            const std::size_t to = std::min(end_of_depth, state + block);
            if (threads > 1 && to - state == block) {
                if (others.empty())
                    hire(others, pieces);
                auto exit = expand_together(expander, others, states, state, to, children);
                attempt.states = before + states.size();
                if (exit)
                    return path(expander, states, exit->first, exit->second, part, places);
                state = to;
                continue;
            }
            for (; state < to; ++state) {
                children[0].clear();
                const auto number = static_cast<std::uint32_t>(state);
                const auto exit = expander.expand(states, number, children[0]);
                if (exit) {
                    attempt.states = before + states.size();
                    return path(expander, states, number, *exit, part, places);
                }
                states.insert(children[0]);
            }
        }
        attempt.states = before + states.size();
        return end(states.size() == 1 ? Ending::rigid : Ending::stuck, part, places);
    }

    static std::size_t n_squared(const Part &part) { return part.size() * part.size(); }

    // Every thread has its own tables of what it asked about bodies.
    struct Crew {
        Bodies bodies;
        Pairs pairs{bodies};
        explicit Crew(const Bodies &bodies) : bodies(bodies) {}
    };
    std::vector<std::unique_ptr<Crew>> crews;

    template <class Lane, class Set>
    void hire(std::deque<Expander<Lane, Set>> &others, std::span<const Placed> pieces) {
        crews.resize(threads - 1);
        for (std::unique_ptr<Crew> &crew : crews) {
            if (!crew || crew->bodies.all.size() != bodies.all.size())
                crew = std::make_unique<Crew>(bodies);
            others.emplace_back(crew->pairs, pieces);
        }
    }

    // Expand a block of states, a run of them on each thread; the first that has an exit counts.
    template <class Lane, class Set>
    std::optional<std::pair<std::uint32_t, Exit<Set>>>
    expand_together(Expander<Lane, Set> &expander, std::deque<Expander<Lane, Set>> &others,
                    States &states, std::size_t from, std::size_t to,
                    std::vector<Children> &children) {
        const std::size_t workers = others.size() + 1;
        children.resize(workers);
        std::vector<std::optional<std::pair<std::uint32_t, Exit<Set>>>> exits(workers);
        std::vector<std::uint8_t> vast(workers, 0);
        States::in_parallel(workers, [&](std::size_t me) {
            children[me].clear();
            const std::size_t share = (to - from + workers - 1) / workers;
            const std::size_t end = std::min(to, from + (me + 1) * share);
            Expander<Lane, Set> &mine = me == 0 ? expander : others[me - 1];
            try {
                for (std::size_t state = from + me * share; state < end && !exits[me]; ++state) {
                    const auto number = static_cast<std::uint32_t>(state);
                    const auto exit = mine.expand(states, number, children[me]);
                    if (exit)
                        exits[me].emplace(number, *exit);
                }
            } catch (Vast) {
                vast[me] = 1;
            }
            states.sort(children[me], workers);
        });
        for (std::size_t worker = 0; worker < workers; ++worker) {
            if (vast[worker])
                throw Vast{};
            if (exits[worker]) {
                for (std::size_t later = worker + 1; later < workers; ++later) {
                    children[later].clear();
                    states.sort(children[later], workers);
                }
                states.insert(children);
                return exits[worker];
            }
        }
        states.insert(children);
        return std::nullopt;
    }

    std::nullopt_t end(Ending ending, const Part &part, const std::vector<Shift> &places) {
        attempt.ending = ending;
        attempt.part = part;
        attempt.places = places;
        return std::nullopt;
    }

    template <class Lane, class Set>
    Found path(Expander<Lane, Set> &expander, const States &states, std::uint32_t last,
               const Exit<Set> &exit, const Part &part, const std::vector<Shift> &start) {
        std::vector<std::uint32_t> way;
        for (std::uint32_t at = last; at != 0; at = states.from[at])
            way.push_back(at);
        std::reverse(way.begin(), way.end());
        Found found;
        std::vector<Shift> here = expander.places(states.at(0));
        for (std::uint32_t state : way) {
            const std::vector<Shift> there = expander.places(states.at(state));
            found.moves.push_back(move_between(here, there, part));
            here = there;
        }
        Slide away{{}, exit.direction, 0, {}};
        each(exit.set, [&](std::size_t i) { away.pieces.push_back(part[i]); });
        found.moves.push_back(std::move(away));
        for (const Shift &at : here)
            found.places.push_back(at + start[0]);
        return found;
    }

    // The move that leads from one state to the next, of those that moved or of those that did not.
    Slide move_between(const std::vector<Shift> &here, const std::vector<Shift> &there,
                       const Part &part) const {
        Part moved, still;
        Shift by{};
        for (std::size_t i = 0; i < part.size(); ++i) {
            (here[i] == there[i] ? still : moved).push_back(part[i]);
            if (here[i] != there[i])
                by = there[i] - here[i];
        }
        if (moved.size() > still.size()) {
            moved.swap(still);
            by = times(-1, by);
        }
        for (std::uint32_t direction = 0; direction < 2 * bodies.sweeps.steps.size(); ++direction) {
            const Shift step = times(direction % 2 ? -1 : 1, bodies.sweeps.steps[direction / 2]);
            for (int axis = 0; axis < 3; ++axis) {
                const std::int32_t along = axis == 0 ? step.x : axis == 1 ? step.y : step.z;
                const std::int32_t gone = axis == 0 ? by.x : axis == 1 ? by.y : by.z;
                if (along != 0 && gone % along == 0 && gone / along > 0 &&
                    times(gone / along, step) == by)
                    return {moved, direction, static_cast<std::uint32_t>(gone / along), {}};
            }
        }
        return {moved, 0, 0, {}}; // not reached: every move is along a step
    }
};

Apart::Apart(Sweeps sweeps, Groups groups)
    : engine_(std::make_unique<Engine>(std::move(sweeps), std::move(groups))) {}

Apart::~Apart() = default;

std::pair<std::uint32_t, Shift> Apart::add_body(std::span<const Cell> cells) {
    return engine_->bodies.add(cells);
}

Attempt Apart::take_apart(std::span<const Placed> pieces, const Limits &limits, unsigned threads,
                          const std::function<bool()> &keep_going, const Rescue &rescue) {
    Engine &engine = *engine_;
    engine.placed = pieces;
    engine.limits = limits;
    engine.threads = threads;
    engine.keep_going = &keep_going;
    engine.rescue = &rescue;
    engine.attempt = {Ending::apart, nullptr, 0, {}, {}};
    engine.clumps.clear();
    Engine::Part everything;
    for (std::uint32_t i = 0; i < pieces.size(); ++i)
        everything.push_back(i);
    try {
        if (pieces.size() > most_pieces)
            throw Vast{};
        if (pieces.size() < 2) {
            engine.end(Ending::rigid, everything, {{0, 0, 0}});
            return std::move(engine.attempt);
        }
        engine.attempt.separation =
            engine.separate(everything, std::vector<Shift>(pieces.size(), Shift{0, 0, 0}));
        if (engine.attempt.separation)
            engine.attempt.ending = Ending::apart;
    } catch (Vast) {
        engine.attempt.ending = Ending::vast;
    } catch (Interrupted) {
        engine.attempt.ending = Ending::interrupted;
    }
    return std::move(engine.attempt);
}

} // namespace kumiki
