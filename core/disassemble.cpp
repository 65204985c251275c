#include "disassemble.hpp"
#include "pushes.hpp"
#include "states.hpp"

#include <array>
#include <deque>
#include <map>
#include <tuple>

namespace kumitate {

namespace {

struct Interrupted {}; // the caller has had enough

constexpr std::size_t most_children = 2'000'000; // of the states of a block, on one thread

// A piece of an assembly.
struct Placed {
    std::uint32_t body;
    Shift at; // in parts of lattice vectors
    std::int32_t weight;
    std::uint32_t piece; // of the problem
};

template <class Set> struct Exit {
    Set set;
    std::uint32_t direction;
};

template <class Lane, class Set> class Expander {
  public:
    explicit Expander(Pairs &pairs) : steps_(pairs.bodies.sweeps.steps), pairs_(pairs) {
        reach_.resize(1);
        reach_[0].resize(2 * steps_.size());
        exits_.resize(2 * steps_.size());
    }

    // Begin with other pieces.
    void take(std::span<const Placed> placed, std::span<const std::uint32_t> part) {
        n_ = part.size();
        words_ = words_for(n_);
        now_.assign(steps_.size(), Pushes<Set>(n_));
        ever_ = farther_ = Pushes<Set>(n_);
        lanes_.resize(n_);
        offsets_.resize(n_);
        twos_.clear();
        for (std::size_t j = 0; j < n_; ++j)
            for (std::size_t i = 0; i < j; ++i) {
                const Placed &a = placed[part[i]], &b = placed[part[j]];
                twos_.push_back({Pairs::pair(a.body, b.body),
                                 static_cast<std::uint32_t>(i),
                                 static_cast<std::uint32_t>(j),
                                 Pairs::offset(a.at - b.at),
                                 {}});
            }
        everyone_ = Set{};
        for (std::size_t i = 0; i < n_; ++i)
            include(everyone_, i);
    }

    static std::size_t words_for(std::size_t n) { return ((n - 1) * sizeof(Lane) + 7) / 8; }

    // Whether something can slide off; if not, the moves are appended to the children.
    std::optional<Exit<Set>> expand(const std::uint64_t *lanes, std::uint32_t state,
                                    Children &children) {
        unpack(lanes);
        state_ = state;
        if (!anything_moves())
            return std::nullopt;
        if (auto exit = find_exit())
            return exit;
        for (std::uint32_t step = 0; step < steps_.size(); ++step) {
            if (empty(reach_[0][2 * step].small) && empty(reach_[0][2 * step + 1].small))
                continue;
            measure(step);
            const auto emit = [&](const Set &set, std::uint32_t direction, std::int32_t units) {
                child(set, direction, units, children);
            };
            moves(2 * step, emit);
            moves(2 * step + 1, emit);
        }
        return std::nullopt;
    }

    // Everything that can be done from a state: sets with a direction and units, 0 for away.
    template <class Emit> void survey(const std::uint64_t *state, Emit &&emit) {
        unpack(state);
        if (!anything_moves())
            return;
        find_exit();
        for (std::uint32_t direction = 0; direction < 2 * steps_.size(); ++direction) {
            listed_.resize(std::max<std::size_t>(listed_.size(), 1));
            listed_[0].clear();
            each(exits_[direction].small, [&](std::size_t piece) {
                list(exits_[direction].of[piece], direction, 0,
                     [&](const Set &set, std::uint32_t way, std::int32_t) { emit(set, way, 0); });
            });
        }
        for (std::uint32_t step = 0; step < steps_.size(); ++step) {
            if (empty(reach_[0][2 * step].small) && empty(reach_[0][2 * step + 1].small))
                continue;
            measure(step);
            moves(2 * step, emit);
            moves(2 * step + 1, emit);
        }
    }

    // Where the pieces stand in a state, from where they were assembled.
    std::vector<Shift> places(const std::uint64_t *state) {
        unpack(state);
        std::vector<Shift> found;
        for (Lane lane : lanes_)
            found.push_back(Packed<Lane>::unpack(lane));
        return found;
    }

  private:
    struct Two {
        std::uint32_t pair, i, j;
        std::uint64_t offset; // in the assembly
        Gaps gaps;            // in the state at hand
    };

    std::size_t n_ = 0, words_ = 0;
    const std::vector<Shift> &steps_;
    Pairs &pairs_;
    std::vector<Two> twos_; // (0, 1), (0, 2), (1, 2), (0, 3), ...
    Set everyone_{};
    // Of the state at hand:
    std::uint32_t state_ = 0;
    std::vector<Pushes<Set>> now_;     // by step: on the first unit
    Pushes<Set> ever_{0}, farther_{0}; // for some step: ever, or on the next unit
    std::vector<Lane> lanes_;
    std::vector<std::uint64_t> offsets_; // of the places
    Shift low_, high_;                   // of the places
    std::vector<std::vector<Closure<Set>>>
        reach_;                       // by distance and direction: what can move so far
    std::vector<Closure<Set>> exits_; // by direction: what can slide off
    std::size_t distances_ = 0;       // that anything can move, along the step at hand
    std::vector<Sets<Set>> listed_;   // by distance, with unions

    void unpack(const std::uint64_t *state) {
        lanes_[0] = 0;
        std::memcpy(lanes_.data() + 1, state, (n_ - 1) * sizeof(Lane));
        low_ = high_ = {0, 0, 0};
        for (std::size_t i = 1; i < n_; ++i) {
            const Shift at = Packed<Lane>::unpack(lanes_[i]);
            offsets_[i] = Pairs::offset(at);
            low_ = {std::min(low_.x, at.x), std::min(low_.y, at.y), std::min(low_.z, at.z)};
            high_ = {std::max(high_.x, at.x), std::max(high_.y, at.y), std::max(high_.z, at.z)};
        }
        for (Two &two : twos_)
            two.gaps = pairs_.find(two.pair, two.offset + offsets_[two.i] - offsets_[two.j]);
    }

    bool anything_moves() {
        const std::size_t steps = steps_.size();
        for (Pushes<Set> &pushes : now_)
            pushes.clear();
        for (const Two &two : twos_)
            for (std::size_t step = 0; step < steps; ++step) {
                const std::uint64_t bits = two.gaps.now >> step;
                now_[step].add(two.i, two.j, bits & 1);
                now_[step].add(two.j, two.i, bits >> steps & 1);
            }
        bool any = false;
        for (std::size_t step = 0; step < steps; ++step) {
            Closure<Set> &forth = reach_[0][2 * step], &back = reach_[0][2 * step + 1];
            now_[step].close(n_ / 2, forth, back);
            any = any || !empty(forth.small) || !empty(back.small);
        }
        return any;
    }

    std::optional<Exit<Set>> find_exit() {
        const std::size_t steps = steps_.size();
        for (Two &two : twos_)
            if (two.gaps.at == Pairs::unknown)
                two.gaps = pairs_.measure(two.pair, two.gaps.offset);
        bool any = false;
        for (std::size_t step = 0; step < steps; ++step) {
            Closure<Set> &forth = exits_[2 * step], &back = exits_[2 * step + 1];
            forth.small = back.small = Set{};
            if (empty(reach_[0][2 * step].small) && empty(reach_[0][2 * step + 1].small))
                continue;
            ever_.clear();
            for (const Two &two : twos_) {
                const std::uint64_t bits = two.gaps.ever >> step;
                ever_.add(two.i, two.j, bits & 1);
                ever_.add(two.j, two.i, bits >> steps & 1);
            }
            ever_.close(n_ / 2, forth, back);
            any = any || !empty(forth.small) || !empty(back.small);
        }
        for (const bool alone : {true, false})
            for (std::uint32_t direction = 0; any && direction < 2 * steps; ++direction)
                for (std::size_t piece = 0; piece < n_; ++piece)
                    if (contains(exits_[direction].small, piece) &&
                        (!alone || exits_[direction].of[piece] == singleton<Set>(piece)))
                        return Exit<Set>{exits_[direction].of[piece], direction};
        return std::nullopt;
    }

    // What can move how far along a step, and against it.
    void measure(std::uint32_t step) {
        const std::size_t steps = steps_.size();
        farther_ = now_[step];
        for (distances_ = 1;; ++distances_) {
            if (distances_ == reach_.size())
                reach_.emplace_back(2 * steps);
            auto &before = reach_[distances_ - 1], &here = reach_[distances_];
            bool changed = false, more = false;
            for (const Two &two : twos_) {
                const std::uint16_t *gaps = &pairs_.gaps[two.gaps.at + step];
                const bool first = gaps[0] == distances_, second = gaps[steps] == distances_;
                farther_.add(two.i, two.j, first);
                farther_.add(two.j, two.i, second);
                changed = changed || first || second;
                more = more || (gaps[0] >= distances_ && gaps[0] != forever) ||
                       (gaps[steps] >= distances_ && gaps[steps] != forever);
            }
            Closure<Set> &forth = here[2 * step], &back = here[2 * step + 1];
            if (changed)
                farther_.close(n_ / 2, forth, back);
            else
                forth = before[2 * step], back = before[2 * step + 1];
            // What goes so far as to meet nobody any more goes as far as it likes.
            if ((empty(forth.small) && empty(back.small)) || !more)
                return;
        }
    }

    template <class Emit> void moves(std::uint32_t direction, Emit &&emit) {
        if (listed_.size() < distances_)
            listed_.resize(distances_);
        for (std::size_t d = 0; d < distances_; ++d)
            listed_[d].clear();
        each(reach_[0][direction].small, [&](std::size_t piece) {
            for (std::size_t d = 0; d < distances_ && contains(reach_[d][direction].small, piece);
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
        while (before-- > 0) {
            const Set joined = unite(sets.all[before], set);
            if (joined != everyone_ && sets.add(joined))
                emit(joined, direction, units);
        }
    }

    void child(const Set &set, std::uint32_t direction, std::int32_t units, Children &children) {
        const Shift by = times(direction % 2 == 0 ? units : -units, steps_[direction / 2]);
        const auto far = [](std::int32_t extent, std::int32_t move, std::int32_t most) {
            return extent + (move < 0 ? -move : move) > most;
        };
        constexpr Shift most = Packed<Lane>::most;
        if (far(high_.x - low_.x, by.x, most.x) || far(high_.y - low_.y, by.y, most.y) ||
            far(high_.z - low_.z, by.z, most.z))
            require_room(set, by);
        std::array<Lane, most_pieces> moved;
        std::copy(lanes_.begin(), lanes_.end(), moved.begin());
        // The first piece stays where it is: if it moves, the others move the other way.
        const bool flipped = contains(set, 0);
        const Lane delta = Packed<Lane>::pack(flipped ? times(-1, by) : by);
        each(flipped ? without(everyone_, set) : set,
             [&](std::size_t i) { moved[i] = static_cast<Lane>(moved[i] + delta); });
        if (children.size() == most_children)
            throw Crowded{};
        const std::size_t start = children.lanes.size();
        children.lanes.resize(start + words_, 0);
        std::memcpy(&children.lanes[start], moved.data() + 1, (n_ - 1) * sizeof(Lane));
        children.hashes.push_back(States::hash(&children.lanes[start], words_));
        children.from.push_back(state_);
    }

    void require_room(const Set &set, Shift by) const {
        Shift low{0, 0, 0}, high{0, 0, 0};
        for (std::size_t i = 0; i < n_; ++i) {
            Shift at = Packed<Lane>::unpack(lanes_[i]);
            if (contains(set, i))
                at = at + by;
            if (contains(set, 0))
                at = at - by;
            low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
        }
        constexpr Shift most = Packed<Lane>::most;
        if (high.x - low.x > most.x || high.y - low.y > most.y || high.z - low.z > most.z)
            throw Vast{};
    }
};

// What a search works with, kept for the next one.
template <class Lane, class Set> struct Shop {
    Expander<Lane, Set> expander;
    std::vector<Children> children{1};
    Children next;
    explicit Shop(Pairs &pairs) : expander(pairs) {}
};

} // namespace

// ---- One separation after the other. ----

struct Disassembler::Engine {
    struct Piece {
        std::vector<Cell> cells;
        std::int32_t weight;
        Groups groups;
        // For each turn, once it is needed: the body, and where that lies.
        std::vector<std::optional<std::pair<std::uint32_t, Shift>>> turned;
    };

    Bodies bodies;
    Pairs pairs{bodies};
    std::vector<Turn> turns;
    std::vector<Piece> pieces;
    // Of the attempt at hand:
    std::vector<Placed> placed;
    Limits limits;
    unsigned threads = 1;
    const KeepGoing *keep_going = nullptr;
    const Rescue *rescue = nullptr;
    Attempt attempt;
    std::vector<std::vector<std::uint32_t>> clumps; // parts that stay together

    Engine(Sweeps sweeps, std::vector<Turn> turns)
        : bodies(std::move(sweeps)), turns(std::move(turns)) {}

    using Part = std::vector<std::uint32_t>;

    // Whether offsets, or numbers of bodies, do not fit the tables of pairs.
    bool too_far() const {
        constexpr std::int64_t most = 1 << 19;
        const auto far = [&](std::int32_t Shift::*axis) {
            const auto [low, high] = std::minmax_element(
                placed.begin(), placed.end(),
                [axis](const Placed &a, const Placed &b) { return a.at.*axis < b.at.*axis; });
            return std::int64_t{high->at.*axis} - low->at.*axis > most;
        };
        return bodies.all.size() > 0xffff || far(&Shift::x) || far(&Shift::y) || far(&Shift::z);
    }

    Placed place(const Spot &spot) {
        for (std::int32_t part : {spot.shift.x, spot.shift.y, spot.shift.z})
            if (part < -farthest || part > farthest)
                throw Vast{};
        Piece &piece = pieces.at(spot.piece);
        auto &turned = piece.turned.at(spot.turn);
        if (!turned) {
            std::vector<Cell> cells;
            turn_cells(turns[spot.turn], piece.cells, cells);
            turned = bodies.add(cells);
        }
        return {turned->first, turned->second + times(bodies.sweeps.parts, spot.shift),
                piece.weight, spot.piece};
    }

    void lay_out(std::span<const Spot> assembly) {
        placed.clear();
        for (const Spot &spot : assembly)
            placed.push_back(place(spot));
    }

    // What a search for one separation found: the moves, the last of them away, and the places of
    // the pieces before that one.
    struct Found {
        std::vector<Slide> moves;
        std::vector<Shift> places;
    };

    std::unique_ptr<Separation> separate(const Part &part, const std::vector<Shift> &places) {
        std::optional<Found> found = part.size() <= 8    ? search<Octet>(part, places)
                                     : part.size() <= 64 ? search<Few>(part, places)
                                                         : search<Many>(part, places);
        if (!found)
            found = fly_apart(part, places);
        if (!found)
            return nullptr;
        auto separation = std::make_unique<Separation>();
        separation->moves = std::move(found->moves);
        Slide &last = separation->moves.back();
        if (last.each.empty())
            keep_heavy(part, last);
        Part left, removed;
        std::vector<Shift> left_places, removed_places;
        for (std::size_t i = 0; i < part.size(); ++i) {
            const bool gone =
                std::find(last.pieces.begin(), last.pieces.end(), part[i]) != last.pieces.end();
            (gone ? removed : left).push_back(part[i]);
            (gone ? removed_places : left_places).push_back(found->places[i]);
        }
        if (!finish(left, left_places, separation->left) ||
            !finish(removed, removed_places, separation->removed))
            return nullptr;
        return separation;
    }

    // All at once, in different directions: the heaviest piece, and what goes with it, stays.
    std::optional<Found> fly_apart(const Part &part, const std::vector<Shift> &places) {
        const bool decided = attempt.ending == Ending::rigid || attempt.ending == Ending::stuck;
        if (!decided || !*rescue)
            return std::nullopt;
        const std::vector<Shift> velocities = (*rescue)(part, places);
        if (velocities.size() != part.size())
            return std::nullopt;
        std::size_t anchor = 0;
        for (std::size_t i = 1; i < part.size(); ++i)
            if (placed[part[i]].weight > placed[part[anchor]].weight)
                anchor = i;
        Slide away{{}, 0, 0, {}};
        for (std::size_t i = 0; i < part.size(); ++i)
            if (velocities[i] != velocities[anchor]) {
                away.pieces.push_back(part[i]);
                away.each.push_back(velocities[i] - velocities[anchor]);
            }
        if (away.pieces.empty())
            return std::nullopt;
        return Found{{std::move(away)}, places};
    }

    // What is taken away is what slid off, unless its heaviest piece outweighs all that stay.
    void keep_heavy(const Part &part, Slide &last) const {
        Part others;
        for (std::uint32_t piece : part)
            if (std::find(last.pieces.begin(), last.pieces.end(), piece) == last.pieces.end())
                others.push_back(piece);
        const auto heaviest = [&](const Part &some) {
            std::int32_t most = placed[some[0]].weight;
            for (std::uint32_t piece : some)
                most = std::max(most, placed[piece].weight);
            return most;
        };
        if (heaviest(others) < heaviest(last.pieces)) {
            last.pieces = std::move(others);
            last.direction ^= 1;
        }
    }

    // A part is finished if it is one piece, stays together, or comes apart.
    bool finish(const Part &part, const std::vector<Shift> &places,
                std::unique_ptr<Separation> &separation) {
        if (part.size() == 1)
            return true;
        if (of_one_group(part) && may_stay(part))
            return true;
        separation = separate(part, places);
        if (separation)
            return true;
        const bool decided = attempt.ending == Ending::rigid || attempt.ending == Ending::stuck;
        return decided && may_stay(part);
    }

    const Groups &groups_of(std::uint32_t i) const { return pieces[placed[i].piece].groups; }

    // Whether every piece has just one group, the same.
    bool of_one_group(const Part &part) const {
        return std::all_of(part.begin(), part.end(), [&](std::uint32_t i) {
            const Groups &mine = groups_of(i), &first = groups_of(part[0]);
            return mine.size() == 1 && first.size() == 1 && mine[0].first == first[0].first;
        });
    }

    // Whether this part, too, can be given a group, with no piece in a group more often than it
    // may.
    bool may_stay(const Part &part) {
        clumps.push_back(part);
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> room;
        for (std::uint32_t piece = 0; piece < pieces.size(); ++piece)
            for (const auto &[group, copies] : pieces[piece].groups)
                room[{piece, group}] = copies;
        if (assign(0, room))
            return true;
        clumps.pop_back();
        return false;
    }

    bool
    assign(std::size_t clump,
           const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> &room) const {
        if (clump == clumps.size())
            return true;
        for (const auto &[group, copies] : groups_of(clumps[clump][0])) {
            auto rest = room;
            bool fits = true;
            for (std::uint32_t i : clumps[clump]) {
                const auto at = rest.find({placed[i].piece, group});
                fits = fits && at != rest.end() && at->second-- > 0;
            }
            if (fits && assign(clump + 1, rest))
                return true;
        }
        return false;
    }

    template <class Set>
    std::optional<Found> search(const Part &part, const std::vector<Shift> &places) {
        // Narrow lanes are enough for most; where they are not, the search begins again.
        if (roomy<std::uint16_t>(part, places)) {
            const std::uint64_t before = attempt.states;
            try {
                return search<std::uint16_t, Set>(part, places);
            } catch (Vast) {
                attempt.states = before;
            }
        }
        if (!roomy<std::uint32_t>(part, places))
            throw Vast{};
        return search<std::uint32_t, Set>(part, places);
    }

    // Whether lanes hold these places, and likely those that moves lead to.
    template <class Lane> bool roomy(const Part &part, const std::vector<Shift> &places) const {
        Shift low = places[0], high = places[0], size{0, 0, 0};
        for (const Shift &at : places) {
            low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
        }
        if (sizeof(Lane) == 2)
            for (std::uint32_t i : part) {
                const Bitmap &map = bodies.all[placed[i].body].solid;
                size = {std::max(size.x, map.length), std::max(size.y, map.width),
                        std::max(size.z, map.height)};
            }
        const std::int32_t parts = bodies.sweeps.parts;
        constexpr Shift most = Packed<Lane>::most;
        return std::max(high.x - low.x, parts * size.x) <= most.x &&
               std::max(high.y - low.y, parts * size.y) <= most.y &&
               std::max(high.z - low.z, parts * size.z) <= most.z;
    }

    using Narrow = std::uint16_t;
    using Wide = std::uint32_t;
    std::tuple<std::unique_ptr<Shop<Narrow, Octet>>, std::unique_ptr<Shop<Narrow, Few>>,
               std::unique_ptr<Shop<Narrow, Many>>, std::unique_ptr<Shop<Wide, Octet>>,
               std::unique_ptr<Shop<Wide, Few>>, std::unique_ptr<Shop<Wide, Many>>>
        shops;

    template <class Lane, class Set> Shop<Lane, Set> &shop(const Part &part) {
        auto &shop = std::get<std::unique_ptr<Shop<Lane, Set>>>(shops);
        if (!shop)
            shop = std::make_unique<Shop<Lane, Set>>(pairs);
        shop->expander.take(placed, part);
        return *shop;
    }

    template <class Lane, class Set>
    std::optional<Found> search(const Part &part, const std::vector<Shift> &places) {
        auto &[expander, children, next] = shop<Lane, Set>(part);
        const std::size_t words = Expander<Lane, Set>::words_for(part.size());
        Children &first = children[0];
        first.clear();
        next.clear();
        pack<Lane>(places, first.lanes);
        first.hashes.push_back(States::hash(first.lanes.data(), words));
        first.from.push_back(0);
        // Most are rigid, or open at once: no need to remember states.
        if (const auto exit = expander.expand(first.lanes.data(), 0, next)) {
            ++attempt.states;
            return path(expander, {first.lanes.data()}, *exit, part, places);
        }
        if (next.size() == 0) {
            ++attempt.states;
            return end(Ending::rigid, part, places);
        }
        std::deque<Expander<Lane, Set>> others; // for the other threads
        States states(words, threads > 1);
        states.insert(first);
        const std::uint64_t before = attempt.states;
        // So many states at once that nobody waits long for an answer: those of many pieces, or
        // with many children, cost more.
        std::size_t block = std::clamp<std::size_t>(400'000 / n_squared(part), 16, 16384);
        std::size_t produced = next.size();
        std::size_t end_of_depth = 1;
        std::uint32_t depth = 1; // moves that a separation from here takes
        for (std::size_t state = 0; state < states.size();) {
            if (state == end_of_depth) {
                end_of_depth = states.size();
                ++depth;
            }
            attempt.states = before + states.size();
            if (depth > limits.moves || attempt.states > limits.states)
                return end(Ending::limited, part, places);
            if (!(*keep_going)(attempt.states))
                throw Interrupted{};
            block = std::min(block, 1 + 200'000 * (state + 1) / produced);
            const std::size_t to = std::min(end_of_depth, state + block);
            if (threads > 1 && to - state == block) {
                if (others.empty())
                    hire(others, part);
                auto exit = expand_together(expander, others, states, state, to, children);
                attempt.states = before + states.size();
                for (const Children &some : children)
                    produced += some.size();
                if (exit)
                    return path(expander, way_to(states, exit->first), exit->second, part, places);
                state = to;
                continue;
            }
            for (; state < to; ++state) {
                children[0].clear();
                const auto number = static_cast<std::uint32_t>(state);
                const auto exit = expander.expand(states.at(number), number, children[0]);
                if (exit) {
                    attempt.states = before + states.size();
                    return path(expander, way_to(states, number), *exit, part, places);
                }
                states.insert(children[0]);
                produced += children[0].size();
                if (before + states.size() > limits.states || children[0].size() > 100'000) {
                    ++state;
                    break;
                }
            }
        }
        attempt.states = before + states.size();
        return end(Ending::stuck, part, places);
    }

    static std::size_t n_squared(const Part &part) { return part.size() * part.size(); }

    // Every thread has its own tables of what it asked about bodies.
    struct Crew {
        Bodies bodies;
        Pairs pairs{bodies};
        explicit Crew(const Bodies &bodies) : bodies(bodies) {}
    };
    std::vector<std::unique_ptr<Crew>> crews;

    template <class Lane, class Set>
    void hire(std::deque<Expander<Lane, Set>> &others, const Part &part) {
        crews.resize(threads - 1);
        for (std::unique_ptr<Crew> &crew : crews) {
            if (!crew || crew->bodies.all.size() != bodies.all.size())
                crew = std::make_unique<Crew>(bodies);
            others.emplace_back(crew->pairs).take(placed, part);
        }
    }

    // Expand a block of states, a run of them on each thread; the first that has an exit counts.
    template <class Lane, class Set>
    std::optional<std::pair<std::uint32_t, Exit<Set>>>
    expand_together(Expander<Lane, Set> &expander, std::deque<Expander<Lane, Set>> &others,
                    States &states, std::size_t from, std::size_t to,
                    std::vector<Children> &children) {
        const std::size_t workers = others.size() + 1;
        children.resize(workers);
        std::vector<std::optional<std::pair<std::uint32_t, Exit<Set>>>> exits(workers);
        std::vector<std::uint8_t> vast(workers, 0), crowded(workers, 0);
        in_parallel(workers, [&](std::size_t me) {
            children[me].clear();
            const std::size_t share = (to - from + workers - 1) / workers;
            const std::size_t end = std::min(to, from + (me + 1) * share);
            Expander<Lane, Set> &mine = me == 0 ? expander : others[me - 1];
            try {
                for (std::size_t state = from + me * share; state < end && !exits[me]; ++state) {
                    const auto number = static_cast<std::uint32_t>(state);
                    const auto exit = mine.expand(states.at(number), number, children[me]);
                    if (exit)
                        exits[me].emplace(number, *exit);
                }
            } catch (Vast) {
                vast[me] = 1;
            } catch (Crowded) {
                crowded[me] = 1;
            }
            states.sort(children[me], workers);
        });
        for (std::size_t worker = 0; worker < workers; ++worker) {
            if (vast[worker])
                throw Vast{};
            if (crowded[worker])
                throw Crowded{};
            if (exits[worker]) {
                for (std::size_t later = worker + 1; later < workers; ++later) {
                    children[later].clear();
                    states.sort(children[later], workers);
                }
                states.insert(children);
                return exits[worker];
            }
        }
        states.insert(children);
        return std::nullopt;
    }

    // The state with the pieces at these places.
    template <class Lane>
    static void pack(const std::vector<Shift> &places, std::vector<std::uint64_t> &state) {
        state.assign(Expander<Lane, Few>::words_for(places.size()), 0);
        auto *const bytes = reinterpret_cast<unsigned char *>(state.data());
        for (std::size_t i = 1; i < places.size(); ++i) {
            const Lane lane = Packed<Lane>::pack(places[i] - places[0]);
            std::memcpy(bytes + (i - 1) * sizeof(Lane), &lane, sizeof(Lane));
        }
    }

    template <class Set>
    std::vector<Slide> survey(const Part &part, const std::vector<Shift> &places) {
        using Lane = std::uint32_t;
        if (!roomy<Lane>(part, places))
            throw Vast{};
        Expander<Lane, Set> &expander = shop<Lane, Set>(part).expander;
        std::vector<std::uint64_t> state;
        pack<Lane>(places, state);
        std::vector<Slide> found;
        expander.survey(state.data(), [&](const Set &set, std::uint32_t way, std::int32_t units) {
            found.push_back({{}, way, static_cast<std::uint32_t>(units), {}});
            each(set, [&](std::size_t i) { found.back().pieces.push_back(part[i]); });
        });
        return found;
    }

    std::nullopt_t end(Ending ending, const Part &part, const std::vector<Shift> &places) {
        attempt.ending = ending;
        attempt.part = part;
        attempt.places = places;
        return std::nullopt;
    }

    // The states on the shortest way to one, from the start on.
    static std::vector<const std::uint64_t *> way_to(const States &states, std::uint32_t last) {
        std::vector<const std::uint64_t *> way{states.at(last)};
        for (std::uint32_t at = last; at != 0;) {
            at = states.from(at);
            way.push_back(states.at(at));
        }
        std::reverse(way.begin(), way.end());
        return way;
    }

    template <class Lane, class Set>
    Found path(Expander<Lane, Set> &expander, const std::vector<const std::uint64_t *> &way,
               const Exit<Set> &exit, const Part &part, const std::vector<Shift> &start) {
        Found found;
        std::vector<Shift> here = expander.places(way[0]);
        for (std::size_t i = 1; i < way.size(); ++i) {
            const std::vector<Shift> there = expander.places(way[i]);
            found.moves.push_back(move_between(here, there, part));
            here = there;
        }
        Slide away{{}, exit.direction, 0, {}};
        each(exit.set, [&](std::size_t i) { away.pieces.push_back(part[i]); });
        found.moves.push_back(std::move(away));
        for (const Shift &at : here)
            found.places.push_back(at + start[0]);
        return found;
    }

    // The move that leads from one state to the next, of those that moved or of those that did not.
    Slide move_between(const std::vector<Shift> &here, const std::vector<Shift> &there,
                       const Part &part) const {
        Part moved, still;
        Shift by{};
        for (std::size_t i = 0; i < part.size(); ++i) {
            (here[i] == there[i] ? still : moved).push_back(part[i]);
            if (here[i] != there[i])
                by = there[i] - here[i];
        }
        if (moved.size() > still.size()) {
            moved.swap(still);
            by = times(-1, by);
        }
        for (std::uint32_t direction = 0; direction < 2 * bodies.sweeps.steps.size(); ++direction) {
            const Shift step = times(direction % 2 ? -1 : 1, bodies.sweeps.steps[direction / 2]);
            for (int axis = 0; axis < 3; ++axis) {
                const std::int32_t along = axis == 0 ? step.x : axis == 1 ? step.y : step.z;
                const std::int32_t gone = axis == 0 ? by.x : axis == 1 ? by.y : by.z;
                if (along != 0 && gone % along == 0 && gone / along > 0 &&
                    times(gone / along, step) == by)
                    return {moved, direction, static_cast<std::uint32_t>(gone / along), {}};
            }
        }
        require(false, "every move is along a step");
        return {};
    }
};

Disassembler::Disassembler(Sweeps sweeps, std::vector<Turn> turns)
    : engine_(std::make_unique<Engine>(std::move(sweeps), std::move(turns))) {}

Disassembler::~Disassembler() = default;

void Disassembler::add_piece(std::span<const Cell> cells, std::int32_t weight, Groups groups) {
    for (const Cell &cell : cells)
        if (cell.tile < 0 || static_cast<std::uint32_t>(cell.tile) >= engine_->bodies.sweeps.tiles)
            throw std::invalid_argument("a cell of a tile that the grid does not have");
    engine_->pieces.push_back({{cells.begin(), cells.end()}, weight, std::move(groups), {}});
    engine_->pieces.back().turned.resize(engine_->turns.size());
}

std::optional<std::vector<Slide>> Disassembler::survey(std::span<const Spot> assembly,
                                                       const std::vector<std::uint32_t> &part,
                                                       const std::vector<Shift> &places) {
    const auto there = [&](std::uint32_t i) { return i < assembly.size(); };
    if (part.size() < 2 || places.size() != part.size() ||
        !std::all_of(part.begin(), part.end(), there))
        throw std::invalid_argument("a part has two pieces of the assembly or more, with places");
    try {
        engine_->lay_out(assembly);
        for (const Shift &at : places)
            for (std::int32_t way : {at.x, at.y, at.z})
                if (way < -farthest || way > farthest)
                    throw Vast{};
        if (part.size() > most_pieces || engine_->too_far())
            return std::nullopt;
        return part.size() <= 8    ? engine_->survey<Octet>(part, places)
               : part.size() <= 64 ? engine_->survey<Few>(part, places)
                                   : engine_->survey<Many>(part, places);
    } catch (Vast) {
    } catch (Crowded) {
    }
    return std::nullopt;
}

Attempt Disassembler::take_apart(std::span<const Spot> assembly, const Limits &limits,
                                 unsigned threads, const KeepGoing &keep_going,
                                 const Rescue &rescue) {
    require_threads(threads);
    Engine &engine = *engine_;
    engine.limits = limits;
    engine.threads = threads;
    engine.keep_going = &keep_going;
    engine.rescue = &rescue;
    engine.attempt = {Ending::apart, nullptr, 0, {}, {}};
    engine.clumps.clear();
    Engine::Part everything;
    for (std::uint32_t i = 0; i < assembly.size(); ++i)
        everything.push_back(i);
    try {
        engine.lay_out(assembly);
        if (assembly.size() < 2) {
            engine.end(Ending::rigid, everything, {assembly.size(), Shift{0, 0, 0}});
            return std::move(engine.attempt);
        }
        if (assembly.size() > most_pieces || engine.too_far())
            throw Vast{};
        engine.attempt.separation =
            engine.separate(everything, std::vector<Shift>(assembly.size(), Shift{0, 0, 0}));
        if (engine.attempt.separation) {
            engine.attempt.ending = Ending::apart;
            engine.attempt.part.clear();
            engine.attempt.places.clear();
        }
    } catch (Vast) {
        engine.attempt.ending = Ending::vast;
    } catch (Crowded) {
        engine.attempt.ending = Ending::crowded;
    } catch (Interrupted) {
        engine.attempt.ending = Ending::interrupted;
    }
    return std::move(engine.attempt);
}

} // namespace kumitate
