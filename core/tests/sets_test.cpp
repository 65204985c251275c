// Sets of pieces against std::set, for one byte, two, a word and many words; and who pushes whom
// against a plain walk.

#include "../expander.hpp"
#include "check.hpp"

#include <random>
#include <set>

using namespace kumitate;
using Plain = std::set<std::size_t>;

template <class Set> static Set made_of(const Plain &plain) {
    Set set{};
    for (std::size_t i : plain)
        include(set, i);
    return set;
}

template <class Set> static Plain plain_of(const Set &set) {
    Plain plain;
    each(set, [&](std::size_t i) { plain.insert(i); });
    return plain;
}

static Plain random_set(std::mt19937 &random, std::size_t n) {
    Plain plain;
    for (std::size_t i = random() % (n + 1); i > 0; --i)
        plain.insert(random() % n);
    return plain;
}

template <class Set> static void sets_are_sets(std::size_t n) {
    std::mt19937 random(6);
    for (int round = 0; round < 300; ++round) {
        const Plain a = random_set(random, n), b = random_set(random, n);
        Plain joined = a, rest, shared;
        joined.insert(b.begin(), b.end());
        for (std::size_t i : a)
            (b.count(i) ? shared : rest).insert(i);
        const Set x = made_of<Set>(a), y = made_of<Set>(b);
        expect(plain_of(x) == a && size(x) == a.size(), "the same members");
        expect(plain_of(unite(x, y)) == joined, "the union");
        expect(plain_of(without(x, y)) == rest, "the difference");
        expect(plain_of(common(x, y)) == shared, "the intersection");
        expect(empty(x) == a.empty(), "empty or not");
        expect((x == y) == (a == b), "equal or not");
        const std::size_t i = random() % n;
        expect(contains(x, i) == (a.count(i) == 1), "a member or not");
        expect(plain_of(singleton<Set>(i)) == Plain{i}, "a set of one");
    }
}

// The closure of a relation from one piece on, by walking.
static Plain reached(const std::vector<Plain> &pushes, std::size_t from) {
    Plain seen{from};
    std::vector<std::size_t> todo{from};
    while (!todo.empty()) {
        const std::size_t at = todo.back();
        todo.pop_back();
        for (std::size_t next : pushes[at])
            if (seen.insert(next).second)
                todo.push_back(next);
    }
    return seen;
}

// Gaps between pieces, most of them none, those who push within some units, and a part of those.
template <class Set, class Gap> static void pushes_are_closed(std::size_t most, std::size_t width) {
    std::mt19937 random(7);
    std::size_t kept = 0;
    for (int round = 0; round < 400; ++round) {
        const std::size_t n = 1 + random() % most, stride = width ? width : n;
        std::vector<Gap> gaps((n * stride + 63) / 64 * 64, forever<Gap>);
        Pushes<Set> pushes(n), loaded(n);
        const auto units = random() % 3 == 0 ? forever<Gap> - 1u : random() % 5;
        const Plain part = random_set(random, n);
        std::vector<Plain> forth(n), back(n), within(n);
        for (std::size_t k = random() % (3 * n + 1); k > 0; --k) {
            const std::size_t i = random() % n, j = random() % n;
            const auto gap = static_cast<Gap>(random() % 8);
            if (gaps[i * stride + j] != forever<Gap>)
                continue;
            gaps[i * stride + j] = gap;
            pushes.add(i, j, gap <= units);
            if (gap <= units) {
                forth[i].insert(j);
                back[j].insert(i);
                if (part.count(i) && part.count(j))
                    within[i].insert(j);
            }
        }
        Pushes<Set> others = pushes;
        others.forget(made_of<Set>(part));
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                const bool both = part.count(i) && part.count(j);
                expect(contains(others.row(i), j) == (forth[i].count(j) && !both), "forgotten");
            }
        loaded.load(gaps.data(), stride, static_cast<unsigned>(units));
        expect(loaded == pushes, "the same from the gaps as one by one");
        const Pushes<Set> some = pushes.within(made_of<Set>(part));
        for (std::size_t i = 0; i < n; ++i) {
            expect(plain_of(pushes.row(i)) == forth[i], "whom it pushes");
            expect(plain_of(some.row(i)) == within[i], "whom it pushes in its part");
        }
        const std::size_t few = n / 2;
        Closure<Set> along, against;
        pushes.close(few, along, against);
        for (std::size_t i = 0; i < n; ++i)
            for (const auto &[closure, plain] :
                 {std::pair{&along, reached(forth, i)}, std::pair{&against, reached(back, i)}}) {
                const bool small = plain.size() <= few;
                expect(contains(closure->small, i) == small, "small if at most half move");
                if (small)
                    expect(plain_of(closure->of[i]) == plain, "all that move are known");
                kept += small;
            }
    }
    expect(kept > 100, "enough of them are small");
}

// Each set once, in the order they came, in a list and then in a hash table.
template <class Set> static void each_set_is_listed_once(std::size_t n) {
    std::mt19937 random(8);
    Sets<Set> sets;
    for (int round = 0; round < 3; ++round) {
        std::set<Plain> seen;
        std::vector<Set> order;
        sets.clear();
        for (int i = 0; i < 400; ++i) {
            const Plain plain = random_set(random, n);
            const bool fresh = seen.insert(plain).second;
            expect(sets.add(made_of<Set>(plain)) == fresh, "new or not");
            if (fresh)
                order.push_back(made_of<Set>(plain));
        }
        expect(sets.all == order, "all of them, in order");
    }
}

static void too_many_sets_are_crowded() {
    Sets<Few> sets;
    bool crowded = false;
    try {
        for (Few set = 1;; ++set)
            sets.add(set);
    } catch (Crowded) {
        crowded = true;
    }
    expect(crowded && sets.all.size() == most_sets, "no more sets than may be");
}

// Some lanes move, and each says where its piece then stands.
template <class Lane, class Set> static void lanes_are_places(std::size_t n) {
    std::mt19937 random(9);
    constexpr Shift most = Packed<Lane>::most;
    const auto within_half = [&](std::int32_t limit) {
        return static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(limit)) - limit / 2;
    };
    const std::size_t in_word = 8 / sizeof(Lane), bits = 8 * sizeof(Lane);
    for (int round = 0; round < 300; ++round) {
        const Plain moved = random_set(random, n);
        const Set set = made_of<Set>(moved);
        const Shift by{within_half(most.x), within_half(most.y), within_half(most.z)};
        for (std::size_t w = 0; 1 + w * in_word < n; ++w) {
            std::uint64_t word = 0;
            std::vector<Shift> places;
            for (std::size_t i = 0; i < in_word; ++i) {
                places.push_back({within_half(most.x), within_half(most.y), within_half(most.z)});
                word |= std::uint64_t{Packed<Lane>::pack(places[i])} << i * bits;
            }
            const std::uint64_t next =
                Packed<Lane>::add(word, bits_from(set, 1 + w * in_word), Packed<Lane>::pack(by));
            for (std::size_t i = 0; i < in_word; ++i) {
                const auto before = static_cast<Lane>(word >> i * bits),
                           after = static_cast<Lane>(next >> i * bits);
                const Shift delta = moved.count(1 + w * in_word + i) ? by : Shift{};
                expect(Packed<Lane>::unpack(after) == places[i] + delta, "where it stands");
                const std::uint64_t from =
                    Packed<Lane>::offset(after) - Packed<Lane>::offset(before);
                expect(from == Pairs::offset(delta), "how far it has gone");
                expect(Packed<Lane>::outskirts(before) == 0, "still in the middle");
            }
        }
    }
    expect(Packed<Lane>::outskirts(Packed<Lane>::pack(most)) != 0, "no longer in the middle");
    expect(Packed<Lane>::outskirts(Packed<Lane>::pack({-most.x, 0, 0})) != 0, "nor on this side");
}

void test_sets() {
    sets_are_sets<Octet>(8);
    sets_are_sets<Hex>(16);
    sets_are_sets<Dozens>(32);
    sets_are_sets<Few>(64);
    sets_are_sets<Many>(most_pieces);
    pushes_are_closed<Octet, std::uint8_t>(8, 8);
    pushes_are_closed<Hex, std::uint8_t>(16, 16);
    pushes_are_closed<Dozens, std::uint8_t>(32, 32);
    pushes_are_closed<Few, std::uint8_t>(64, 64);
    pushes_are_closed<Few, std::uint16_t>(64, 0);
    pushes_are_closed<Many, std::uint16_t>(80, 0);
    each_set_is_listed_once<Octet>(8);
    each_set_is_listed_once<Hex>(16);
    each_set_is_listed_once<Dozens>(32);
    each_set_is_listed_once<Few>(64);
    each_set_is_listed_once<Many>(most_pieces);
    too_many_sets_are_crowded();
    lanes_are_places<std::uint16_t, Octet>(8);
    lanes_are_places<std::uint16_t, Hex>(16);
    lanes_are_places<std::uint16_t, Dozens>(32);
    lanes_are_places<std::uint16_t, Few>(64);
    lanes_are_places<std::uint32_t, Few>(64);
    lanes_are_places<std::uint32_t, Many>(200);
}
