// Sets of pieces against std::set, for a byte, a word and many words; and who pushes whom against a
// plain walk.

#include "../pushes.hpp"
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

template <class Set> static void pushes_are_closed(std::size_t most) {
    std::mt19937 random(7);
    std::size_t kept = 0;
    for (int round = 0; round < 400; ++round) {
        const std::size_t n = 1 + random() % most;
        std::vector<Plain> forth(n), back(n);
        Pushes<Set> pushes(n);
        pushes.add(0, n - 1, true);
        pushes.clear(); // that one is forgotten
        for (std::size_t k = random() % (2 * n + 1); k > 0; --k) {
            const std::size_t i = random() % n, j = random() % n;
            const bool does = random() % 4 != 0;
            pushes.add(i, j, does);
            if (does) {
                forth[i].insert(j);
                back[j].insert(i);
            }
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

void test_sets() {
    sets_are_sets<Octet>(8);
    sets_are_sets<Few>(64);
    sets_are_sets<Many>(most_pieces);
    pushes_are_closed<Octet>(8);
    pushes_are_closed<Few>(64);
    pushes_are_closed<Many>(80);
    each_set_is_listed_once<Octet>(8);
    each_set_is_listed_once<Few>(64);
    each_set_is_listed_once<Many>(most_pieces);
    too_many_sets_are_crowded();
}
