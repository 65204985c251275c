// States and their moves, remembered from one puzzle to the next.
//
// The puzzles that a climb judges differ in a few cells, so most of their states are the same, with
// the same moves. The moves of a state along a step follow from the gaps between its pieces along
// that step, so these are kept beside them. A search compares the gaps of pairs that have changed
// since, and lists the moves anew only along steps where one differs that matters. Where nothing
// can move some distance, larger gaps do not matter, nor does one that has shrunk to no less. A
// push that is new or gone does not matter if by pushes that are neither, the pusher takes the
// other along anyway; or if it takes along more than half of all pieces, and more than half take
// along the other: only the smaller sets that move together are listed, and none of them changes.
//
// What a search finds out is noted, and counts once its puzzle is kept: it is what the next ones
// differ from.
#pragma once

#include "contacts.hpp"
#include "expander.hpp"

namespace kumitate {

// There are more states than should be remembered.
struct Forgetful {};

template <class Set> class Recall {
  public:
    using Lane = std::uint16_t;
    using Explorer = Expander<Lane, Set, Contacts>;

    Recall(Contacts &contacts, Explorer &expander)
        : contacts_(contacts), expander_(expander), steps_(contacts.steps().size()) {}

    // Another puzzle is judged.
    void begin() {
        drop();
        if (bytes_ > most_bytes / 2 || contacts_.newest() < newest_)
            forget();
        newest_ = contacts_.newest();
    }

    // The puzzle is kept.
    void keep() {
        for (const auto &[part, at, gaps] : gaps_)
            parts_[part].gaps[at] = gaps;
        for (const auto &[part, at, along] : moves_)
            parts_[part].along[at] = along;
        for (const auto &[part, state, exit] : looks_)
            parts_[part].stamps[state] = exit ? unknown : contacts_.newest();
        drop();
    }

    // Its search was broken off in a state: nothing of what was found out counts.
    void drop() {
        gaps_.clear();
        moves_.clear();
        looks_.clear();
    }

    void forget() {
        drop();
        parts_.clear();
        bytes_ = 0;
    }

    // Begin with some pieces, which the expander has taken.
    void take(const Set &part, std::span<const std::uint32_t> pieces) {
        part_ = 0;
        while (part_ < parts_.size() && parts_[part_].pieces != part)
            ++part_;
        if (part_ == parts_.size()) {
            parts_.push_back({part});
            bytes_ += most_bytes / most_parts;
        }
        words_ = Explorer::words_for(pieces.size());
        twos_.clear();
        for (std::uint32_t j = 0; j < pieces.size(); ++j)
            for (std::uint32_t i = 0; i < j; ++i)
                twos_.push_back({Pairs::pair(pieces[i], pieces[j]), i, j});
        offsets_.resize(pieces.size());
        stale_stamp_ = none;
        ++search_;
    }

    // The number of a state, and the state.
    std::uint32_t number(const std::uint64_t *lanes, std::uint64_t hash) {
        Known &known = parts_[part_];
        const std::span<const std::uint64_t> state(lanes, words_);
        const std::uint32_t found = known.numbers.find(hash, [&](std::uint32_t other) {
            return std::equal(state.begin(), state.end(), &known.lanes[other * words_]);
        });
        if (found != none)
            return found;
        const auto fresh = static_cast<std::uint32_t>(known.stamps.size());
        const std::size_t gaps = twos_.size() * contacts_.gap_words();
        bytes_ += 8 * (words_ + gaps) + steps_ * sizeof(Along) + 16;
        if (bytes_ > most_bytes)
            throw Forgetful{};
        known.numbers.add(hash, fresh, [](std::uint32_t) { return false; });
        known.lanes.insert(known.lanes.end(), state.begin(), state.end());
        known.gaps.resize(known.gaps.size() + gaps);
        known.along.resize(known.along.size() + steps_);
        known.stamps.push_back(unknown);
        known.seen.push_back(0);
        return fresh;
    }
    const std::uint64_t *at(std::uint32_t state) const {
        return &parts_[part_].lanes[state * words_];
    }

    // Whether a state is met for the first time since the pieces were taken.
    bool meet(std::uint32_t state) {
        return std::exchange(parts_[part_].seen[state], search_) != search_;
    }

    // Whether something can slide off; if not, visit the states that moves lead to, in order.
    template <class Visit> bool expand(std::uint32_t state, Visit &&visit) {
        here_.assign(at(state), at(state) + words_);
        for (std::size_t i = 1; i < offsets_.size(); ++i)
            offsets_[i] = Packed<Lane>::offset(Explorer::lane(here_.data(), i));
        offsets_[0] = Packed<Lane>::offset(0);
        const bool known = parts_[part_].stamps[state] != unknown;
        const std::uint64_t all = (std::uint64_t{1} << steps_) - 1,
                            altered = known ? compare(state) : all;
        const bool exit = altered != 0 && measure(altered);
        looks_.push_back({part_, state, exit});
        if (exit)
            return true;
        if (!known)
            copy_gaps(state);
        for (std::size_t step = 0; step < steps_; ++step) {
            const std::size_t at = state * steps_ + step;
            Along along = parts_[part_].along[at];
            if (altered >> step & 1) {
                along = list(static_cast<std::uint32_t>(step));
                if (known)
                    moves_.push_back({part_, at, along});
                else
                    parts_[part_].along[at] = along;
            }
            for (std::size_t k = 0; k < along.count; ++k)
                visit(parts_[part_].children[along.from + k]);
        }
        return false;
    }

  private:
    static constexpr std::size_t most_bytes = std::size_t{1} << 25, most_parts = 1000;
    static constexpr std::uint32_t unknown = 0;

    // The moves of a state along a step.
    struct Along {
        std::uint32_t from, count; // children
        std::uint32_t distance;    // that nothing can move
        Set forth, back;           // pieces that can move at all, with all that they push
    };

    // What is known of a part.
    struct Known {
        Set pieces;
        Numbers numbers{};
        std::vector<std::uint64_t> lanes{};  // by state
        std::vector<std::uint64_t> gaps{};   // by state and pair
        std::vector<Along> along{};          // by state and step
        std::vector<std::uint32_t> stamps{}; // by state: when its gaps and moves were right
        std::vector<std::uint32_t> seen{};   // by state: in which search
        std::vector<std::uint32_t> children{};
    };

    struct Two {
        std::uint32_t pair, i, j;
    };

    // Whether one piece pushes another has changed for some distances, this one the least.
    struct Push {
        std::uint32_t step, pusher, pushed, distance;
        bool gained;
    };

    template <class What> struct Note {
        std::size_t part, at;
        What what;
    };

    Contacts &contacts_;
    Explorer &expander_;
    const std::size_t steps_;
    std::vector<Known> parts_;
    std::size_t bytes_ = 0, part_ = 0, words_ = 0;
    std::uint32_t search_ = 0, newest_ = 0;
    // What was found out about the puzzle that is judged.
    std::vector<Note<std::uint64_t>> gaps_;
    std::vector<Note<Along>> moves_;
    std::vector<Note<bool>> looks_; // at states: whether something slides off
    std::vector<Two> twos_;
    std::vector<std::uint32_t> stale_; // pairs that have changed since some time
    std::uint32_t stale_stamp_ = none;
    std::vector<Push> pushes_;
    std::vector<std::uint64_t> here_, offsets_; // of the state at hand
    Children children_;

    const std::uint64_t *gaps_of(const Two &two) {
        return contacts_.gap_words_of(contacts_.find(two.pair, offsets_[two.i] - offsets_[two.j]));
    }

    void copy_gaps(std::uint32_t state) {
        const std::size_t words = contacts_.gap_words();
        std::uint64_t *to = &parts_[part_].gaps[state * twos_.size() * words];
        for (const Two &two : twos_)
            to = std::copy_n(gaps_of(two), words, to);
    }

    // Along which steps the moves may have changed.
    std::uint64_t compare(std::uint32_t state) {
        Known &known = parts_[part_];
        if (stale_stamp_ != known.stamps[state]) {
            stale_stamp_ = known.stamps[state];
            stale_.clear();
            for (std::uint32_t t = 0; t < twos_.size(); ++t)
                if (contacts_.changed(twos_[t].pair) > stale_stamp_)
                    stale_.push_back(t);
        }
        const std::size_t words = contacts_.gap_words();
        pushes_.clear();
        for (std::uint32_t t : stale_) {
            const std::uint64_t *now = gaps_of(twos_[t]);
            const std::size_t at = (state * twos_.size() + t) * words;
            for (std::size_t w = 0; w < words; ++w)
                if (const std::uint64_t before = known.gaps[at + w]; before != now[w]) {
                    gaps_.push_back({part_, at + w, now[w]});
                    for (std::size_t way = 8 * w; way < std::min(2 * steps_, 8 * w + 8); ++way) {
                        const std::size_t step = way % steps_;
                        const std::uint64_t was = before >> way % 8 * 8 & 0xff,
                                            is = now[w] >> way % 8 * 8 & 0xff,
                                            most = known.along[state * steps_ + step].distance;
                        if (was < is ? was <= most : is < was && is < most) {
                            const bool first = way < steps_;
                            const std::uint32_t i = twos_[t].i, j = twos_[t].j;
                            pushes_.push_back(
                                {static_cast<std::uint32_t>(step), first ? i : j, first ? j : i,
                                 static_cast<std::uint32_t>(std::min(was, is)), is < was});
                        }
                    }
                }
        }
        std::uint64_t altered = 0;
        for (const Push &push : pushes_)
            if (!(altered >> push.step & 1) && !idle(push, state))
                altered |= std::uint64_t{1} << push.step;
        return altered;
    }

    // Whether a push makes no difference to the sets that move.
    bool idle(const Push &push, std::uint32_t state) const {
        const Along &along = parts_[part_].along[state * steps_ + push.step];
        if (push.gained && !contains(along.forth, push.pusher) &&
            !contains(along.back, push.pushed))
            return true;
        const std::size_t most = offsets_.size() / 2;
        const Set set = moved(push, state, true);
        return contains(set, push.pushed) ||
               (size(set) > most && size(moved(push, state, false)) > most);
    }

    // What the pusher takes along, or what takes along the pushed, by pushes that have not changed;
    // not more than is needed to know.
    Set moved(const Push &push, std::uint32_t state, bool forth) const {
        const std::uint32_t to = forth ? push.pushed : push.pusher;
        Set set = singleton<Set>(forth ? push.pusher : push.pushed), fresh = set;
        while (!empty(fresh) && !contains(set, to) && size(set) <= offsets_.size() / 2) {
            Set more{};
            each(fresh, [&](std::size_t i) {
                Set near = neighbours(state, push.step, i, forth, push.distance);
                for (const Push &other : pushes_)
                    if (other.step == push.step && (forth ? other.pusher : other.pushed) == i)
                        near = without(near, singleton<Set>(forth ? other.pushed : other.pusher));
                more = unite(more, near);
            });
            fresh = without(more, set);
            set = unite(set, more);
        }
        return set;
    }

    // What a piece pushes within some distance, as remembered, or what pushes it.
    Set neighbours(std::uint32_t state, std::size_t step, std::size_t piece, bool forth,
                   unsigned distance) const {
        const std::size_t bytes = 8 * contacts_.gap_words();
        const auto *gaps = reinterpret_cast<const std::uint8_t *>(
            &parts_[part_].gaps[state * twos_.size() * contacts_.gap_words()]);
        const std::uint8_t *low =
                               gaps + piece * (piece - 1) / 2 * bytes + (forth ? steps_ : 0) + step,
                           *high = gaps + (forth ? 0 : steps_) + step;
        Set set{};
        for (std::size_t j = 0; j < piece; ++j, low += bytes)
            set = static_cast<Set>(set | Set{*low <= distance} << j);
        for (std::size_t j = piece + 1; j < offsets_.size(); ++j)
            set = static_cast<Set>(set | Set{high[(j * (j - 1) / 2 + piece) * bytes] <= distance}
                                             << j);
        return set;
    }

    bool measure(std::uint64_t altered) {
        expander_.stand(here_.data());
        bool exit = false;
        for (std::uint32_t step = 0; step < steps_; ++step)
            if (altered >> step & 1)
                exit = expander_.measure(step) || exit;
        return exit;
    }

    Along list(std::uint32_t step) {
        children_.clear();
        expander_.list(step, children_);
        const Along along{static_cast<std::uint32_t>(parts_[part_].children.size()),
                          static_cast<std::uint32_t>(children_.size()),
                          static_cast<std::uint32_t>(expander_.distance(step)),
                          expander_.moving(2 * step), expander_.moving(2 * step + 1)};
        for (std::size_t c = 0; c < children_.size(); ++c) {
            const std::uint32_t child = number(children_.lanes(c, words_), children_.hash(c));
            parts_[part_].children.push_back(child);
        }
        bytes_ += sizeof(std::uint32_t) * along.count;
        return along;
    }
};

} // namespace kumitate
