// The small parts that everything stands on: hash tables against std::map, boxes, shuffles, numbers
// of 128 bits.

#include "../box.hpp"
#include "../cover.hpp"
#include "../hash.hpp"
#include "../portable.hpp"
#include "../random.hpp"
#include "../table.hpp"
#include "check.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

using namespace kumitate;

struct Count {
    std::uint64_t key = 0, times = 0;
    bool free() const { return times == 0; }
    std::uint64_t hash() const { return mix(no_words, key); }
};

static void a_table_is_a_map() {
    std::mt19937 random(31);
    Table<Count> table;
    for (int round = 0; round < 20; ++round) {
        std::map<std::uint64_t, std::uint64_t> plain;
        const std::uint64_t keys = 1 + random() % 3000;
        for (int i = 0; i < 2000; ++i) {
            const std::uint64_t key = random() % keys;
            const auto same = [&](const Count &it) { return !it.free() && it.key == key; };
            expect((table.find(mix(no_words, key), same) != nullptr) == plain.contains(key),
                   "there or not");
            const auto [slot, fresh] = table.add({key, 1}, same);
            slot->times += !fresh;
            ++plain[key];
            expect(fresh == (plain[key] == 1) && slot->times == plain[key], "counted");
        }
        expect(table.size() == plain.size(), "each key once");
        expect(table.slots().size() >= 2 * table.size(), "half full at most");
        table.clear();
        expect(table.size() == 0, "and then none");
    }
}

// With a hash that is always the same, and one whose halves are.
static void numbers_are_found_whatever_the_hash() {
    for (const std::uint64_t mask : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{none}}) {
        std::vector<std::uint64_t> things;
        Numbers numbers;
        const auto hash = [&](std::uint64_t thing) { return mix(no_words, thing) & mask; };
        for (std::uint64_t thing = 0; thing < 300; ++thing) {
            const auto same = [&](std::uint32_t i) { return things[i] == thing; };
            expect(numbers.find(hash(thing), same) == none, "not yet");
            expect(numbers.add(hash(thing), static_cast<std::uint32_t>(things.size()), same),
                   "new");
            things.push_back(thing);
            expect(!numbers.add(hash(thing), 7777, same), "once");
        }
        numbers.renumber(hash(5), 5, 6);
        expect(numbers.find(hash(5), [](std::uint32_t i) { return i == 6; }) == 6, "renumbered");
        bool refused = false;
        try {
            numbers.renumber(hash(5), 300, 1);
        } catch (const Broken &) {
            refused = true;
        }
        expect(refused, "only what is there");
    }
}

static void top_bits_depend_on_every_bit() {
    std::set<std::uint64_t> tops;
    for (unsigned bit = 0; bit < 64; ++bit)
        for (const std::uint64_t other : {std::uint64_t{0}, std::uint64_t{12345}})
            tops.insert(hash_of(std::array{other, std::uint64_t{1} << bit}) >> 48);
    expect(tops.size() > 120, "of words that differ in one bit");
}

static void a_box_is_around_its_places() {
    const std::vector<Shift> places{{1, -2, 3}, {-4, 5, 3}, {0, 0, 9}};
    const Box box = box_of(places);
    expect(box.low == Shift{-4, -2, 3} && box.high == Shift{1, 5, 9}, "corners");
    expect(box.sides() == std::array<std::size_t, 3>{6, 8, 7}, "sides");
    constexpr std::int32_t low = -2147483647 - 1, high = 2147483647;
    const std::vector<Cell> far{{low, 0, 0, 0}, {high, 0, 0, 0}};
    expect(box_of(far).sides()[0] == std::size_t{1} << 32, "of any numbers");
    expect(within({1, 2, 3}, {1, 2, 3}) && !within({1, 2, 4}, {1, 2, 3}), "within");
}

static void the_same_seed_gives_the_same_order() {
    std::vector<std::uint32_t> numbers{0, 1, 2, 3, 4, 5, 6, 7};
    Dice dice(1);
    shuffle(numbers, dice);
    expect(numbers == std::vector<std::uint32_t>{7, 2, 1, 4, 6, 0, 3, 5}, "on every machine");
}

static void a_cover_is_sound_or_not() {
    Cover cover;
    cover.optional = {0};
    cover.weight = cover.least = cover.most = {1};
    cover.piece = cover.name = cover.covers = {0};
    cover.starts = {0, 1};
    expect(is_sound(cover), "one that is");
    cover.covers = {1};
    expect(!is_sound(cover), "one with a cell that there is not");
    std::string said;
    try {
        make_search(cover, nullptr);
    } catch (const Broken &error) {
        said = error.what();
    }
    expect(said.find("sound cover") != said.npos, "contracts are checked in these tests");
}

// What a quotient is: q * b <= a < (q + 1) * b.
static void quotients_are_rounded_down() {
    std::mt19937_64 random(7);
    for (int round = 0; round < 3000; ++round) {
        const auto quotient = static_cast<std::int32_t>(random() >> (32 + round % 32));
        const Int128 by = (Int128{1} << round % 90) + static_cast<std::uint32_t>(random());
        const Int128 rest = std::min(Int128{random() >> 1}, by - 1);
        const Int128 more[] = {0, by - 1, rest};
        for (const std::int32_t q : {quotient, ~quotient, INT32_MIN, INT32_MAX})
            for (const Int128 left : more)
                expect(floor_quotient(q * by + left, by) == q, "rounded down");
    }
}

static void sums_that_are_too_large_are_noticed() {
    UInt128 total = ~UInt128{0} - 1;
    expect(!add_overflows(total, UInt128{1}) && total == ~UInt128{0}, "the largest");
    expect(add_overflows(total, UInt128{1}), "one more");
}

void test_ground() {
    quotients_are_rounded_down();
    sums_that_are_too_large_are_noticed();
    a_table_is_a_map();
    numbers_are_found_whatever_the_hash();
    top_bits_depend_on_every_bit();
    a_box_is_around_its_places();
    the_same_seed_gives_the_same_order();
    a_cover_is_sound_or_not();
}
