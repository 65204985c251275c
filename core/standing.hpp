// Pieces where they stand: whether anything can move at all, and what can slide off at once.
//
// Most parts need no more than this look: they are rigid, or fall apart piece by piece with nothing
// moved before, and then what blocks what among those that are left is known already.
#pragma once

#include "field.hpp"
#include "pushes.hpp"

#include <optional>
#include <span>

namespace kumitate {

template <class Set> struct Exit {
    Set set;
    std::uint32_t direction;
};

template <class Set, class Known = Pairs> class Standing {
  public:
    Standing(Known &pairs, std::span<const Placed> placed)
        : pairs_(pairs), placed_(placed),
          pushes_(2 * pairs.steps().size(), Pushes<Set>(placed.size())) {}

    // Look at the pieces of a part, each moved from where it was assembled to its place. If nothing
    // can move they may not be measured, which costs more, and then false.
    bool look(const Set &part, std::span<const Shift> places) {
        bool measured = true;
        for (Pushes<Set> &pushes : pushes_)
            pushes.forget(part);
        each_two(part, places, [&](std::size_t i, std::size_t j, auto pair, auto offset) {
            const auto &gaps = pairs_.find(pair, offset);
            measured = measured && gaps.at != none;
            note(i, j, 0, gaps.now);
            note(i, j, 1, gaps.ever);
        });
        if (measured)
            return true;
        if (!anything_moves(part))
            return false;
        each_two(part, places, [&](std::size_t i, std::size_t j, auto pair, auto offset) {
            note(i, j, 1, pairs_.measure(pair, offset).ever);
        });
        return true;
    }

    // The same for all pieces where they were assembled, in a box that suits them.
    bool look(Field &field) {
        typename Field::template Stand<Set> stand(field);
        Set everyone{};
        for (std::size_t i = 0; i < placed_.size(); ++i)
            include(everyone, i);
        if (stand.overlap())
            return look(everyone, std::vector<Shift>(placed_.size()));
        for (Pushes<Set> &pushes : pushes_)
            pushes.forget(everyone);
        for (std::size_t step = 0; 2 * step < pushes_.size(); ++step)
            stand.meet_now(step,
                           [&](std::size_t i, const Set &met) { pushes_[2 * step].add(i, met); });
        if (!anything_moves(everyone))
            return false;
        for (std::size_t step = 0; 2 * step < pushes_.size(); ++step)
            stand.meet_ever(
                step, [&](std::size_t i, const Set &met) { pushes_[2 * step + 1].add(i, met); });
        return true;
    }

    // Whether anything can move, of a part that was looked at, or of a part of it.
    bool anything_moves(const Set &part) {
        for (std::size_t step = 0; step < pushes_.size(); step += 2) {
            close(pushes_[step], part);
            if (!empty(common(unite(forth_.small, back_.small), part)))
                return true;
        }
        return false;
    }

    // What slides off, of a part that was looked at and measured, or of a part of it: single pieces
    // first, then sets, each by direction and piece.
    std::optional<Exit<Set>> exit(const Set &part) {
        for (std::uint32_t direction = 0; direction < pushes_.size(); direction += 2) {
            const Pushes<Set> &ever = pushes_[direction + 1];
            Set pushed{}, pushers{};
            each(part, [&](std::size_t i) {
                const Set row = common(ever.row(i), part);
                pushed = unite(pushed, row);
                if (!empty(row))
                    include(pushers, i);
            });
            if (const Set free = without(part, pushers); !empty(free))
                return Exit<Set>{singleton<Set>(first(free)), direction};
            if (const Set free = without(part, pushed); !empty(free))
                return Exit<Set>{singleton<Set>(first(free)), direction + 1};
        }
        for (std::uint32_t direction = 0; direction < pushes_.size(); direction += 2) {
            close(pushes_[direction + 1], part);
            if (const Set small = common(forth_.small, part); !empty(small))
                return Exit<Set>{forth_.of[first(small)], direction};
            if (const Set small = common(back_.small, part); !empty(small))
                return Exit<Set>{back_.of[first(small)], direction + 1};
        }
        return std::nullopt;
    }

  private:
    Known &pairs_;
    const std::span<const Placed> placed_;
    std::vector<Pushes<Set>> pushes_; // by step: on the first unit, and ever
    Closure<Set> forth_, back_;       // for some step

    static std::size_t first(const Set &set) {
        std::size_t least = none;
        each(set, [&](std::size_t i) { least = std::min(least, i); });
        return least;
    }

    template <class Visit>
    void each_two(const Set &part, std::span<const Shift> places, Visit &&visit) const {
        each(part, [&](std::size_t j) {
            const Placed &b = placed_[j];
            for (std::size_t i = 0; i < j; ++i)
                if (contains(part, i)) {
                    const Placed &a = placed_[i];
                    const Shift from = a.at + places[i] - b.at - places[j];
                    visit(i, j, Pairs::pair(a.body, b.body), Pairs::offset(from));
                }
        });
    }

    // Which of two pushes the other, by the bits of their gaps: 0 on the first unit, 1 ever.
    void note(std::size_t i, std::size_t j, std::size_t which, std::uint64_t bits) {
        const std::size_t steps = pushes_.size() / 2;
        for (std::size_t step = 0; step < steps; ++step, bits >>= 1) {
            Pushes<Set> &pushes = pushes_[2 * step + which];
            pushes.add(i, j, bits & 1);
            pushes.add(j, i, bits >> steps & 1);
        }
    }

    void close(const Pushes<Set> &pushes, const Set &part) {
        pushes.within(part).close(size(part) / 2, forth_, back_);
    }
};

} // namespace kumitate
