#include "burr6_complete.hpp"

#include <algorithm>
#include <bit>

namespace kumitate {

namespace {

unsigned size(unsigned part) {
    return static_cast<unsigned>(std::popcount(part));
}

void lower(std::uint8_t &least, unsigned moves) {
    if (moves < least)
        least = static_cast<std::uint8_t>(moves);
}

// A set that never parts.
std::uint8_t clump(unsigned part) {
    constexpr std::array<std::uint8_t, six> of{0, 0, 1, 4, 16, 32};
    return of[size(part)];
}

// Where the sticks of a part stand, from its first; 0 if states cannot tell that.
std::uint64_t relative(unsigned part, std::uint64_t where) {
    if (part & 1) {
        std::uint64_t all = 0;
        for (unsigned i = 1; i < six; ++i)
            if (part >> i & 1)
                all |= std::uint64_t{0xf0000f0000f} << 4 * (i - 1);
        return (where & all) | std::uint64_t{1} << 60;
    }
    std::uint64_t moved = 0;
    const auto first = static_cast<unsigned>(std::countr_zero(part));
    for (unsigned axis = 0; axis < 3; ++axis) {
        const auto at = [&](unsigned i) {
            return static_cast<int>(where >> (20 * axis + 4 * (i - 1)) & 15);
        };
        for (unsigned i = first; i < six; ++i)
            if (part >> i & 1) {
                const int there = 8 + at(i) - at(first);
                if (there < 1 || there > 15)
                    return 0;
                moved |= static_cast<std::uint64_t>(there) << (20 * axis + 4 * (i - 1));
            }
    }
    return moved;
}

} // namespace

std::uint64_t CompleteSearch::numbers_of(unsigned part) const {
    std::uint64_t numbers = 0;
    for (unsigned i = 0; i < six; ++i)
        if (part >> i & 1)
            numbers = numbers << 12 | sticks_[i]->number;
    return numbers;
}

CompleteSearch::Memo &CompleteSearch::memo(const Key &key) {
    std::uint64_t mixed = (key.numbers ^ key.where * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
    mixed ^= mixed >> 32;
    mixed *= 0xc4ceb9fe1a85ec53u;
    return memo_[mixed >> (64 - std::countr_zero(slots))];
}

// The moves of a part to a separation; the sticks are looked up when they are first needed.
std::uint8_t CompleteSearch::search(unsigned part, const SlideState &from, const Exit &exit) {
    if (!in_use_)
        moves_.use(sticks_);
    in_use_ = true;
    const std::uint8_t moves = moves_.search(part, from, &exit);
    vast_ |= moves == vast;
    return moves;
}

CompleteSearch::Result CompleteSearch::take_apart(const std::array<const Stick *, six> &sticks,
                                                  const Hold &a, const Hold &b) {
    std::uint64_t still = ~std::uint64_t{0}, held = still;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        still &= a.step[axis] | b.step[axis] | no_move;
        held &= a.ever[axis] | b.ever[axis] | no_move;
    }
    if (!~still)
        return {rigid, 0};
    sticks_ = sticks;
    in_use_ = vast_ = false;
    Hold whole = a;
    whole |= b;
    home_ = MoveSearch::start(whole);
    const Grip grip(home_.at_last);
    std::uint8_t least = unknown, stay = 0;
    if (~held) {
        stay = split(~held, everything, grip);
        if (stay == 0)
            least = total(everything, home_);
        return result(1, stay, least);
    }
    bool first = true;
    const std::uint8_t ending =
        search(everything, home_, [&](const SlideState &state, std::uint8_t moves) {
            if (first)
                stay = split(Grip(state.at_last).exits(everything), everything, grip);
            first = false;
            if (stay)
                return true;
            lower(least, moves - 1u + total(everything, state));
            return least == moves + 4;
        });
    return result(ending, stay, least);
}

CompleteSearch::Result CompleteSearch::result(std::uint8_t ending, std::uint8_t stay,
                                              std::uint8_t least) const {
    if (vast_ || (ending <= most_moves && stay == 0 && least >= never))
        return {vast, 0};
    return {ending, ending > most_moves ? std::uint8_t{0}
                    : stay              ? static_cast<std::uint8_t>(never + stay)
                                        : least};
}

// What never parts in the two parts that a separation makes, one of these.
std::uint8_t CompleteSearch::split(std::uint64_t exits, unsigned part, const Grip &grip) {
    const auto set = static_cast<unsigned>(std::countr_zero(exits));
    return static_cast<std::uint8_t>(clumps(set, grip) + clumps(part & ~set, grip));
}

// What never parts in a part, added up. It is searched at home, with this grip.
std::uint8_t CompleteSearch::clumps(unsigned part, const Grip &grip) {
    if (size(part) == 1)
        return 0;
    if (const std::uint64_t exits = grip.exits(part))
        return split(exits, part, grip);
    const Key key{numbers_of(part), relative(part, home_.where) | std::uint64_t{1} << 61};
    if (const Memo &known = memo(key); known.key == key)
        return known.value;
    std::uint64_t exits = 0;
    search(part, home_, [&](const SlideState &state, std::uint8_t) {
        exits = Grip(state.at_last).exits(part);
        return true;
    });
    const std::uint8_t found = exits ? split(exits, part, grip) : clump(part);
    if (!vast_)
        memo(key) = {key, found};
    return found;
}

// The fewest moves in all that take a part apart, nearest separations first.
std::uint8_t CompleteSearch::total(unsigned part, const SlideState &state) {
    Totals known{};
    return total(part, state, Grip(state.at_last), known);
}

std::uint8_t CompleteSearch::total(unsigned part, const SlideState &state, const Grip &grip,
                                   Totals &known) {
    if (size(part) == 1)
        return 0;
    std::uint8_t &least = known[part];
    if (least)
        return least;
    least = unknown;
    const unsigned separations = size(part) - 1;
    if (const std::uint64_t exits = grip.exits(part)) {
        for (std::uint64_t sets = exits; sets && least != separations; sets &= sets - 1) {
            const auto set = static_cast<unsigned>(std::countr_zero(sets));
            const unsigned rest = part & ~set;
            if (rest < set && exits >> rest & 1) // the same two parts
                continue;
            lower(least, 1u + total(set, state, grip, known) + total(rest, state, grip, known));
        }
        return least;
    }
    const std::uint64_t where = relative(part, state.where);
    const Key key{numbers_of(part), where};
    if (const Memo &kept = memo(key); where && kept.key == key)
        return least = kept.value;
    search(part, state, [&](const SlideState &there, std::uint8_t moves) {
        lower(least, moves - 1u + total(part, there));
        return least == moves - 1 + separations;
    });
    if (where && !vast_)
        memo(key) = {key, least};
    return least;
}

} // namespace kumitate
