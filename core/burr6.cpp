#include "burr6.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace kumitate {

namespace {

using Cells = std::vector<FrameCell>;
using Numbers = std::array<std::uint32_t, six>; // of the kinds at each place

constexpr std::size_t frame_cells = side * side * side;

Cells image(const Cells &turn, Cells cells) {
    for (FrameCell &cell : cells)
        cell = turn[cell];
    return cells;
}

Cells sorted(Cells cells) {
    std::sort(cells.begin(), cells.end());
    return cells;
}

template <class T> std::size_t index_of(const std::vector<T> &all, const T &one) {
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), one) - all.begin());
}

std::array<int, 3> coordinates(FrameCell cell) {
    return {cell / (side * side), cell / side % side, cell % side};
}

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

struct Entry {
    std::uint32_t cells, number, from; // in the list that was narrowed
};

// What a stick becomes by a turn.
struct Turn {
    std::array<std::uint8_t, six> to;                 // of each place
    std::array<std::vector<std::uint16_t>, six> kind; // by place and number
    bool reflects;

    Numbers operator()(const Numbers &numbers) const {
        Numbers turned;
        for (std::size_t i = 0; i < six; ++i)
            turned[to[i]] = kind[i][numbers[i]];
        return turned;
    }
};

} // namespace

struct BurrEnumeration::Frame {
    std::size_t n; // kinds
    bool solid, reflects;
    std::vector<std::uint16_t> masks; // of the kinds
    std::array<std::size_t, six> places;
    std::array<Box, six> boxes;
    std::array<std::vector<Stick>, six> sticks;   // kind 7 of place 2 is that of place 0, turned
    std::array<std::vector<Entry>, six> all;      // of them
    std::array<std::uint32_t, frame_cells> bit{}; // of the cells that places share
    std::array<std::uint32_t, six> region{};      // those of each place
    std::vector<Turn> turns;
    std::vector<std::uint32_t> classes; // by two numbers: those of the first pair of the class
    std::vector<std::uint32_t> tasks;

    Frame(const StickSet &set, bool is_solid);
    void lay_out(const StickSet &set);
    Stick stick_at(const StickSet &set, std::size_t place, std::uint16_t mask) const;
    void turn_sticks(const StickSet &set);
    void classify();

    std::uint32_t meeting(std::size_t i, std::size_t j) const { return region[i] & region[j]; }
    std::uint64_t kept_by(const Turn &turn) const;
    bool stands_for_its_class(const Numbers &numbers, bool &mirrored) const;
    Kinds kinds_of(const Numbers &numbers) const {
        Kinds kinds;
        for (std::size_t i = 0; i < six; ++i)
            kinds[i] = masks[numbers[i]];
        return kinds;
    }
};

BurrEnumeration::Frame::Frame(const StickSet &set, bool is_solid)
    : n(set.kinds.size()), solid(is_solid), reflects(set.turns.size() > set.rotations),
      masks(set.kinds) {
    const auto inside = [](const Cells &cells) {
        return std::all_of(cells.begin(), cells.end(), [](auto c) { return c < frame_cells; });
    };
    if (set.loose.size() > 12 || n == 0 || n > std::size_t{1} << set.loose.size() ||
        set.rotations == 0 || !inside(set.home) || !inside(set.loose) ||
        set.rotations > set.turns.size())
        throw std::invalid_argument("no sticks for a frame of 6 x 6 x 6 cells");
    for (const Cells &turn : set.turns)
        if (turn.size() != frame_cells || !inside(turn))
            throw std::invalid_argument("a turn says where each of the 216 cells goes");
    for (std::uint16_t mask : masks)
        if (mask >> set.loose.size())
            throw std::invalid_argument("a stick has cells that there are not");
    lay_out(set);
    turn_sticks(set);
    classify();
    // What the others touch is found out stick by stick, but not what sticks along the same axis do
    // to each other: it must not depend on the cells that they may lack.
    const MoveSearch taker(boxes);
    const Hold bare = taker.hold(14, stick_at(set, 4, 0), stick_at(set, 5, 0));
    const auto whole = static_cast<std::uint16_t>((1u << set.loose.size()) - 1);
    const Hold full = taker.hold(14, stick_at(set, 4, whole), stick_at(set, 5, whole));
    if (bare.at_step != full.at_step || bare.at_last != full.at_last)
        throw std::invalid_argument("sticks along the same axis must touch where they are whole");
}

// Beside the home stick lies one that it does not meet, and a third of a full turn takes both to
// the next axis.
void BurrEnumeration::Frame::lay_out(const StickSet &set) {
    const Cells home = sorted(set.home);
    std::size_t beside = 0, next = 0;
    for (std::size_t t = set.rotations; t-- > 0;) {
        const Cells there = sorted(image(set.turns[t], home));
        const bool meets =
            std::find_first_of(there.begin(), there.end(), home.begin(), home.end()) != there.end();
        if (there != home)
            (meets ? next : beside) = t;
    }
    if (beside == 0 || next == 0)
        throw std::invalid_argument("the turns are no group");
    const Cells &third = set.turns[next];
    const Cells &over = set.turns[beside];
    places = {0,
              beside,
              next,
              index_of(set.turns, image(third, over)),
              index_of(set.turns, image(third, third)),
              index_of(set.turns, image(third, image(third, over)))};
    unsigned count = 0;
    for (std::size_t i = 0; i < six; ++i) {
        if (places[i] >= set.rotations)
            throw std::invalid_argument("the turns are no group");
        for (FrameCell cell : image(set.turns[places[i]], set.loose)) {
            if (bit[cell] == 0 && count == 32)
                throw std::invalid_argument("sticks meet in more than 32 cells");
            if (bit[cell] == 0)
                bit[cell] = std::uint32_t{1} << count++;
            region[i] |= bit[cell];
        }
    }
    for (std::size_t i = 0; i < six; ++i) {
        Box &box = boxes[i] = {{side, side, side}, {0, 0, 0}};
        for (FrameCell cell : image(set.turns[places[i]], set.home))
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const int c = coordinates(cell)[axis];
                box.low[axis] = std::min(box.low[axis], c);
                box.high[axis] = std::max(box.high[axis], c + 1);
            }
        for (std::uint32_t number = 0; number < n; ++number) {
            sticks[i].push_back(stick_at(set, i, masks[number]));
            sticks[i].back().number = number;
            all[i].push_back({sticks[i].back().cells, number, 0});
        }
    }
}

Stick BurrEnumeration::Frame::stick_at(const StickSet &set, std::size_t place,
                                       std::uint16_t mask) const {
    Stick stick{};
    for (FrameCell home : set.home) {
        const std::size_t b = index_of(set.loose, home);
        if (b < set.loose.size() && !(mask >> b & 1))
            continue;
        const FrameCell cell = set.turns[places[place]][home];
        stick.cells |= bit[cell];
        const auto at = coordinates(cell);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const int across = side * at[(axis + 1) % 3] + at[(axis + 2) % 3];
            std::uint8_t &column = stick.column[axis][across];
            column = static_cast<std::uint8_t>(column | 1 << at[axis]);
        }
    }
    return stick;
}

void BurrEnumeration::Frame::turn_sticks(const StickSet &set) {
    std::vector<std::size_t> number_of(std::size_t{1} << set.loose.size(), n);
    for (std::size_t number = 0; number < n; ++number)
        number_of[masks[number]] = number;
    std::array<Cells, six> whole;
    for (std::size_t i = 0; i < six; ++i)
        whole[i] = sorted(image(set.turns[places[i]], set.home));
    for (std::size_t t = 0; t < set.turns.size(); ++t) {
        Turn turn{{}, {}, t >= set.rotations};
        for (std::size_t i = 0; i < six; ++i) {
            const Cells there = sorted(image(set.turns[t], whole[i]));
            const auto to = std::find(whole.begin(), whole.end(), there);
            if (to == whole.end())
                throw std::invalid_argument("a turn does not keep the frame");
            turn.to[i] = static_cast<std::uint8_t>(to - whole.begin());
            const Cells from = image(set.turns[t], image(set.turns[places[i]], set.loose));
            const Cells loose = image(set.turns[places[turn.to[i]]], set.loose);
            for (std::uint16_t mask : masks) {
                std::size_t turned = 0;
                for (std::size_t b = 0; b < from.size(); ++b)
                    if (mask >> b & 1)
                        turned |= std::size_t{1} << index_of(loose, from[b]);
                if (turned >= number_of.size() || number_of[turned] == n)
                    throw std::invalid_argument("a turned stick is not among the sticks");
                turn.kind[i].push_back(static_cast<std::uint16_t>(number_of[turned]));
            }
        }
        turns.push_back(std::move(turn));
    }
}

void BurrEnumeration::Frame::classify() {
    classes.resize(n * n);
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) {
            std::size_t least = a * n + b;
            for (const Turn &turn : turns)
                if (turn.to[0] == 0)
                    least = std::min(least, turn.kind[0][a] * n + turn.kind[1][b]);
                else if (turn.to[0] == 1)
                    least = std::min(least, turn.kind[1][b] * n + turn.kind[0][a]);
            classes[a * n + b] = static_cast<std::uint32_t>(least);
            if (least == a * n + b)
                tasks.push_back(static_cast<std::uint32_t>(least));
        }
}

// Of the assemblies with this pair that are of one class, all of which the task meets, the first.
bool BurrEnumeration::Frame::stands_for_its_class(const Numbers &numbers, bool &mirrored) const {
    for (const Turn &turn : turns) {
        const Numbers turned = turn(numbers);
        if (turned[0] != numbers[0] || turned[1] != numbers[1])
            continue;
        if (turned < numbers)
            return false;
        if (turn.reflects && turned == numbers)
            mirrored = false;
    }
    return true;
}

// ---- counting ----

// For all that the pair at places 0 and 1 may take of a place: how many sticks fit there, by which
// cells they take of two others, s and t, or by which cells those take of it. Floats are exact:
// there are no more than 2^12 sticks, so no sum of products exceeds 2^24.
using Matrix = std::array<float, 256>;

static std::vector<Matrix> matrices(const std::vector<Stick> &sticks, std::uint32_t pair,
                                    std::uint32_t s, std::uint32_t t, bool taken_of_it) {
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

std::vector<std::uint64_t> BurrEnumeration::sizes() const {
    const Frame &f = *frame_;
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

// The assemblies that a turn does not change: a stick for the first place of each cycle of places
// gives those at the others.
std::uint64_t BurrEnumeration::Frame::kept_by(const Turn &turn) const {
    std::vector<std::vector<std::uint32_t>> cycles; // the cells of each way to fill one
    std::array<bool, six> done{};
    for (std::size_t i = 0; i < six; ++i) {
        if (done[i])
            continue;
        cycles.emplace_back();
        for (std::size_t number = 0; number < n; ++number) {
            std::uint32_t taken = 0;
            std::size_t at = i, kind = number;
            bool fits = true;
            do {
                done[at] = true;
                fits &= !(taken & sticks[at][kind].cells);
                taken |= sticks[at][kind].cells;
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

// By Burnside's lemma.
std::array<std::uint64_t, 2> BurrEnumeration::count() const {
    const Frame &f = *frame_;
    std::vector<std::uint64_t> alike(f.n * f.n);
    for (std::uint32_t own : f.classes)
        ++alike[own];
    const std::vector<std::uint64_t> of = sizes();
    std::uint64_t all = 0, rotated = 0, rotations = 0;
    for (std::size_t task = 0; task < of.size(); ++task)
        all += alike[f.tasks[task]] * of[task];
    rotated = all;
    for (const Turn &turn : f.turns) {
        const std::uint64_t kept = &turn == &f.turns[0] ? 0 : f.kept_by(turn);
        all += kept;
        rotated += turn.reflects ? 0 : kept;
        rotations += !turn.reflects;
    }
    return {all / f.turns.size(), rotated / rotations};
}

// ---- visiting ----

// One task after the other, stick by stick.
struct BurrEnumeration::Visit {
    // The sticks that fit a place beside those at the places before it. How they are held is found
    // out when it is asked.
    struct List {
        std::vector<Entry> entries;
        std::vector<char> known;
        std::vector<Hold> contains;
    };

    const Frame &f;
    BurrCounts &tally;
    const std::function<bool()> &keep_going;
    std::uint8_t least;
    std::vector<Kept> *kept;

    MoveSearch taker{f.boxes};
    std::uint32_t own = 0;    // the class of the pair at places 0 and 1,
    bool lone = true;         // which no turn keeps,
    std::uint32_t second = 0; // and that of the pair at 2 and 3
    Numbers numbers{};
    std::array<const Stick *, six> sticks{};
    std::array<std::array<List, 3>, six> lists{}; // of places 2 to 5: beside 0 and 1, and 2, and 3

    void place(std::size_t i, std::uint32_t number) {
        numbers[i] = number;
        sticks[i] = &f.sticks[i][number];
    }

    Hold hold(std::size_t i, std::size_t j) const { return hold(i, j, *sticks[j]); }
    Hold hold(std::size_t i, std::size_t j, const Stick &stick) const {
        constexpr std::array<std::uint8_t, six> first{0, 0, 1, 3, 6, 10}; // pair of each j
        return taker.hold(first[j] + i, *sticks[i], stick);
    }

    const Hold &held(std::size_t i, std::size_t depth, std::size_t at) {
        List &list = lists[i][depth];
        if (!list.known[at]) {
            const Entry &entry = list.entries[at];
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
        const std::vector<Entry> &from = depth == 0 ? f.all[i] : lists[i][depth - 1].entries;
        list.entries.clear();
        for (std::uint32_t at = 0; at < from.size(); ++at)
            if (!(from[at].cells & taken) && !(must & ~from[at].cells))
                list.entries.push_back({from[at].cells, from[at].number, at});
        list.known.assign(list.entries.size(), false);
        list.contains.resize(list.entries.size());
        return !list.entries.empty();
    }

    bool task(std::size_t number);
    void last_two(std::size_t third, std::size_t fourth);
};

// False if interrupted.
bool BurrEnumeration::Visit::task(std::size_t number) {
    own = f.tasks.at(number);
    place(0, static_cast<std::uint32_t>(own / f.n));
    place(1, static_cast<std::uint32_t>(own % f.n));
    lone = true;
    for (const Turn &turn : f.turns)
        if (turn.to[0] < 2 && &turn != &f.turns[0]) {
            const Numbers turned = turn(numbers);
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
        const Entry &three = lists[2][0].entries[third];
        if (!narrow(4, 1, three.cells) || !narrow(5, 1, three.cells))
            continue;
        place(2, three.number);
        const std::uint32_t *row = &f.classes[three.number * f.n];
        for (std::size_t fourth = 0; fourth < lists[3][0].entries.size(); ++fourth) {
            const Entry &four = lists[3][0].entries[fourth];
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

// All that the last two sticks can be.
void BurrEnumeration::Visit::last_two(std::size_t third, std::size_t fourth) {
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
    for (std::size_t a = 0; a < fifths.entries.size(); ++a) {
        place(4, fifths.entries[a].number);
        const std::uint32_t *row = &f.classes[numbers[4] * f.n];
        Hold most = base;
        most |= held(4, 2, a);
        for (std::size_t b = 0; b < sixths.entries.size(); ++b) {
            const std::uint32_t last = row[sixths.entries[b].number];
            if (last < own)
                continue;
            place(5, sixths.entries[b].number);
            bool mirrored = f.reflects;
            if ((!lone || second == own || last == own) &&
                !f.stands_for_its_class(numbers, mirrored))
                continue;
            const std::uint8_t ending = taker.ending(sticks, most, sixths.contains[b]);
            ++tally.once[ending];
            tally.mirrored[ending] += mirrored;
            if (kept && ending >= least && ending <= most_moves)
                kept->push_back({f.kinds_of(numbers), ending, mirrored});
        }
    }
}

BurrEnumeration::BurrEnumeration(const StickSet &sticks, bool solid)
    : frame_(std::make_unique<Frame>(sticks, solid)) {}
BurrEnumeration::~BurrEnumeration() = default;

std::size_t BurrEnumeration::tasks() const {
    return frame_->tasks.size();
}

const std::array<std::size_t, six> &BurrEnumeration::places() const {
    return frame_->places;
}

bool BurrEnumeration::run(std::span<const std::uint32_t> tasks, BurrCounts &tally,
                          const std::function<bool()> &keep_going, std::uint8_t least,
                          std::vector<Kept> *kept) const {
    Visit visit{*frame_, tally, keep_going, least, kept};
    return std::all_of(tasks.begin(), tasks.end(),
                       [&](std::uint32_t number) { return visit.task(number); });
}

std::uint8_t BurrEnumeration::ending(const Kinds &kinds) const {
    MoveSearch taker(frame_->boxes);
    std::array<const Stick *, six> sticks;
    for (std::size_t i = 0; i < six; ++i) {
        const std::size_t number = index_of(frame_->masks, kinds[i]);
        if (number == frame_->n)
            throw std::invalid_argument("not one of the sticks");
        sticks[i] = &frame_->sticks[i][number];
    }
    Hold whole;
    for (std::size_t p = 0; p < pairs.size(); ++p)
        whole |= taker.hold(p, *sticks[pairs[p].i], *sticks[pairs[p].j]);
    return taker.ending(sticks, whole, {});
}

} // namespace kumitate
