// What can be done from one state of a part, turns included: first the slides, then the turns.
//
// A piece that has turned is another body. A stance says which body each piece is, and within one
// stance pieces slide as ever (expander.hpp). Some pieces may turn about a pivot if none of them
// hits one that stays (turning.hpp): closures again, here for all pivots of an axis at once. What
// can turn clockwise is what stays while the rest turns counter-clockwise, so sets of at most half
// the pieces are enough, and the relation is needed for one sense only.
//
//     state   | stance: 5 bits a piece | lanes: the low corner of each body, from the first one's |
//
// The first piece never moves: if it turns, the others turn the other way.
#pragma once

#include "expander.hpp"
#include "tilting.hpp"

#include <map>

namespace kumitate {

// The low corner of a box, after the box has turned.
Shift swung(const Swing &swing, Shift low, Shift sides);

// Bodies that are each other turned.
class Orientations {
  public:
    explicit Orientations(Bodies &bodies) : bodies_(bodies) {}

    // All orientations of a body, itself first; in the same order, whatever their numbers.
    const std::vector<std::uint32_t> &of(std::uint32_t body);

    // After a quarter turn counter-clockwise.
    std::uint32_t quarter(std::uint32_t body, std::size_t axis);
    std::uint32_t turned(std::uint32_t body, const Swing &swing);

    Shift sides(std::uint32_t body) const { // in units
        return bodies_.sweeps.parts * bodies_.all[body].sides;
    }

  private:
    Bodies &bodies_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> known_;
    std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> quarters_;
};

// The box around the pieces is too wide for the pivots to fit a row.
struct Broad {};

template <class Lane, class Set_, class Row> class TurnExpander {
  public:
    using Set = Set_;
    static constexpr std::size_t per_word = 12; // variants of 5 bits

    TurnExpander(Pairs &pairs, std::int32_t tolerance, std::int32_t clearance)
        : slides_(pairs), orientations_(pairs.bodies), turns_(pairs.bodies, tolerance),
          hard_(tolerance == 0) {
        if (clearance > 0)
            tilting_.emplace(pairs.bodies, tolerance, clearance);
    }

    // Whether some motion was neither found nor ruled out.
    bool unsure() const { return tilting_ && tilting_->unsure(); }

    const std::vector<Shift> &steps() const { return slides_.steps(); }

    void list_unions(bool unions) { slides_.list_unions(unions_ = unions); }

    void take(std::span<const Placed> placed, std::span<const std::uint32_t> part) {
        n_ = part.size();
        stance_words_ = stance_words(n_);
        unions_ = true;
        pieces_.clear();
        weights_.clear();
        everyone_ = Set{};
        for (std::size_t i = 0; i < n_; ++i) {
            pieces_.push_back({{placed[part[i]].body}, {}});
            weights_.push_back(placed[part[i]].weight);
            include(everyone_, i);
        }
        part_.resize(n_);
        for (std::size_t i = 0; i < n_; ++i)
            part_[i] = static_cast<std::uint32_t>(i);
        at_.resize(n_);
        bodies_.assign(n_, none);
        variants_.assign(n_, 0);
        blocked_.resize(n_ * n_);
        windows_.resize(n_ * n_);
        pushes_.resize(n_ * n_);
        couples_.assign(n_ * n_, nullptr);
        slides_.take(placed, part);
        begin_routes(0);
        adopt();
    }

    static std::size_t stance_words(std::size_t n) { return (n + per_word - 1) / per_word; }
    static std::size_t words_for(std::size_t n) {
        return stance_words(n) + Expander<Lane, Set>::words_for(n);
    }

    // Whether something can slide off; if not, the moves are appended to the children.
    bool expand(const std::uint64_t *state, const std::uint64_t *, std::uint32_t number,
                Children &children) {
        unpack(state);
        slid_.clear();
        if (slides_.expand(state + stance_words_, nullptr, number, slid_))
            return true;
        const std::size_t words = words_for(n_), lanes = words - stance_words_;
        const auto add = [&](auto &&word) {
            if (children.size() == most_children)
                throw Crowded{};
            children.add(words, number, word);
        };
        for (std::size_t c = 0; c < slid_.size(); ++c)
            add([&](std::size_t w) {
                return w < stance_words_ ? state[w] : slid_.lanes(c, lanes)[w - stance_words_];
            });
        turns([&](const Set &set, const Swing &swing) {
            child_.clear();
            lead(set, swing, child_);
            add([&](std::size_t w) { return child_[w]; });
        });
        return false;
    }

    // The states that routes lead to (tilting.hpp), as long as there are boxes left to spend.
    void begin_routes(std::size_t boxes) {
        if (tilting_)
            tilting_->begin(boxes);
    }
    bool has_routes() { return tilting_ && tilting_->may_go_on(); }
    void expand_on_routes(const std::uint64_t *state, std::uint32_t number, Children &children) {
        unpack(state);
        tilts([&](const Set &set, const Tilt &how) {
            child_.clear();
            tilt(set, how, child_);
            children.add(words_for(n_), number, [&](std::size_t w) { return child_[w]; });
        });
    }

    // The first state: bodies as they are, at these places.
    static std::vector<std::uint64_t> start(std::span<const Shift> at) {
        std::vector<std::uint64_t> state;
        pack(std::vector<std::uint8_t>(at.size(), 0), at, state);
        return state;
    }

    // Everything that can be done from a state: sets that slide, with a direction and units (0 for
    // away), and then sets that turn, with their swing.
    template <class Emit> void survey(const std::uint64_t *state, Emit &&emit) {
        unpack(state);
        slides_.survey(state + stance_words_, emit);
        turns(emit);
    }

    // The moves on routes, at the tolerance of the search.
    template <class Emit> void survey_routes(const std::uint64_t *state, Emit &&emit) {
        unpack(state);
        tilts([&](const Set &set, const Tilt &how) {
            emit(set, how, tilting_->certificate(how, false));
        });
    }

    // The first of that which leads to another state.
    template <class Emit>
    void explain(const std::uint64_t *here, const std::uint64_t *there, Emit &&emit) {
        bool done = false;
        survey(here, [&](const Set &set, auto... move) {
            child_.clear();
            if (!done)
                lead(set, move..., child_);
            if (!done && std::equal(child_.begin(), child_.end(), there)) {
                done = true;
                emit(set, move...);
            }
        });
        begin_routes(~std::size_t{0}); // to find it again
        if (!done)
            tilts([&](const Set &set, const Tilt &how) {
                child_.clear();
                if (!done)
                    tilt(set, how, child_);
                if (!done && std::equal(child_.begin(), child_.end(), there)) {
                    done = true;
                    emit(set, how, tilting_->certificate(how, true));
                }
            });
        require(done, "every move is a slide, a turn or a tilt");
    }

  private:
    struct Piece {
        std::vector<std::uint32_t> bodies;                // by variant
        std::vector<std::array<std::uint8_t, 3>> quarter; // the variant after a quarter turn
    };
    using World = typename Turns<Row>::World;
    using Couple = typename Turns<Row>::Couple;

    std::size_t n_ = 0, stance_words_ = 0;
    bool unions_ = true;
    Expander<Lane, Set> slides_;
    Orientations orientations_;
    Turns<Row> turns_;
    bool hard_; // no tolerance: pieces that touch keep each other from turning
    std::optional<Tilting> tilting_;
    std::vector<Piece> pieces_;
    std::vector<std::int32_t> weights_;
    std::vector<std::uint32_t> part_; // 0, 1, 2, ...
    Set everyone_{};
    // Of the state at hand:
    std::vector<std::uint8_t> variants_;
    std::vector<std::uint32_t> bodies_;
    std::vector<Shift> at_;
    std::vector<World> blocked_;  // by piece that turns and piece that stays: the pivots
    std::vector<Window> windows_; // about which one may begin to turn
    std::vector<Couple *> couples_;
    Closure<Set> forth_, back_;        // which pushes which about every pivot, in the end
    World open_forth_, open_back_;     // pivots about which not everyone is pushed
    std::size_t rows_ = 0;             // of the pivots
    std::vector<std::uint8_t> pushes_; // whether one hits another about any pivot, as in blocked_
    Children slid_;
    std::vector<std::uint64_t> child_;
    Sets<Set> listed_;

    static std::uint8_t number_of(const Piece &piece, std::uint32_t body) {
        const auto at = std::find(piece.bodies.begin(), piece.bodies.end(), body);
        require(at != piece.bodies.end(), "orientations are closed under turns");
        return static_cast<std::uint8_t>(at - piece.bodies.begin());
    }

    // The orientations of a piece are found when it first turns; their order is always the same.
    Piece &all_of(std::size_t i) {
        Piece &piece = pieces_[i];
        if (piece.quarter.empty()) {
            piece.bodies = orientations_.of(piece.bodies[0]);
            for (std::uint32_t body : piece.bodies) {
                piece.quarter.emplace_back();
                for (std::size_t axis = 0; axis < 3; ++axis)
                    piece.quarter.back()[axis] =
                        number_of(piece, orientations_.quarter(body, axis));
            }
        }
        return piece;
    }

    // Take the bodies of the variants.
    void adopt() {
        bool changed = false;
        for (std::size_t i = 0; i < n_; ++i) {
            const std::uint32_t body =
                variants_[i] == 0 ? pieces_[i].bodies[0] : all_of(i).bodies[variants_[i]];
            changed = changed || bodies_[i] != body;
            bodies_[i] = body;
        }
        if (changed)
            slides_.adopt(bodies_);
    }

    void unpack(const std::uint64_t *state) {
        for (std::size_t i = 0; i < n_; ++i)
            variants_[i] =
                static_cast<std::uint8_t>(state[i / per_word] >> 5 * (i % per_word) & 31);
        adopt();
        at_[0] = {};
        for (std::size_t i = 1; i < n_; ++i)
            at_[i] = Packed<Lane>::unpack(Expander<Lane, Set>::lane(state + stance_words_, i));
    }

    // Append a state.
    static void pack(const std::vector<std::uint8_t> &variants, std::span<const Shift> at,
                     std::vector<std::uint64_t> &states) {
        const std::size_t start = states.size(), n = at.size();
        states.resize(start + words_for(n), 0);
        for (std::size_t i = 0; i < n; ++i)
            states[start + i / per_word] |= std::uint64_t{variants[i]} << 5 * (i % per_word);
        auto *const lanes =
            reinterpret_cast<unsigned char *>(states.data() + start + stance_words(n));
        for (std::size_t i = 1; i < n; ++i) {
            const Shift from = at[i] - at[0];
            const Lane lane = Packed<Lane>::pack(from);
            if (Packed<Lane>::unpack(lane) != from)
                throw Vast{};
            std::memcpy(lanes + (i - 1) * sizeof(Lane), &lane, sizeof(Lane));
        }
    }

    // Append the state after a slide.
    void lead(const Set &set, std::uint32_t direction, std::int32_t units,
              std::vector<std::uint64_t> &states) const {
        const Shift by = (direction % 2 == 0 ? units : -units) * slides_.steps()[direction / 2];
        std::vector<Shift> at = at_;
        each(set, [&](std::size_t i) { at[i] = at[i] + by; });
        pack(variants_, at, states);
    }

    // Append the state after a turn.
    void lead(const Set &set, Swing swing, std::vector<std::uint64_t> &states) {
        const bool flipped = contains(set, 0);
        if (flipped)
            swing.quarters = -swing.quarters;
        std::vector<Shift> at = at_;
        std::vector<std::uint8_t> variants = variants_;
        each(flipped ? without(everyone_, set) : set, [&](std::size_t i) {
            at[i] = swung(swing, at[i], orientations_.sides(bodies_[i]));
            for (std::int32_t q = 0; q < (swing.quarters + 4) % 4; ++q)
                variants[i] = all_of(i).quarter[variants[i]][swing.axis];
        });
        pack(variants, at, states);
    }

    template <class Emit> void tilts(Emit &&emit) {
        if (tilting_)
            tilting_->template each<Set>(bodies_, at_, weights_, emit);
    }

    void tilt(const Set &set, const Tilt &how, std::vector<std::uint64_t> &states) {
        if (how.swing.quarters != 0)
            return lead(set, how.swing, states);
        std::vector<Shift> at = at_;
        each(set, [&](std::size_t i) { at[i] = at[i] + how.by; });
        pack(variants_, at, states);
    }

    World &blocked(std::size_t turns, std::size_t stays) { return blocked_[turns * n_ + stays]; }

    template <class Emit> void turns(Emit &&emit) {
        Box box;
        for (std::size_t i = 0; i < n_; ++i) {
            box.include(at_[i]);
            box.include(at_[i] + orientations_.sides(bodies_[i]));
        }
        const Shift sides = box.high - box.low;
        constexpr std::int32_t most = Turns<Row>::most_side;
        if (!within(sides, {most, most, most}))
            throw Broad{};
        if (turns_.tidy())
            std::fill(couples_.begin(), couples_.end(), nullptr);
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j) {
                Couple *&it = couples_[i * n_ + j];
                const Shift offset = at_[j] - at_[i];
                if (i != j && (!it || it->offset != offset || it->turns != bodies_[i] ||
                               it->stays != bodies_[j]))
                    it = &turns_.couple(bodies_[i], bodies_[j], offset);
            }
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t quarters = 1; quarters <= most_quarters; ++quarters)
                if (!turns(box.low, sides, axis, quarters, emit))
                    break; // what cannot go a quarter cannot go farther
    }

    // Whether anything turns, wherever it ends.
    template <class Emit>
    bool turns(Shift low, Shift sides, std::size_t axis, std::size_t quarters, Emit &&emit) {
        World lattice;
        Turns<Row>::lattice(sides, axis, 2, lattice);
        rows_ = Turns<Row>::rows(sides, axis);
        // If pieces are hard, those that touch settle it most often.
        if (hard_ && quarters == 1 && !may_begin(low, sides, axis, lattice))
            return false;
        if (!relate(lattice, [&](std::size_t i, std::size_t j, World &map) {
                turns_.fill(*couples_[i * n_ + j], axis, quarters, at_[i] - low, rows_, map);
            }))
            return false;
        World pivots;
        Turns<Row>::lattice(sides, axis, quarters, pivots);
        for (const std::int32_t sense : {1, -1}) {
            const auto &small = sense > 0 ? forth_.small : back_.small;
            const World &open = sense > 0 ? open_forth_ : open_back_;
            for (std::size_t y = 0; y < rows_; ++y)
                each(static_cast<Row>(open[y] & pivots[y]), [&](std::size_t x) {
                    Shift pivot = 2 * low;
                    const auto u = static_cast<std::int32_t>(x), v = static_cast<std::int32_t>(y);
                    pivot = axis == 0   ? Shift{0, pivot.y + u, pivot.z + v}
                            : axis == 1 ? Shift{pivot.x + v, 0, pivot.z + u}
                                        : Shift{pivot.x + u, pivot.y + v, 0};
                    list({axis, sense * static_cast<std::int32_t>(quarters), pivot}, small, x, y,
                         emit);
                });
        }
        return true;
    }

    // Whether there is a pivot about which something may begin to turn.
    bool may_begin(Shift low, Shift sides, std::size_t axis, const World &lattice) {
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        const std::int32_t wide = 2 * sides[u], high = 2 * sides[v];
        Pushes<Set> always(n_);
        for (std::size_t i = 0; i < n_; ++i) {
            const std::int32_t x = 2 * (at_[i][u] - low[u]), y = 2 * (at_[i][v] - low[v]);
            for (std::size_t j = 0; j < n_; ++j)
                if (i != j) {
                    const Window &from = couples_[i * n_ + j]->windows[axis];
                    Window &open = windows_[i * n_ + j];
                    open = {std::max(from.left + x, 0), std::min(from.right + x, wide),
                            std::max(from.bottom + y, 0), std::min(from.top + y, high)};
                    always.add(i, j, open.empty());
                }
        }
        always.close(n_ / 2, forth_, back_);
        if (empty(forth_.small) && empty(back_.small))
            return false;
        return relate(lattice, [&](std::size_t i, std::size_t j, World &map) {
            Turns<Row>::fill_outside(windows_[i * n_ + j], rows_, map);
        });
    }

    // Fill the relation and close it; whether there is a pivot about which something may turn.
    template <class Fill> bool relate(const World &lattice, Fill &&fill) {
        Pushes<Set> always(n_);
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j)
                if (i != j) {
                    World &map = blocked(i, j);
                    fill(i, j, map);
                    Row open = 0, hit = 0;
                    for (std::size_t y = 0; y < rows_; ++y) {
                        open = static_cast<Row>(open | (lattice[y] & ~map[y]));
                        hit = static_cast<Row>(hit | (lattice[y] & map[y]));
                    }
                    always.add(i, j, open == 0);
                    pushes_[i * n_ + j] = hit != 0;
                }
        always.close(n_ / 2, forth_, back_);
        if (empty(forth_.small) && empty(back_.small))
            return false;
        close();
        open_forth_ = open_back_ = {};
        Row any = 0;
        const auto gather = [&](const Set &small, World &open, auto &&relation) {
            each(small, [&](std::size_t i) {
                World all = lattice;
                for (std::size_t j = 0; j < n_; ++j)
                    if (i != j)
                        for (std::size_t y = 0; y < rows_; ++y)
                            all[y] &= relation(i, j)[y];
                for (std::size_t y = 0; y < rows_; ++y)
                    any = static_cast<Row>(any | (open[y] |= lattice[y] & ~all[y]));
            });
        };
        gather(forth_.small, open_forth_,
               [&](std::size_t i, std::size_t j) -> World & { return blocked(i, j); });
        gather(back_.small, open_back_,
               [&](std::size_t i, std::size_t j) -> World & { return blocked(j, i); });
        return any != 0;
    }

    template <class Emit>
    void list(const Swing &swing, const Set &small, std::size_t x, std::size_t y, Emit &&emit) {
        listed_.clear();
        each(small, [&](std::size_t i) {
            Set set = singleton<Set>(i);
            for (std::size_t j = 0; j < n_; ++j)
                if (i != j && (swing.quarters > 0 ? blocked(i, j) : blocked(j, i))[y] >> x & 1)
                    include(set, j);
            if (size(set) > n_ / 2)
                return;
            std::size_t before = listed_.all.size();
            if (!listed_.add(set))
                return;
            emit(set, swing);
            while (unions_ && before-- > 0) {
                const Set joined = unite(listed_.all[before], set);
                if (joined != everyone_ && listed_.add(joined))
                    emit(joined, swing);
            }
        });
    }

    // What is pushed by what is pushed.
    void close() {
        for (std::size_t k = 0; k < n_; ++k)
            for (std::size_t i = 0; i < n_; ++i)
                for (std::size_t j = 0; i != k && pushes_[i * n_ + k] && j < n_; ++j) {
                    if (j == i || j == k || !pushes_[k * n_ + j])
                        continue;
                    pushes_[i * n_ + j] = 1;
                    World &to = blocked(i, j);
                    const World &by = blocked(i, k), &on = blocked(k, j);
                    for (std::size_t y = 0; y < rows_; ++y)
                        to[y] |= by[y] & on[y];
                }
    }
};

} // namespace kumitate
