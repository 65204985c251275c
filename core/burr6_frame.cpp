#include "burr6_frame.hpp"

#include <algorithm>
#include <stdexcept>

namespace kumitate {

namespace {

using Cells = std::vector<FrameCell>;

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

Shift place_of(FrameCell cell) {
    return {cell / (side * side), cell / side % side, cell % side};
}

} // namespace

BurrFrame::BurrFrame(const StickSet &set, bool is_solid)
    : n(set.kinds.size()), solid(is_solid), reflects(set.turns.size() > set.rotations),
      length(set.length), masks(set.kinds) {
    const auto inside = [](const Cells &cells) {
        return std::all_of(cells.begin(), cells.end(), [](auto c) { return c < frame_cells; });
    };
    if (set.loose.size() > 12 || n == 0 || n > std::size_t{1} << set.loose.size() ||
        set.rotations == 0 || !inside(set.home) || !inside(set.loose) ||
        set.rotations > set.turns.size())
        throw std::invalid_argument("no sticks for a frame of 6 x 6 x 6 cells");
    if (length % 2 || length < side || length > longest)
        throw std::invalid_argument("sticks are 6, 8, 10 or 12 long");
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
    const MoveSearch taker(boxes, length);
    const Hold bare = taker.hold(14, stick_at(set, 4, 0), stick_at(set, 5, 0));
    const auto whole = static_cast<std::uint16_t>((1u << set.loose.size()) - 1);
    const Hold full = taker.hold(14, stick_at(set, 4, whole), stick_at(set, 5, whole));
    if (bare.at_step != full.at_step || bare.at_last != full.at_last)
        throw std::invalid_argument("sticks along the same axis must touch where they are whole");
}

// Beside the home stick lies one that it does not meet, and a third of a full turn takes both to
// the next axis.
void BurrFrame::lay_out(const StickSet &set) {
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
        std::vector<Shift> whole;
        for (FrameCell cell : image(set.turns[places[i]], set.home))
            whole.push_back(place_of(cell));
        boxes[i] = box_of(whole);
        for (std::uint32_t number = 0; number < n; ++number) {
            sticks[i].push_back(stick_at(set, i, masks[number]));
            sticks[i].back().number = number;
            all[i].push_back({sticks[i].back().cells, number, 0});
        }
    }
}

Stick BurrFrame::stick_at(const StickSet &set, std::size_t place, std::uint16_t mask) const {
    Stick stick{};
    for (FrameCell home : set.home) {
        const std::size_t b = index_of(set.loose, home);
        if (b < set.loose.size() && !(mask >> b & 1))
            continue;
        const FrameCell cell = set.turns[places[place]][home];
        stick.cells |= bit[cell];
        const Shift at = place_of(cell);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const int across = side * at[(axis + 1) % 3] + at[(axis + 2) % 3];
            std::uint8_t &column = stick.column[axis][across];
            column = static_cast<std::uint8_t>(column | 1 << at[axis]);
        }
    }
    return stick;
}

void BurrFrame::turn_sticks(const StickSet &set) {
    std::vector<std::size_t> number_of(std::size_t{1} << set.loose.size(), n);
    for (std::size_t number = 0; number < n; ++number)
        number_of[masks[number]] = number;
    for (std::uint16_t mask : masks) {
        lighter.emplace_back();
        for (std::uint32_t bits = mask; bits; bits &= bits - 1)
            if (const std::size_t number = number_of[mask & ~(bits & -bits)]; number != n)
                lighter.back().push_back(static_cast<std::uint16_t>(number));
    }
    std::array<Cells, six> whole;
    for (std::size_t i = 0; i < six; ++i)
        whole[i] = sorted(image(set.turns[places[i]], set.home));
    for (std::size_t t = 0; t < set.turns.size(); ++t) {
        FrameTurn turn{{}, {}, t >= set.rotations};
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

void BurrFrame::classify() {
    classes.resize(n * n);
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) {
            std::size_t least = a * n + b;
            for (const FrameTurn &turn : turns)
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
bool BurrFrame::stands_for_its_class(const SixNumbers &numbers, bool &mirrored) const {
    for (const FrameTurn &turn : turns) {
        const SixNumbers turned = turn(numbers);
        if (turned[0] != numbers[0] || turned[1] != numbers[1])
            continue;
        if (turned < numbers)
            return false;
        if (turn.reflects && turned == numbers)
            mirrored = false;
    }
    return true;
}

} // namespace kumitate
