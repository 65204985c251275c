#include "burr6.hpp"

#include "burr6_turns.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>

namespace kumitate {

// ---- counting ----

namespace {

// The bits of a word at the places of a mask, side by side.
std::uint32_t packed(std::uint32_t word, std::uint32_t mask) {
    std::uint32_t bits = 0;
    for (unsigned to = 0; mask; mask &= mask - 1, ++to)
        bits |= (word >> std::countr_zero(mask) & 1) << to;
    return bits;
}

template <class Visit> void each_subset(std::uint32_t set, Visit &&visit) {
    for (std::uint32_t some = set;; some = (some - 1) & set) {
        visit(some);
        if (some == 0)
            return;
    }
}

// For all that the pair at places 0 and 1 may take of a place: how many sticks fit there, by which
// cells they take of two others, s and t, or by which cells those take of it. Floats are exact:
// there are no more than 2^12 sticks, so no sum of products exceeds 2^24.
using Matrix = std::array<float, 256>;

std::vector<Matrix> matrices(const std::vector<Stick> &sticks, std::uint32_t pair, std::uint32_t s,
                             std::uint32_t t, bool taken_of_it) {
    std::vector<Matrix> made(256, Matrix{});
    for (const Stick &stick : sticks) {
        const std::uint32_t p = packed(stick.cells, s), q = packed(stick.cells, t);
        each_subset(255 & ~packed(stick.cells, pair), [&](std::uint32_t taken) {
            if (!taken_of_it)
                ++made[taken][16 * p + q];
            else
                each_subset(15 & ~p, [&](std::uint32_t a) {
                    each_subset(15 & ~q, [&](std::uint32_t b) { ++made[taken][16 * a + b]; });
                });
        });
    }
    return made;
}

// The assemblies that a turn does not change: a stick for the first place of each cycle of places
// gives those at the others.
std::uint64_t kept_by(const FrameTurn &turn, const BurrFrame &f) {
    std::vector<std::vector<std::uint32_t>> cycles; // the cells of each way to fill one
    std::array<bool, six> done{};
    for (std::size_t i = 0; i < six; ++i) {
        if (done[i])
            continue;
        cycles.emplace_back();
        for (std::size_t number = 0; number < f.n; ++number) {
            std::uint32_t taken = 0;
            std::size_t at = i, kind = number;
            bool fits = true;
            do {
                done[at] = true;
                fits &= !(taken & f.sticks[at][kind].cells);
                taken |= f.sticks[at][kind].cells;
                kind = turn.kind[at][kind];
                at = turn.to[at];
            } while (at != i);
            if (fits && kind == number)
                cycles.back().push_back(taken);
        }
    }
    std::sort(cycles.begin(), cycles.end(),
              [](const auto &a, const auto &b) { return a.size() < b.size(); });
    const auto ways = [&](const auto &self, std::size_t from,
                          std::uint32_t taken) -> std::uint64_t {
        if (from == cycles.size())
            return 1;
        std::uint64_t sum = 0;
        for (std::uint32_t cells : cycles[from])
            if (!(cells & taken))
                sum += self(self, from + 1, taken | cells);
        return sum;
    };
    return ways(ways, 0, 0);
}

} // namespace

std::vector<std::uint64_t> BurrEnumeration::sizes() const {
    const BurrFrame &f = frame_;
    std::array<std::vector<Matrix>, six> of;
    std::array<std::uint32_t, six> pair;
    for (std::size_t i = 2; i < six; ++i) {
        const std::size_t s = i < 4 ? 4 : 2;
        pair[i] = f.meeting(i, 0) | f.meeting(i, 1);
        of[i] = matrices(f.sticks[i], pair[i], f.meeting(i, s), f.meeting(i, s + 1), s == 2);
    }
    std::vector<std::uint64_t> sizes;
    for (std::uint32_t task : f.tasks) {
        const std::uint32_t taken = f.sticks[0][task / f.n].cells | f.sticks[1][task % f.n].cells;
        std::array<const float *, six> m;
        for (std::size_t i = 2; i < six; ++i)
            m[i] = of[i][packed(taken, pair[i])].data();
        double ways = 0;
        for (std::size_t p = 0; p < 16; ++p) {
            std::array<float, 16> one{}, other{}; // by what place 3 takes of place 5
            for (std::size_t q = 0; q < 16; ++q)
                for (std::size_t s = 0; s < 16; ++s) {
                    one[s] += m[2][16 * p + q] * m[5][16 * q + s];
                    other[s] += m[4][16 * p + q] * m[3][16 * q + s];
                }
            for (std::size_t s = 0; s < 16; ++s)
                ways += static_cast<double>(one[s]) * other[s];
        }
        sizes.push_back(static_cast<std::uint64_t>(ways));
    }
    return sizes;
}

// By Burnside's lemma.
std::array<std::uint64_t, 2> BurrEnumeration::count() const {
    const BurrFrame &f = frame_;
    std::vector<std::uint64_t> alike(f.n * f.n);
    for (std::uint32_t own : f.classes)
        ++alike[own];
    const std::vector<std::uint64_t> of = sizes();
    std::uint64_t all = 0, rotated = 0, rotations = 0;
    for (std::size_t task = 0; task < of.size(); ++task)
        all += alike[f.tasks[task]] * of[task];
    rotated = all;
    for (const FrameTurn &turn : f.turns) {
        const std::uint64_t kept = &turn == &f.turns[0] ? 0 : kept_by(turn, f);
        all += kept;
        rotated += turn.reflects ? 0 : kept;
        rotations += !turn.reflects;
    }
    return {all / f.turns.size(), rotated / rotations};
}

// ---- visiting ----

namespace {

std::uint32_t number_of(const BurrFrame &f, std::uint16_t kind) {
    const auto at = std::find(f.masks.begin(), f.masks.end(), kind);
    if (at == f.masks.end())
        throw std::invalid_argument("not one of the sticks");
    return static_cast<std::uint32_t>(at - f.masks.begin());
}

// What becomes of an assembly, as far as it is asked.
struct Judge {
    const LevelBy by;
    MoveSearch taker;
    std::optional<TurnSearch> turner{};
    std::optional<CompleteSearch> finisher{};
    std::vector<MoveSearch> longer{}; // for the variants with longer sticks, in their order,
    std::size_t last = 0;             // the last of these that was asked about the burr at hand,
    std::uint8_t ended = 0;           // and what it said

    Judge(const BurrFrame &f, const BurrQuestion &question)
        : by(question.by), taker(f.boxes, f.length) {
        if (by != LevelBy::move && (question.turns || question.complete || question.compare))
            throw std::invalid_argument("turns, outcomes and variants are for levels by moves");
        if (question.compare && (question.turns || f.length != side))
            throw std::invalid_argument(
                "variants are of sticks as long as the frame, without turns");
        if (question.turns && (*question.turns < 0 || *question.turns >= 500))
            throw std::invalid_argument("a tolerance is less than half a cell");
        if (question.turns)
            turner.emplace(f.boxes, f.length, *question.turns);
        if (question.complete)
            finisher.emplace(taker);
        for (const BurrVariant &variant : variants)
            if (question.compare && variant.length != side)
                longer.emplace_back(f.boxes, variant.length);
    }
    Judge(const Judge &) = delete;

    CompleteSearch::Result operator()(const BurrFrame &f, const SixNumbers &numbers) {
        std::array<const Stick *, six> sticks;
        for (std::size_t i = 0; i < six; ++i)
            sticks[i] = &f.sticks[i][numbers[i]];
        Hold whole;
        for (std::size_t p = 0; p < pairs.size(); ++p)
            whole |= taker.hold(p, *sticks[pairs[p].i], *sticks[pairs[p].j]);
        return (*this)(sticks, whole, {});
    }

    CompleteSearch::Result operator()(const std::array<const Stick *, six> &sticks, const Hold &a,
                                      const Hold &b) {
        CompleteSearch::Result result{0, 0};
        if (finisher)
            result = finisher->take_apart(sticks, a, b);
        else
            result.ending = taker.ending(sticks, a, b, by);
        if (turner && result.ending == stuck)
            result.ending = turner->ending(sticks, taker.states());
        return result;
    }

    // How a burr ends by a variant, if something comes off it at this level; variants in order.
    // What moves at home, and what comes off by the first move, does not depend on how long the
    // sticks are, nor on how far they go along an axis meanwhile. And as long as no two sticks get
    // farther from each other than their arms are long, still longer arms reach nothing new.
    std::uint8_t ending(std::size_t variant, const std::array<const Stick *, six> &sticks,
                        const Hold &a, const Hold &b, std::uint8_t level) {
        const auto [other, length] = variants[variant];
        if ((level == 1 && other != LevelBy::piece) || (level == 2 && other == LevelBy::axis))
            return level;
        if (length == side)
            return taker.ending(sticks, a, b, other);
        const std::size_t at = variant + longer.size() - variants.size();
        if (at == 0 ||
            longer[last].farthest_apart() > Arms(variants[variant - at + last].length).arm) {
            last = at;
            ended = longer[at].ending(sticks);
        }
        return ended;
    }
};

// For each stick of a list, the places in the list of those that lack one more cell.
struct Lighter {
    std::vector<std::uint32_t> place, places, begin;

    Lighter() = default;
    void look_up(const BurrFrame &f, const std::vector<Candidate> &entries) {
        constexpr std::uint32_t none = ~std::uint32_t{0};
        place.assign(f.n, none);
        for (std::uint32_t at = 0; at < entries.size(); ++at)
            place[entries[at].number] = at;
        places.clear();
        begin.clear();
        for (const Candidate &entry : entries) {
            begin.push_back(static_cast<std::uint32_t>(places.size()));
            for (std::uint16_t number : f.lighter[entry.number])
                if (place[number] != none)
                    places.push_back(place[number]);
        }
        begin.push_back(static_cast<std::uint32_t>(places.size()));
    }
    std::span<const std::uint32_t> of(std::size_t at) const {
        return std::span(places).subspan(begin[at], begin[at + 1] - begin[at]);
    }
};

// One task after the other, stick by stick.
struct Visit {
    // The sticks that fit a place beside those at the places before it. How they are held is
    // computed when it is first needed.
    struct List {
        std::vector<Candidate> entries;
        std::vector<char> known;
        std::vector<Hold> contains;
    };

    const BurrFrame &f;
    const BurrQuestion &question;
    BurrCounts &tally;
    const std::function<bool()> &keep_going;
    std::vector<Kept> *kept;

    Judge judge{f, question};
    std::uint32_t own = 0;    // the class of the pair at places 0 and 1,
    bool lone = true;         // which no turn keeps,
    std::uint32_t second = 0; // and that of the pair at 2 and 3
    SixNumbers numbers{};
    std::array<const Stick *, six> sticks{};
    std::array<std::array<List, 3>, six> lists{}; // of places 2 to 5: beside 0 and 1, and 2, and 3

    void place(std::size_t i, std::uint32_t number) {
        numbers[i] = number;
        sticks[i] = &f.sticks[i][number];
    }

    Hold hold(std::size_t i, std::size_t j) const { return hold(i, j, *sticks[j]); }
    Hold hold(std::size_t i, std::size_t j, const Stick &stick) const {
        constexpr std::array<std::uint8_t, six> first{0, 0, 1, 3, 6, 10}; // pair of each j
        return judge.taker.hold(first[j] + i, *sticks[i], stick);
    }

    const Hold &held(std::size_t i, std::size_t depth, std::size_t at) {
        List &list = lists[i][depth];
        if (!list.known[at]) {
            const Candidate &entry = list.entries[at];
            const Stick &stick = f.sticks[i][entry.number];
            list.known[at] = true;
            list.contains[at] = depth == 0 ? hold(0, i, stick) : held(i, depth - 1, entry.from);
            list.contains[at] |= hold(depth + 1, i, stick);
        }
        return list.contains[at];
    }

    // The sticks of the list before that leave alone what is taken and fill what must be.
    bool narrow(std::size_t i, std::size_t depth, std::uint32_t taken, std::uint32_t must = 0) {
        List &list = lists[i][depth];
        const std::vector<Candidate> &from = depth == 0 ? f.all[i] : lists[i][depth - 1].entries;
        list.entries.clear();
        for (std::uint32_t at = 0; at < from.size(); ++at)
            if (!(from[at].cells & taken) && !(must & ~from[at].cells))
                list.entries.push_back({from[at].cells, from[at].number, at});
        list.known.assign(list.entries.size(), false);
        list.contains.resize(list.entries.size());
        return !list.entries.empty();
    }

    // Sticks that lack more cells move more freely: if nothing comes off a burr, nothing comes off
    // one that has another cell. This is noted of all that the last two sticks can be, by their
    // places in the lists, and of the variants, too.
    struct Lock {
        std::uint8_t closed = 0;  // bit 0, or bit v + 1 of variant v, if nothing comes off
        std::uint8_t far = never; // if bit 0: how far two sticks get from each other at most
    };
    static constexpr std::uint8_t all_closed = (2u << variants.size()) - 1;
    std::vector<Lock> locks{};
    std::array<Lighter, 2> lighter{};
    bool looked_up = false;

    Lock lock_of_lighter(std::size_t a, std::size_t b);
    bool task(std::size_t number);
    void last_two(std::size_t third, std::size_t fourth);
    void visit(std::size_t at_a, std::size_t at_b, const Hold &a, bool mirrored);
    void compare(const Hold &a, const Hold &b, std::uint8_t ending, bool mirrored, Lock &lock);
};

// False if interrupted.
bool Visit::task(std::size_t number) {
    own = f.tasks.at(number);
    place(0, static_cast<std::uint32_t>(own / f.n));
    place(1, static_cast<std::uint32_t>(own % f.n));
    lone = true;
    for (const FrameTurn &turn : f.turns)
        if (turn.to[0] < 2 && &turn != &f.turns[0]) {
            const SixNumbers turned = turn(numbers);
            lone &= turned[0] != numbers[0] || turned[1] != numbers[1];
        }
    const std::uint32_t taken = sticks[0]->cells | sticks[1]->cells;
    const std::uint32_t open = f.solid ? ~taken : 0; // cells that must be filled, if they can be
    const std::uint32_t later = f.region[4] | f.region[5];
    for (std::size_t i = 2; i < six; ++i)
        if (!narrow(i, 0, taken, i < 4 ? open & f.region[i] & ~later : 0))
            return true;
    for (std::size_t third = 0; third < lists[2][0].entries.size(); ++third) {
        if (!keep_going())
            return false;
        const Candidate &three = lists[2][0].entries[third];
        if (!narrow(4, 1, three.cells) || !narrow(5, 1, three.cells))
            continue;
        place(2, three.number);
        const std::uint32_t *row = &f.classes[three.number * f.n];
        for (std::size_t fourth = 0; fourth < lists[3][0].entries.size(); ++fourth) {
            const Candidate &four = lists[3][0].entries[fourth];
            second = row[four.number];
            if (second < own)
                continue;
            const std::uint32_t rest = open & ~(three.cells | four.cells);
            if (!narrow(4, 2, four.cells, rest & f.region[4]) ||
                !narrow(5, 2, four.cells, rest & f.region[5]))
                continue;
            place(3, four.number);
            last_two(third, fourth);
        }
    }
    return true;
}

// All that the last two sticks can be, light ones first.
void Visit::last_two(std::size_t third, std::size_t fourth) {
    const List &fifths = lists[4][2], &sixths = lists[5][2];
    for (std::size_t b = 0; b < sixths.entries.size(); ++b)
        held(5, 2, b);
    place(4, 0);
    place(5, 0);
    Hold base = hold(0, 1); // sticks along the same axis always touch in the same way
    base |= hold(2, 3);
    base |= hold(4, 5);
    base |= held(2, 0, third);
    base |= held(3, 0, fourth);
    locks.assign(fifths.entries.size() * sixths.entries.size(), {});
    looked_up = false;
    for (std::size_t a = fifths.entries.size(); a-- > 0;) {
        place(4, fifths.entries[a].number);
        const std::uint32_t *row = &f.classes[numbers[4] * f.n];
        Hold most = base;
        most |= held(4, 2, a);
        for (std::size_t b = sixths.entries.size(); b-- > 0;) {
            const std::uint32_t last = row[sixths.entries[b].number];
            if (last < own)
                continue;
            place(5, sixths.entries[b].number);
            bool mirrored = f.reflects;
            if ((lone && second != own && last != own) || f.stands_for_its_class(numbers, mirrored))
                visit(a, b, most, mirrored);
        }
    }
}

// What is known of a burr from those with a lighter stick.
Visit::Lock Visit::lock_of_lighter(std::size_t a, std::size_t b) {
    const std::size_t width = lists[5][2].entries.size();
    if (!looked_up)
        for (std::size_t i = 0; i < 2; ++i)
            lighter[i].look_up(f, lists[4 + i][2].entries);
    looked_up = true;
    Lock known;
    const auto add = [&](const Lock &lock) {
        known.closed |= lock.closed;
        known.far = std::min(known.far, lock.far);
    };
    for (std::uint32_t other : lighter[0].of(a))
        add(locks[other * width + b]);
    for (std::uint32_t other : lighter[1].of(b))
        add(locks[a * width + other]);
    return known;
}

void Visit::visit(std::size_t at_a, std::size_t at_b, const Hold &a, bool mirrored) {
    const Hold &b = lists[5][2].contains[at_b];
    Lock &lock = locks[at_a * lists[5][2].entries.size() + at_b];
    const bool moves = MoveSearch::anything_moves(a, b);
    if (moves)
        lock = lock_of_lighter(at_a, at_b);
    const bool known = lock.closed & 1 && lock.far < question.far;
    const auto [ending, outcome] = known ? CompleteSearch::Result{stuck, 0} : judge(sticks, a, b);
    ++tally.once[ending];
    tally.mirrored[ending] += mirrored;
    if (outcome) {
        ++tally.apart[ending][outcome][0];
        tally.apart[ending][outcome][1] += mirrored;
    }
    if (ending == rigid)
        lock = {all_closed, 0};
    else if (ending == stuck && !known)
        lock = {all_closed, question.far < never
                                ? static_cast<std::uint8_t>(judge.taker.farthest_apart())
                                : std::uint8_t{0}};
    if (question.compare)
        compare(a, b, ending, mirrored, lock);
    if (kept && ((ending >= question.least && ending <= unclear) ||
                 (outcome >= question.total && outcome < never) ||
                 (ending == stuck && !known && lock.far >= question.far)))
        kept->push_back({f.kinds_of(numbers), ending, outcome, mirrored});
}

void Visit::compare(const Hold &a, const Hold &b, std::uint8_t ending, bool mirrored, Lock &lock) {
    for (std::size_t v = 0; v < variants.size(); ++v) {
        const auto bit = static_cast<std::uint8_t>(2u << v);
        std::uint8_t other = ending;
        if (ending != rigid)
            other = lock.closed & bit ? stuck : judge.ending(v, sticks, a, b, ending);
        if (other == stuck) {
            lock.closed |= bit;
            if (variants[v].length != side) // nor off longer ones
                lock.closed |= static_cast<std::uint8_t>(all_closed & ~(bit - 1));
        }
        ++tally.compared[v][other][0];
        tally.compared[v][other][1] += mirrored;
    }
}

} // namespace

bool BurrEnumeration::run(std::span<const std::uint32_t> tasks, const BurrQuestion &question,
                          BurrCounts &tally, const std::function<bool()> &keep_going,
                          std::vector<Kept> *kept) const {
    if (question.complete)
        tally.apart.resize(endings);
    if (question.compare)
        tally.compared.resize(variants.size());
    Visit visit{frame_, question, tally, keep_going, kept};
    return std::all_of(tasks.begin(), tasks.end(),
                       [&](std::uint32_t number) { return visit.task(number); });
}

CompleteSearch::Result BurrEnumeration::ending(const Kinds &kinds,
                                               const BurrQuestion &question) const {
    SixNumbers numbers;
    for (std::size_t i = 0; i < six; ++i)
        numbers[i] = number_of(frame_, kinds[i]);
    return Judge(frame_, question)(frame_, numbers);
}

// ---- the assemblies of six sticks ----

namespace {

// The first stick is at place 0, where some turn takes it. Of the assemblies that turns make into
// each other and that have such a stick there, the first counts.
struct Census {
    const BurrFrame &f;
    Judge &judge;
    BurrCounts &tally;
    bool mirrored;
    std::vector<std::vector<std::uint32_t>> ways{}; // of the sticks that are not alike
    std::vector<unsigned> left{};                   // of each
    std::vector<bool> like_first{};                 // by number
    SixNumbers numbers{};

    Census(const BurrFrame &f, Judge &judge, BurrCounts &tally,
           const BurrEnumeration::SixSticks &sticks)
        : f(f), judge(judge), tally(tally), mirrored(sticks.mirrored), like_first(f.n) {
        for (std::size_t i = 0; i < six; ++i) {
            const auto first = std::find(sticks.kinds.begin(), sticks.kinds.end(), sticks.kinds[i]);
            const auto alike = static_cast<std::size_t>(first - sticks.kinds.begin());
            ways.emplace_back();
            left.push_back(0);
            ++left[alike];
            if (alike == i)
                for (std::uint16_t kind : sticks.kinds[i])
                    ways[i].push_back(number_of(f, kind));
        }
        for (std::uint32_t number : ways[0])
            like_first[number] = true;
        fill(0, 0);
    }

    void fill(std::size_t place, std::uint32_t taken) {
        if (place == six)
            return judge_it();
        for (std::size_t stick = 0; stick < (place == 0 ? 1 : six); ++stick) {
            if (left[stick] == 0)
                continue;
            --left[stick];
            for (std::uint32_t number : ways[stick])
                if (const std::uint32_t cells = f.sticks[place][number].cells; !(cells & taken)) {
                    numbers[place] = number;
                    fill(place + 1, taken | cells);
                }
            ++left[stick];
        }
    }

    void judge_it() {
        for (const FrameTurn &turn : f.turns)
            if (mirrored || !turn.reflects) {
                const SixNumbers turned = turn(numbers);
                if (like_first[turned[0]] && turned < numbers)
                    return;
            }
        const auto [ending, outcome] = judge(f, numbers);
        ++tally.once[ending];
        if (outcome)
            ++tally.apart[ending][outcome][0];
    }
};

} // namespace

std::vector<BurrCounts> BurrEnumeration::census(std::span<const SixSticks> sets) const {
    Judge judge(frame_, {.complete = true});
    std::vector<BurrCounts> counts(sets.size());
    for (std::size_t set = 0; set < sets.size(); ++set) {
        counts[set].apart.resize(endings);
        Census(frame_, judge, counts[set], sets[set]);
    }
    return counts;
}

} // namespace kumitate
