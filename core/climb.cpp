#include "climb.hpp"
#include "recall.hpp"
#include "standing.hpp"

#include <cmath>
#include <limits>

namespace kumitate {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();
constexpr std::uint32_t more_cells = 3;    // in ten: the chance that one more cell is changed,
constexpr std::uint32_t near_the_last = 6; // and that it is beside the last
constexpr std::uint32_t most_tries = 10'000;
constexpr double slack_of_stuck = 0.05; // below the best, of what does not come apart

template <class Set> class JudgeOf final : public Judge {
  public:
    JudgeOf(Contacts &contacts, std::size_t pieces)
        : expander_(contacts), recall_(contacts, expander_), places_(pieces) {
        for (std::uint32_t i = 0; i < pieces; ++i) {
            placed_.push_back({i, {}, 1, i});
            include(everything_, i);
        }
        standing_.emplace(contacts, placed_);
    }

    Verdict judge(std::uint32_t least, std::uint64_t max_states) override {
        verdict_ = {};
        max_states_ = max_states;
        std::fill(places_.begin(), places_.end(), Shift{});
        seen_ = Set{};
        recall_.begin();
        try {
            separate(everything_, least);
        } catch (GivenUp) {
            verdict_.level = verdict_.stuck = 0;
        } catch (Vast) {
            verdict_.level = verdict_.stuck = 0;
            recall_.drop();
        } catch (Crowded) {
            verdict_.level = verdict_.stuck = 0;
            recall_.drop();
        }
        return verdict_;
    }

    void keep() override { recall_.keep(); }

  private:
    using Lane = std::uint16_t;
    struct GivenUp {};
    // Few pieces are searched sooner than remembered.
    static constexpr bool recalls = sizeof(Set) > 2;
    static constexpr std::uint32_t forgetful = 100; // searches, once there was too much to remember

    Expander<Lane, Set, Contacts> expander_;
    Recall<Set> recall_;
    std::uint32_t forgets_ = 0; // so many searches
    std::vector<std::uint32_t> order_;
    std::vector<Placed> placed_;
    std::optional<Standing<Set, Contacts>> standing_;
    Children children_;
    std::vector<Shift> places_;
    Set everything_{}, seen_{};
    Verdict verdict_;
    std::uint64_t max_states_ = 0;
    Part pieces_;
    std::vector<std::uint64_t> start_;

    // As `disassemble.hpp` says, in the same order; whether it comes apart.
    bool separate(const Set &part, std::uint32_t least) {
        std::optional<Exit<Set>> exit;
        std::uint32_t moves = 1;
        const std::uint64_t before = verdict_.states;
        const bool seen = empty(without(part, seen_)) || standing_->look(part, places_);
        if (seen) {
            seen_ = unite(seen_, part);
            exit = standing_->exit(part);
        }
        if (exit || !standing_->anything_moves(part))
            ++verdict_.states;
        else {
            moves = search(part);
            if (moves > 0) {
                standing_->look(part, places_);
                exit = standing_->exit(part);
                require(exit.has_value(), "something slides off where a search ends");
            }
        }
        if (!exit) {
            verdict_.level = 0;
            verdict_.stuck = static_cast<std::uint32_t>(size(part));
            verdict_.held_states = verdict_.states - before;
            each(part, [&](std::size_t i) { verdict_.held |= std::uint64_t{1} << i; });
            return false;
        }
        if (verdict_.level == 0)
            verdict_.level = moves;
        verdict_.total += moves;
        if (moves < least)
            return true;
        const Set left = without(part, exit->set), removed = exit->set;
        return (size(left) == 1 || separate(left, 0)) &&
               (size(removed) == 1 || separate(removed, 0));
    }

    // Moves to the nearest separation, and the places there; 0 if there is none.
    std::uint32_t search(const Set &part) {
        pieces_.clear();
        each(part, [&](std::size_t i) { pieces_.push_back(static_cast<std::uint32_t>(i)); });
        expander_.take(placed_, pieces_);
        const std::size_t words = expander_.words_for(pieces_.size());
        start_.assign(words, 0);
        for (std::size_t i = 1; i < pieces_.size(); ++i) {
            const Shift at = places_[pieces_[i]] - places_[pieces_[0]];
            const Lane lane = Packed<Lane>::pack(at);
            if (Packed<Lane>::unpack(lane) != at)
                throw Vast{};
            start_[(i - 1) / 4] |= std::uint64_t{lane} << (i - 1) % 4 * 16;
        }
        const std::uint64_t before = verdict_.states, most = max_states_ - before;
        if (recalls && forgets_ == 0) {
            try {
                return search_again(part);
            } catch (Forgetful) {
                recall_.forget();
                forgets_ = forgetful;
                verdict_.states = before;
            }
        } else if (forgets_ > 0)
            --forgets_;
        States states(words, false);
        children_.clear();
        children_.add(words, 0, [&](std::size_t w) { return start_[w]; });
        states.insert(children_);
        std::size_t end_of_depth = 1;
        std::uint32_t depth = 1;
        for (std::size_t state = 0; state < states.size();) {
            if (state == end_of_depth) {
                end_of_depth = states.size();
                ++depth;
            }
            bool exit = false;
            children_.clear();
            const std::size_t to = std::min(end_of_depth, state + 16);
            for (; state < to && !exit; ++state)
                exit = expander_.expand(states.at(state),
                                        state == 0 ? nullptr : states.at(states.from(state)),
                                        static_cast<std::uint32_t>(state), children_);
            states.insert(children_, most);
            if (states.size() > most) {
                verdict_.states = before + states.size();
                throw GivenUp{};
            }
            if (exit) {
                verdict_.states = before + states.size();
                go_to(states.at(state - 1));
                return depth;
            }
        }
        verdict_.states = before + states.size();
        return 0;
    }

    // The same with what is remembered: the same states in the same order.
    std::uint32_t search_again(const Set &part) {
        recall_.take(part, pieces_);
        order_.clear();
        const auto visit = [&](std::uint32_t state) {
            if (recall_.meet(state))
                order_.push_back(state);
        };
        visit(recall_.number(start_.data(), hash_of(start_)));
        const std::uint64_t before = verdict_.states, most = max_states_ - before;
        std::size_t end_of_depth = 1;
        std::uint32_t depth = 1;
        for (std::size_t state = 0; state < order_.size(); ++state) {
            if (state == end_of_depth) {
                end_of_depth = order_.size();
                ++depth;
            }
            const bool exit = recall_.expand(order_[state], visit);
            verdict_.states = before + order_.size();
            if (order_.size() > most)
                throw GivenUp{};
            if (exit) {
                go_to(recall_.at(order_[state]));
                return depth;
            }
        }
        return 0;
    }

    void go_to(const std::uint64_t *lanes) {
        const std::vector<Shift> there = expander_.places(lanes);
        const Shift first = places_[pieces_[0]];
        for (std::size_t i = 0; i < pieces_.size(); ++i)
            places_[pieces_[i]] = there[i] + first;
    }
};

std::unique_ptr<Judge> judge_of(Contacts &contacts, std::size_t pieces) {
    if (pieces > 64)
        throw Refusal("climbs have at most 64 pieces");
    if (pieces <= 8)
        return std::make_unique<JudgeOf<Octet>>(contacts, pieces);
    if (pieces <= 16)
        return std::make_unique<JudgeOf<Hex>>(contacts, pieces);
    if (pieces <= 32)
        return std::make_unique<JudgeOf<Dozens>>(contacts, pieces);
    return std::make_unique<JudgeOf<Few>>(contacts, pieces);
}

} // namespace

Climb::Climb(Sweeps sweeps, Frame frame, const Terms &terms)
    : frame_(std::move(frame)), terms_(terms), at_home_(frame_.cells.size() * frame_.homes.size()),
      contacts_(std::move(sweeps), frame_.cells, frame_.homes),
      judge_(judge_of(contacts_, frame_.homes.size())), sizes_(frame_.homes.size()),
      seen_(frame_.cells.size()) {
    for (std::size_t piece = 0; piece < frame_.homes.size(); ++piece)
        for (std::uint32_t cell : frame_.homes[piece])
            at_home_[cell * frame_.homes.size() + piece] = 1;
}

void Climb::begin(std::span<const std::uint32_t> owners, std::uint32_t seed) {
    require(owners.size() == frame_.cells.size(), "each cell has an owner, or none");
    dice_.seed(seed);
    std::fill(sizes_.begin(), sizes_.end(), 0);
    holes_ = 0;
    spots_.clear();
    for (std::uint32_t cell = 0; cell < owners.size(); ++cell) {
        const std::uint32_t owner = owners[cell];
        require(owner == none || (owner < sizes_.size() && at_home_[cell * sizes_.size() + owner]),
                "pieces are at home");
        contacts_.give(cell, owner);
        ++(owner == none ? holes_ : sizes_[owner]);
        if (owner == none || !frame_.kept[owner])
            spots_.push_back(cell);
    }
    changes_.clear();
    waiting_ = false;
    best_ = nothing;
    best_owners_ = contacts_.owners();
    contacts_.mark();
    evaluations_ = states_ = 0;
}

Climb::Pause Climb::run(std::uint64_t evaluations) {
    require(!waiting_, "what is better is settled first");
    for (; evaluations > 0; --evaluations) {
        if (best_ != nothing && !change())
            return Pause::fixed;
        if (judge_one())
            return Pause::better;
    }
    return Pause::done;
}

// Whether it is better than all before, and comes apart.
bool Climb::judge_one() {
    ++evaluations_;
    const double least = this->least();
    const double all = 1 + terms_.later * static_cast<double>(sizes_.size());
    verdict_ = judge_->judge(least > 0 ? static_cast<std::uint32_t>(std::ceil(least / all)) : 0,
                             terms_.max_states);
    states_ += verdict_.states;
    score_ = score(verdict_);
    if (score_ > std::max(best_, 0.0)) {
        waiting_ = true;
        return true;
    }
    if (score_ >= least) {
        if (score_ > best_) {
            best_ = score_;
            best_owners_ = contacts_.owners();
        }
        keep();
    } else
        take_back();
    if (best_ == nothing) // the first was given up, but something must be changed
        best_ = -1e9;
    return false;
}

void Climb::settle(bool counts) {
    require(waiting_, "only what is better is settled");
    waiting_ = false;
    if (counts) {
        best_ = score_;
        best_owners_ = contacts_.owners();
        keep();
    } else if (best_ == nothing)
        best_ = -1e9;
    else
        take_back();
}

void Climb::keep() {
    kept_ = score_;
    changes_.clear();
    contacts_.mark();
    judge_->keep();
}

// What the next puzzle must score to be kept.
double Climb::least() {
    if (best_ == nothing)
        return nothing;
    if (best_ <= 0)
        return best_ - slack_of_stuck;
    if (terms_.temperature == 0)
        return best_ - terms_.slack;
    const double chance = (static_cast<double>(dice_()) + 1) / 0x1p32;
    return std::max(best_ - terms_.slack, kept_ + terms_.temperature * std::log(chance));
}

double Climb::score(const Verdict &verdict) const {
    if (verdict.level > 0)
        return verdict.level + terms_.later * verdict.total;
    if (verdict.stuck == 0)
        return nothing;
    const double states = std::log2(static_cast<double>(verdict.held_states));
    return -static_cast<double>(verdict.stuck) + (verdict.held_states > 1
                                                      ? 0.5 + std::min(0.45, states / 32)
                                                      : 0.5 / (1 + tightness(verdict.held)));
}

// How many cells hold what is held least, of pieces that cannot move.
double Climb::tightness(std::uint64_t held) const {
    const std::size_t pieces = sizes_.size(), directions = 2 * contacts_.steps().size();
    const auto is_held = [&](std::uint32_t piece) { return (held >> piece & 1) != 0; };
    std::uint32_t least = none;
    for (std::size_t direction = 0; direction < directions; ++direction)
        for (std::uint32_t piece = 0; piece < pieces; ++piece) {
            if (!is_held(piece))
                continue;
            std::uint32_t holding = 0;
            for (std::uint32_t other = 0; other < pieces; ++other)
                if (other != piece && is_held(other))
                    holding += contacts_.blocking(piece, other, direction);
            least = std::min(least, holding);
        }
    return least;
}

void Climb::give(std::uint32_t cell, std::uint32_t piece) {
    const std::uint32_t before = contacts_.owner(cell);
    --(before == none ? holes_ : sizes_[before]);
    ++(piece == none ? holes_ : sizes_[piece]);
    contacts_.give(cell, piece);
}

void Climb::take_back() {
    while (!changes_.empty()) {
        give(changes_.back().cell, changes_.back().before);
        changes_.pop_back();
    }
    contacts_.back();
}

// Some cells are given away, emptied or filled; false if no change was found.
bool Climb::change() {
    if (spots_.empty())
        return false;
    for (std::uint32_t tries = 0; tries < most_tries;) {
        do {
            while (!change_one())
                if (++tries > most_tries)
                    return take_back(), false;
        } while (roll(dice_, 10) < more_cells);
        if (allowed())
            return true;
        take_back();
        ++tries;
    }
    return false;
}

bool Climb::change_one() {
    std::uint32_t cell = spots_[roll(dice_, spots_.size())];
    if (!changes_.empty() && roll(dice_, 10) < near_the_last) {
        const std::vector<std::uint32_t> &around = frame_.neighbours[changes_.back().cell];
        if (around.empty())
            return false;
        cell = around[roll(dice_, around.size())];
    }
    const std::uint32_t before = contacts_.owner(cell);
    if (before != none && (frame_.kept[before] || sizes_[before] == 1))
        return false;
    takers_.clear();
    for (std::uint32_t other : frame_.neighbours[cell])
        if (const std::uint32_t piece = contacts_.owner(other);
            piece != none && piece != before && !frame_.kept[piece] &&
            at_home_[cell * sizes_.size() + piece] &&
            std::find(takers_.begin(), takers_.end(), piece) == takers_.end())
            takers_.push_back(piece);
    if (before != none && frame_.may_be_empty[cell] && terms_.holes.most > 0)
        takers_.push_back(none);
    if (takers_.empty())
        return false;
    changes_.push_back({cell, before});
    give(cell, takers_[roll(dice_, takers_.size())]);
    return true;
}

// Whether pieces are of the sizes asked for and connected, and as many cells are empty.
bool Climb::allowed() {
    if (holes_ < terms_.holes.least || holes_ > terms_.holes.most)
        return false;
    bool changed = false;
    for (const Change &change : changes_) {
        const std::uint32_t now = contacts_.owner(change.cell);
        changed = changed || now != change.before;
        for (std::uint32_t piece : {change.before, now})
            if (piece != none && (sizes_[piece] < std::max<std::uint64_t>(terms_.sizes.least, 1) ||
                                  sizes_[piece] > terms_.sizes.most))
                return false;
    }
    if (!changed)
        return false;
    for (const Change &change : changes_)
        if (change.before != none && !connected(change.before))
            return false;
    return true;
}

bool Climb::connected(std::uint32_t piece) {
    ++looks_;
    queue_.clear();
    for (std::uint32_t cell = 0; queue_.empty(); ++cell)
        if (contacts_.owner(cell) == piece)
            queue_.push_back(cell), seen_[cell] = looks_;
    for (std::size_t i = 0; i < queue_.size(); ++i)
        for (std::uint32_t other : frame_.neighbours[queue_[i]])
            if (contacts_.owner(other) == piece && seen_[other] != looks_)
                queue_.push_back(other), seen_[other] = looks_;
    return queue_.size() == sizes_[piece];
}

} // namespace kumitate
