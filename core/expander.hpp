// What can be done from one state of a part: whether something slides off, and which sets of pieces
// move how far.
//
// For every step there is a square of gaps: how many units each piece can go before it meets each
// other. Pieces that meet within some units push each other on the next, and the closures of that
// are the sets that move. From one state to the next only gaps between pieces that moved
// differently change.
#pragma once

#include "pushes.hpp"
#include "standing.hpp"
#include "states.hpp"

#include <cstdlib>
#include <cstring>

namespace kumitate {

inline constexpr std::size_t most_children = 2'000'000; // of the states of a block, on one thread

// Which pieces of an assembly, by their numbers in it.
using Part = std::vector<std::uint32_t>;

// What is known of pairs comes from `Pairs`, or from what answers like it.
template <class Lane, class Set, class Known = Pairs> class Expander {
  public:
    explicit Expander(Known &pairs) : steps_(pairs.steps()), pairs_(pairs) {
        distances_.resize(steps_.size());
        for (const Shift &step : steps_)
            safe_.push_back(Packed<Lane>::half_room(step));
    }

    // Whether unions of sets that can move are moves, too; if not, they take a move for each set.
    void list_unions(bool unions) { unions_ = unions; }

    const std::vector<Shift> &steps() const { return steps_; }

    // Begin with other pieces.
    void take(std::span<const Placed> placed, std::span<const std::uint32_t> part) {
        n_ = part.size();
        unions_ = true;
        words_ = words_for(n_);
        stride_ = sizeof(Gap) == 1 ? 8 * sizeof(Set) : n_;
        area_ = (stride_ * n_ + 63) / 64 * 64;
        gaps_.assign(steps_.size() * area_, forever<Gap>);
        here_ = next_ = ever_ = Pushes<Set>(n_);
        offsets_.resize(n_);
        twos_.clear();
        for (std::uint32_t j = 0; j < n_; ++j)
            for (std::uint32_t i = 0; i < j; ++i) {
                const Placed &a = placed[part[i]], &b = placed[part[j]];
                twos_.push_back({Pairs::pair(a.body, b.body), i, j, Pairs::offset(a.at - b.at)});
            }
        everyone_ = Set{};
        for (std::size_t i = 0; i < n_; ++i)
            include(everyone_, i);
    }

    // The same pieces as other bodies, whose places are those of their low corners.
    void adopt(std::span<const std::uint32_t> bodies) {
        for (Two &two : twos_) {
            two.assembled = Pairs::offset({});
            const std::uint32_t pair = Pairs::pair(bodies[two.i], bodies[two.j]);
            if (two.pair != pair)
                two.here = Gaps::nowhere;
            two.pair = pair;
        }
    }

    static constexpr std::size_t lanes_in_word = 8 / sizeof(Lane);
    static Lane lane(const std::uint64_t *lanes, std::size_t piece) {
        return static_cast<Lane>(lanes[(piece - 1) / lanes_in_word] >>
                                 (piece - 1) % lanes_in_word * 8 * sizeof(Lane));
    }
    static std::size_t words_for(std::size_t n) { return ((n - 1) * sizeof(Lane) + 7) / 8; }

    // Whether something can slide off; if not, the moves are appended to the children, apart from
    // those that the state it was reached from has, too. The start was reached from nowhere: null.
    bool expand(const std::uint64_t *lanes, const std::uint64_t *before, std::uint32_t state,
                Children &children) {
        unpack(lanes);
        bool exit = false;
        for (std::uint32_t step = 0; step < steps_.size(); ++step)
            exit = measure(step) || exit;
        if (exit)
            return true;
        const Arrival arrival = before && unions_ ? arrival_from(before) : Arrival{};
        const auto emit = [&](const Set &set, std::uint32_t direction, std::int32_t units) {
            if (direction / 2 != arrival.step || !one_move(arrival, set, direction, units))
                child(set, direction, units, state, children);
        };
        for (std::uint32_t direction = 0; direction < 2 * steps_.size(); ++direction)
            moves(direction, emit);
        return false;
    }

    // Everything that can be done from a state: sets with a direction and units, 0 for away.
    template <class Emit> void survey(const std::uint64_t *lanes, Emit &&emit) {
        unpack(lanes);
        for (std::uint32_t step = 0; step < steps_.size(); ++step) {
            Closure<Set> away[2];
            ever_.load(gaps_of(step), stride_, forever<Gap> - 1);
            ever_.close(n_ / 2, away[0], away[1]);
            listed_.resize(std::max<std::size_t>(listed_.size(), 1));
            for (std::uint32_t back = 0; back < 2; ++back) {
                listed_[0].clear();
                each(away[back].small, [&](std::size_t piece) {
                    list(away[back].of[piece], 2 * step + back, 0,
                         [&](const Set &set, std::uint32_t way, std::int32_t) {
                             emit(set, way, 0);
                         });
                });
            }
        }
        for (std::uint32_t step = 0; step < steps_.size(); ++step)
            measure(step);
        for (std::uint32_t direction = 0; direction < 2 * steps_.size(); ++direction)
            moves(direction, emit);
    }

    // For callers that remember the rest, `expand` step by step: stand in a state, measure some
    // steps, and if nothing slides off list their moves, also those that the state before has.
    void stand(const std::uint64_t *lanes) { unpack(lanes); }

    // What can move how far along a step, and against it; whether something can slide off.
    bool measure(std::uint32_t step) {
        const Gap *gaps = gaps_of(step);
        here_.load(gaps, stride_, 0);
        for (std::size_t &d = distances_[step] = 0;; ++d) {
            if (d == reach_.size())
                reach_.emplace_back(2 * steps_.size());
            Closure<Set> &forth = reach_[d][2 * step], &back = reach_[d][2 * step + 1];
            if (d > 0 && next_ == here_)
                forth = reach_[d - 1][2 * step], back = reach_[d - 1][2 * step + 1];
            else
                here_.close(n_ / 2, forth, back);
            if (empty(forth.small) && empty(back.small))
                return false;
            if (d == 0)
                ever_.load(gaps, stride_, forever<Gap> - 1);
            // What has passed all others can go on for ever.
            if (here_ == ever_) {
                ++d;
                return true;
            }
            if (d + 2 == forever<Gap>) // gaps of bytes may be more than they tell
                throw Vast{};
            std::swap(here_, next_);
            here_.load(gaps, stride_, static_cast<unsigned>(d + 1));
        }
    }

    // The least distance that nothing can move, unless something slides off.
    std::size_t distance(std::uint32_t step) const { return distances_[step]; }

    void list(std::uint32_t step, Children &children) {
        for (std::uint32_t direction = 2 * step; direction < 2 * step + 2; ++direction)
            moves(direction, [&](const Set &set, std::uint32_t way, std::int32_t units) {
                child(set, way, units, 0, children);
            });
    }

    // Where the pieces stand in a state, from where they were assembled.
    std::vector<Shift> places(const std::uint64_t *lanes) const {
        std::vector<Shift> found{{}};
        for (std::size_t i = 1; i < n_; ++i)
            found.push_back(Packed<Lane>::unpack(lane(lanes, i)));
        return found;
    }

  private:
    using Gap = std::conditional_t<sizeof(Lane) == 2 || Small<Set>, std::uint8_t, std::uint16_t>;

    struct Two {
        std::uint32_t pair, i, j;
        std::uint64_t assembled;            // offset
        std::uint64_t here = Gaps::nowhere; // in the state at hand
    };

    // The move that led to a state: a set without the first piece.
    struct Arrival {
        Set set{};
        std::uint32_t step = none;
        std::int32_t units = 0; // negative against the step
    };

    std::size_t n_ = 0, words_ = 0;
    bool unions_ = true;
    const std::vector<Shift> &steps_;
    std::vector<std::int32_t> safe_; // by step: units that never lead out of a lane's middle half
    Known &pairs_;
    std::vector<Two> twos_; // (0, 1), (0, 2), (1, 2), (0, 3), ...
    Set everyone_{};
    // Of the state at hand:
    const std::uint64_t *state_ = nullptr;
    std::vector<std::uint64_t> offsets_;      // of the places
    bool central_ = false;                    // all places are in the middle half of their lanes
    std::vector<Gap> gaps_;                   // by step: rows of gaps
    std::size_t stride_ = 0, area_ = 0;       // from row to row, from step to step
    Pushes<Set> here_{0}, next_{0}, ever_{0}; // for some step
    std::vector<std::size_t> distances_;      // by step: that anything can move
    std::vector<std::vector<Closure<Set>>> reach_; // by distance and direction
    std::vector<Sets<Set>> listed_;                // by distance, with unions

    const Gap *gaps_of(std::size_t step) const { return &gaps_[step * area_]; }

    // Always inline, these two: the compiler stops where a file has grown too much.
    [[gnu::always_inline]] void unpack(const std::uint64_t *lanes) {
        state_ = lanes;
        offsets_[0] = Packed<Lane>::offset(0);
        Lane near = 0;
        for (std::size_t i = 1; i < n_; ++i) {
            const Lane at = lane(lanes, i);
            offsets_[i] = Packed<Lane>::offset(at);
            near |= Packed<Lane>::outskirts(at);
        }
        central_ = near == 0;
        const std::size_t steps = steps_.size();
        for (Two &two : twos_) {
            const std::uint64_t offset = two.assembled + offsets_[two.i] - offsets_[two.j];
            if (offset == two.here)
                continue;
            two.here = offset;
            const Gap *found = pairs_.template gaps<Gap>(pairs_.measure(two.pair, offset));
            Gap *first = &gaps_[two.i * stride_ + two.j], *second = &gaps_[two.j * stride_ + two.i];
            for (std::size_t step = 0; step < steps; ++step, first += area_, second += area_) {
                *first = found[step];
                *second = found[steps + step];
            }
        }
    }

    [[gnu::always_inline]] Arrival arrival_from(const std::uint64_t *before) const {
        Arrival arrival;
        Lane delta = 0;
        for (std::size_t i = 1; i < n_; ++i)
            if (const Lane here = lane(state_, i), there = lane(before, i); here != there) {
                include(arrival.set, i);
                delta = static_cast<Lane>(here - there);
            }
        const Shift by = Packed<Lane>::unpack(delta);
        for (std::uint32_t step = 0; step < steps_.size(); ++step) {
            const Shift &unit = steps_[step];
            const std::int32_t units = unit.x   ? by.x / unit.x
                                       : unit.y ? by.y / unit.y
                                                : by.z / unit.z;
            if (units != 0 && units * unit == by) {
                if (arrival.step != none) // it may have been either
                    return {};
                arrival.step = step;
                arrival.units = units;
            }
        }
        return arrival;
    }

    // Whether the state could be passed over: after both moves, along the same step, some pieces
    // have gone equally far and the others not at all. No two of them meet on that way if they did
    // not on the two, so it is a move of the state before, which was expanded earlier.
    bool one_move(const Arrival &arrival, const Set &set, std::uint32_t direction,
                  std::int32_t units) const {
        const Set &first = arrival.set;
        const Set both = common(first, set), either = unite(first, set);
        if ((empty(both) && either == everyone_) || both == either)
            return true;
        const std::int32_t along = direction % 2 == 0 ? units : -units;
        return along == arrival.units    ? empty(both) || either == everyone_
               : along == -arrival.units ? both == first || both == set
                                         : false;
    }

    template <class Emit> void moves(std::uint32_t direction, Emit &&emit) {
        const std::size_t distances = distances_[direction / 2];
        if (distances == 0 || empty(reach_[0][direction].small))
            return;
        if (listed_.size() < distances)
            listed_.resize(distances);
        for (std::size_t d = 0; d < distances; ++d)
            listed_[d].clear();
        each(reach_[0][direction].small, [&](std::size_t piece) {
            for (std::size_t d = 0; d < distances && contains(reach_[d][direction].small, piece);
                 ++d)
                list(reach_[d][direction].of[piece], direction, d, emit);
        });
    }

    // A set that can move, and its unions with those found before.
    template <class Emit>
    void list(const Set &set, std::uint32_t direction, std::size_t distance, Emit &&emit) {
        Sets<Set> &sets = listed_[distance];
        std::size_t before = sets.all.size();
        if (!sets.add(set))
            return;
        const auto units = static_cast<std::int32_t>(distance + 1);
        emit(set, direction, units);
        while (unions_ && before-- > 0) {
            const Set joined = unite(sets.all[before], set);
            if (joined != everyone_ && sets.add(joined))
                emit(joined, direction, units);
        }
    }

    void child(const Set &set, std::uint32_t direction, std::int32_t units, std::uint32_t from,
               Children &children) {
        const Shift by = (direction % 2 == 0 ? units : -units) * steps_[direction / 2];
        if (!central_ || units > safe_[direction / 2])
            require_room(set, by);
        if (children.size() == most_children)
            throw Crowded{};
        // The first piece stays where it is: if it moves, the others move the other way.
        const bool flipped = contains(set, 0);
        const Lane delta = Packed<Lane>::pack(flipped ? -by : by);
        const Set moved = flipped ? without(everyone_, set) : set;
        children.add(words_, from, [&](std::size_t w) {
            return Packed<Lane>::add(state_[w], bits_from(moved, 1 + w * lanes_in_word), delta);
        });
    }

    // Places must stay within their lanes, also those that are no longer in the middle.
    void require_room(const Set &set, Shift by) const {
        const Shift others = contains(set, 0) ? -by : Shift{};
        for (std::size_t i = 1; i < n_; ++i) {
            const Shift at =
                Packed<Lane>::unpack(lane(state_, i)) + others + (contains(set, i) ? by : Shift{});
            if (!within(at, Packed<Lane>::most) || !within(-at, Packed<Lane>::most))
                throw Vast{};
        }
    }
};

} // namespace kumitate
