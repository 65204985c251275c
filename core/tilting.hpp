// Moves of a rigid set on a route: turns about a moving pivot, and "tilt, slide, tilt back".
//
// From a state, and for each axis, some sets may begin to move in the plane across it: slide, or
// turn about some pivot, with no face moving into one that it touches. That is a relation between
// pieces (which pushes which), so the sets are its closures and their unions, of at most half the
// pieces. Where such a set can go is a question to `reach` (reach.hpp). A stop counts as a move if
// slides and turns of the same set about fixed pivots do not lead there, however many: so a slide
// stays a slide, and levels are what they were where no route is needed.
//
// Hard pieces move only in such sets. With a tolerance no faces touch, and any set might move; then
// the sets are those of hard pieces, and all single pieces.
//
// All that costs time: a flood has thousands of boxes. So a search tries routes last, and gives up
// after as many boxes as it may spend, which it says. It also says if pieces are so loose that
// their sets are too many.
//
// States of a search repeat the same scenes: what was found is kept, by the bodies that move and
// those that stay in the same layers, and by where they stand relative to each other. It is also
// good for all other places to which the set can slide.
#pragma once

#include "pushes.hpp"
#include "reach.hpp"
#include "turning.hpp"

#include <memory>
#include <unordered_map>

namespace kumitate {

// A move on a route: it ends as a turn about the pivot would, or without quarters as a shift would.
struct Tilt {
    Swing swing{};
    Shift by{};
    std::size_t scene = 0, start = 0, landing = 0; // where its route is kept
};

// A tolerance of a tilt, in thousandths of a cell, and a route that needs no more. It may
// turn the other way round, and end the same.
struct Certificate {
    std::int32_t tolerance;
    std::int32_t quarters;
    std::vector<RoutePose> route;
};

class Tilting {
  public:
    // The tolerance is in thousandths of a cell, the clearance in grains (route.hpp).
    Tilting(const Bodies &bodies, std::int32_t tolerance, std::int32_t clearance);
    ~Tilting();
    Tilting(Tilting &&) noexcept;

    // Calls with the sets that tilt, and how, of bodies whose low corners stand at some places. Of
    // a set and the rest, the heaviest piece stays.
    template <class Set, class Emit>
    void each(std::span<const std::uint32_t> bodies, std::span<const Shift> at,
              std::span<const std::int32_t> weights, Emit &&emit);

    // Some motion was neither found nor ruled out.
    bool unsure() const { return unsure_; }

    // A new search begins, and may spend so many boxes: 400,000 take a second.
    void begin(std::size_t boxes) { unsure_ = false, left_ = boxes; }

    // Whether there are boxes left; if not, nothing more is certain.
    bool may_go_on() {
        unsure_ = unsure_ || left_ == 0;
        return left_ > 0;
    }

    // Of the tilt that was called with last; to find the least tolerance takes seconds.
    Certificate certificate(const Tilt &tilt, bool least) const;

  private:
    struct Tables;
    struct Known { // of a scene: which one, or none, and at which of its near stops the set stands
        std::uint32_t scene, start;
    };
    struct Touch { // the parts of a body that touch another, by direction: x, -x, y, -y, z, -z
        std::array<std::array<std::int32_t, 3>, 6> low, high; // none if high is not more
        bool is(std::size_t d) const { return high[d][0] > low[d][0]; }
    };

    const Bodies &bodies_;
    const std::int32_t tolerance_, clearance_;
    bool unsure_ = false;
    std::size_t left_ = 0; // boxes
    std::unique_ptr<Tables> tables_;
    std::vector<const Touch *> touches_; // by two pieces, of the state at hand
    std::vector<Standpoint> moving_, staying_;

    const Touch &touch(std::uint32_t body, std::uint32_t other, Shift offset);
    void spend(std::size_t boxes) { left_ -= std::min(left_, boxes); }
    void forget_much(); // if there is too much of it
    Known find(std::size_t axis);
    const Reach &reach_of(const Known &known) const;
    Tilt tilt_of(const Known &known, std::size_t landing, std::size_t axis) const;

    template <class Set> class Listing;
};

// The sets of a state that may begin to move across an axis, each once.
template <class Set> class Tilting::Listing {
  public:
    Listing(const Tilting &tilting, std::span<const std::uint32_t> bodies,
            std::span<const Shift> at, std::span<const std::int32_t> weights, std::size_t axis)
        : tilting_(tilting), bodies_(bodies), at_(at), weights_(weights), n_(at.size()),
          u_((axis + 1) % 3), v_((axis + 2) % 3) {
        for (std::size_t i = 0; i < n_; ++i) {
            include(everyone_, i);
            cells_ += tilting.bodies_.all[bodies[i]].cells.size();
        }
        slides(2 * u_);
        slides(2 * v_);
        turns();
        if (tilting.tolerance_ > 0)
            for (std::size_t i = 0; i < n_; ++i)
                add(singleton<Set>(i));
    }

    const std::vector<Set> &all() const { return sets_.all; }
    bool full() const { return full_; } // there are more

  private:
    static constexpr std::size_t most = 5'000;
    const Tilting &tilting_;
    const std::span<const std::uint32_t> bodies_;
    const std::span<const Shift> at_;
    const std::span<const std::int32_t> weights_;
    const std::size_t n_, u_, v_;
    std::size_t cells_ = 0;
    Set everyone_{};
    bool full_ = false;
    Sets<Set> sets_, here_;
    Closure<Set> forth_, back_;

    const Touch &touch(std::size_t i, std::size_t j) const {
        return *tilting_.touches_[i * n_ + j];
    }

    void slides(std::size_t direction) {
        Pushes<Set> pushes(n_);
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j)
                if (i != j)
                    pushes.add(i, j, touch(i, j).is(direction));
        list(pushes);
    }

    // What can turn counter-clockwise at all can do so about the right bottom corner of what its
    // contacts leave, so the edges of those are enough.
    void turns() {
        constexpr std::int32_t far = 1 << 30;
        std::vector<std::int32_t> lefts, bottoms;
        std::vector<Window> windows(n_ * n_);
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j) {
                Window &open = windows[i * n_ + j] = {-far, far, -far, far};
                if (i == j)
                    continue;
                const Touch &it = touch(i, j);
                const std::int32_t u = at_[i][u_], v = at_[i][v_];
                if (it.is(2 * u_))
                    open.top = it.low[2 * u_][v_] + v;
                if (it.is(2 * u_ + 1))
                    bottoms.push_back(open.bottom = it.high[2 * u_ + 1][v_] + v);
                if (it.is(2 * v_))
                    lefts.push_back(open.left = it.high[2 * v_][u_] + u);
                if (it.is(2 * v_ + 1))
                    open.right = it.low[2 * v_ + 1][u_] + u;
            }
        for (auto *edges : {&lefts, &bottoms}) {
            edges->push_back(-far);
            std::sort(edges->begin(), edges->end());
            edges->erase(std::unique(edges->begin(), edges->end()), edges->end());
        }
        for (const std::int32_t x : lefts)
            for (const std::int32_t y : bottoms) {
                Pushes<Set> pushes(n_);
                for (std::size_t i = 0; i < n_; ++i)
                    for (std::size_t j = 0; j < n_; ++j) {
                        const Window &open = windows[i * n_ + j];
                        pushes.add(i, j,
                                   x < open.left || x > open.right || y < open.bottom ||
                                       y > open.top);
                    }
                list(pushes);
            }
    }

    // What moves if a piece does, and what stays if a piece does; and unions.
    void list(const Pushes<Set> &pushes) {
        pushes.close(n_ / 2, forth_, back_);
        for (const Closure<Set> *closure : {&forth_, &back_}) {
            here_.clear();
            kumitate::each(closure->small, [&](std::size_t i) {
                std::size_t before = here_.all.size();
                const Set set = closure->of[i];
                if (!here_.add(set))
                    return;
                add(set);
                full_ = full_ || here_.all.size() > most || sets_.all.size() > most;
                while (!full_ && before-- > 0)
                    if (const Set joined = unite(here_.all[before], set);
                        size(joined) <= n_ / 2 && here_.add(joined))
                        add(joined);
            });
        }
    }

    // Of a set and the rest, the one without the heaviest piece moves; if both have one, the one
    // with fewer cells.
    void add(Set set) {
        constexpr std::int32_t least = -(1 << 30) - (1 << 30);
        std::size_t cells = 0;
        std::int32_t inside = least, outside = least;
        for (std::size_t i = 0; i < n_; ++i) {
            std::int32_t &most = contains(set, i) ? inside : outside;
            most = std::max(most, weights_[i]);
            if (contains(set, i))
                cells += tilting_.bodies_.all[bodies_[i]].cells.size();
        }
        if (inside > outside || (inside == outside &&
                                 (2 * cells > cells_ || (2 * cells == cells_ && contains(set, 0)))))
            set = without(everyone_, set);
        sets_.add(set);
    }
};

template <class Set, class Emit>
void Tilting::each(std::span<const std::uint32_t> bodies, std::span<const Shift> at,
                   std::span<const std::int32_t> weights, Emit &&emit) {
    forget_much();
    const std::size_t n = at.size();
    touches_.assign(n * n, nullptr);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (i != j)
                touches_[i * n + j] = &touch(bodies[i], bodies[j], at[j] - at[i]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Listing<Set> listing(*this, bodies, at, weights, axis);
        unsure_ = unsure_ || listing.full();
        for (const Set &set : listing.all()) {
            moving_.clear();
            staying_.clear();
            for (std::size_t i = 0; i < n; ++i)
                (contains(set, i) ? moving_ : staying_).push_back({bodies[i], at[i]});
            const Known known = find(axis);
            const Reach &reach = reach_of(known);
            unsure_ = unsure_ || !reach.certain;
            for (std::size_t landing = 0; landing < reach.far.size(); ++landing)
                emit(set, tilt_of(known, landing, axis));
        }
    }
}

} // namespace kumitate
