#include "separation.hpp"
#include "moves.hpp"

#include <deque>
#include <tuple>

namespace kumitate {

namespace {

// What a search works with, kept for the next one.
template <class Explorer> struct Shop {
    Explorer expander;
    std::vector<Children> children{1};
};

// What another thread knows about bodies.
struct Helper {
    Bodies bodies;
    Pairs pairs{bodies};
    explicit Helper(const Bodies &bodies) : bodies(bodies) {}
};

// Boxes of floods (tilting.hpp): some ten seconds to find a separation, and one to spare moves.
constexpr std::size_t most_boxes = 4'000'000, few_boxes = 400'000;

using Narrow = std::uint16_t;
using Wide = std::uint32_t;
template <class Explorer>
constexpr bool with_turns = std::is_constructible_v<Explorer, Pairs &, std::int32_t, std::int32_t>;

// A core for pages is small: it knows no turns, and has few kinds of sets.
#ifdef KUMITATE_LEAN
constexpr bool lean = true;
#else
constexpr bool lean = false;
#endif

template <class... Explorers> using Shops = std::tuple<std::unique_ptr<Shop<Explorers>>...>;

} // namespace

struct PartSearch::Tools {
    Bodies bodies;
    const std::optional<std::int32_t> tolerance;
    const std::int32_t clearance;
    Pairs pairs{bodies};
    std::vector<std::unique_ptr<Helper>> helpers{};
    Shops<Expander<Narrow, Octet>, Expander<Narrow, Hex>, Expander<Narrow, Dozens>,
          Expander<Narrow, Few>, Expander<Wide, Octet>, Expander<Wide, Hex>, Expander<Wide, Few>,
          Expander<Wide, Many>
#ifndef KUMITATE_LEAN
          ,
          TurnExpander<Wide, Octet, std::uint32_t>, TurnExpander<Wide, Few, std::uint32_t>,
          TurnExpander<Wide, Few, std::uint64_t>
#endif
          >
        shops{};

    Tools(Sweeps sweeps, std::optional<std::int32_t> tolerance, std::int32_t clearance)
        : bodies(std::move(sweeps)), tolerance(tolerance), clearance(clearance) {}

    template <class Explorer> Explorer explorer(Pairs &of_thread) const {
        if constexpr (with_turns<Explorer>)
            return Explorer(of_thread, *tolerance, clearance);
        else
            return Explorer(of_thread);
    }

    template <class Explorer>
    Shop<Explorer> &shop(std::span<const Placed> placed, const Part &part) {
        auto &shop = std::get<std::unique_ptr<Shop<Explorer>>>(shops);
        if (!shop)
            shop = std::make_unique<Shop<Explorer>>(Shop<Explorer>{explorer<Explorer>(pairs)});
        shop->expander.take(placed, part);
        return *shop;
    }
};

namespace {

// Whether lanes hold these places, and likely those that moves lead to. For more than 64 pieces
// there are wide lanes only.
template <class Lane>
bool roomy(const Bodies &bodies, std::span<const Placed> placed, const Part &part,
           const std::vector<Shift> &places) {
    if (sizeof(Lane) == 2 && part.size() > 64)
        return false;
    const Box box = box_of(places);
    Box largest;
    if (sizeof(Lane) == 2)
        for (std::uint32_t i : part)
            largest.include(bodies.all[placed[i].body].sides);
    return within(box.high - box.low, Packed<Lane>::most) &&
           within(bodies.sweeps.parts * largest.high, Packed<Lane>::most);
}

// The state with the pieces at these places.
template <class Lane> std::vector<std::uint64_t> packed(const std::vector<Shift> &places) {
    std::vector<std::uint64_t> state(Expander<Lane, Few>::words_for(places.size()));
    auto *const bytes = reinterpret_cast<unsigned char *>(state.data());
    for (std::size_t i = 1; i < places.size(); ++i) {
        const Lane lane = Packed<Lane>::pack(places[i] - places[0]);
        KUMITATE_EXPECT(Packed<Lane>::unpack(lane) == places[i] - places[0], "places fit lanes");
        std::memcpy(bytes + (i - 1) * sizeof(Lane), &lane, sizeof(Lane));
    }
    return state;
}

// Call with lanes, and the least sets that hold a part; for large moves, and more pieces, there are
// only large sets.
template <class Lane, class Ask> auto with_small_sets(const Part &part, Ask &&ask) {
    return part.size() <= 8 ? ask(Lane{}, Octet{}) : ask(Lane{}, Hex{});
}
template <class Ask> auto with_large_sets(const Part &part, Ask &&ask) {
    return part.size() <= 64 ? ask(Wide{}, Few{}) : ask(Wide{}, Many{});
}

// The search of one part.
template <class Explorer, class Tools> class Breadth {
  public:
    // The state to begin with, and how to put the way to a state into words.
    using Path = std::function<Found(Explorer &, const std::vector<const std::uint64_t *> &)>;

    Breadth(Tools &tools, std::span<const Placed> placed, const Part &part, Effort &effort,
            Path path)
        : tools_(tools), shop_(tools.template shop<Explorer>(placed, part)), placed_(placed),
          part_(part), effort_(effort), path_(std::move(path)) {}

    // Where so many pieces are loose that their unions cannot be listed, sets move one by one, and
    // moves that could have been one are joined afterwards. So the same states are reached, and
    // what does not come apart is decided; but a separation that takes more than two moves may have
    // been possible with fewer.
    Found run(const std::vector<std::uint64_t> &start) {
        const std::uint64_t before = effort_.states;
        try {
            return search(start);
        } catch (Crowded) {
            effort_.states = before;
            others_.clear();
            unions_ = false;
            shop_.expander.list_unions(false);
            Found found = search(start);
            join(found.moves);
            return found;
        }
    }

  private:
    static constexpr std::uint32_t never = ~std::uint32_t{0};

    // States by their depth, and where the visit ended.
    struct Visit {
        States states;
        std::vector<std::size_t> ends{}; // of the states of each depth
        Ending ending = Ending::stuck;
        std::uint32_t exit = 0; // if apart: the state

        std::size_t end(std::size_t depth) const {
            return depth < ends.size() ? ends[depth] : states.size();
        }
    };

    Found search(const std::vector<std::uint64_t> &start) {
        const std::uint64_t before = effort_.states;
        Visit visit{States(start.size(), effort_.threads > 1)};
        breadth(visit, start, effort_.limits.moves, false);
        // The moves of a separation without routes; if it was given up, no fewer.
        const std::uint32_t moves =
            visit.ending == Ending::stuck ? never : static_cast<std::uint32_t>(visit.ends.size());
        if (effort_.states > effort_.limits.states || !routes_lead_on(visit, moves))
            return ended(visit);
        const std::uint64_t visited = std::exchange(effort_.states, before);
        Visit sooner{States(start.size(), effort_.threads > 1)};
        bool crowded = false;
        try {
            breadth(sooner, start, moves - 1, true);
        } catch (Crowded) {
            if (moves == never)
                throw;
            crowded = true;
        }
        if (crowded || (sooner.ending == Ending::limited && moves != never &&
                        effort_.states <= effort_.limits.states)) {
            effort_.states = visited;
            return ended(visit, crowded);
        }
        return ended(sooner);
    }

    Found ended(const Visit &visit, bool crowded = false) {
        const bool unsure = crowded || this->unsure();
        if (visit.ending == Ending::apart) {
            Found found = path_(shop_.expander, way_to(visit.states, visit.exit));
            found.unsure = unsure;
            return found;
        }
        return {visit.ending == Ending::stuck && unsure ? Ending::unclear : visit.ending};
    }

    // Visits states for as long as a separation takes at most so many moves, with routes or not.
    void breadth(Visit &visit, const std::vector<std::uint64_t> &start, std::uint32_t most,
                 bool routes) {
        auto &[expander, children] = shop_;
        auto &[states, ends, ending, exit_state] = visit;
        const std::size_t words = start.size();
        children[0].clear();
        children[0].add(words, 0, [&](std::size_t w) { return start[w]; });
        states.insert(children[0]);
        ends.push_back(1);
        const std::uint64_t before = effort_.states;
        // Blocks are small enough to answer the caller soon: states of many pieces, or with many
        // children, cost more.
        std::size_t block =
            std::clamp<std::size_t>(400'000 / (part_.size() * part_.size()), 16, 16384);
        std::size_t produced = 1;
        for (std::size_t state = 0;;) {
            if (state == ends.back()) {
                if (routes && ends.size() + 1 <= most)
                    expand_on_routes(visit);
                if (state == states.size())
                    break;
                ends.push_back(states.size());
            }
            effort_.states = before + states.size();
            if (ends.size() > most || effort_.states > effort_.limits.states) {
                ending = Ending::limited;
                return;
            }
            if (!effort_.keep_going(effort_.states))
                throw Interrupted{};
            block = std::min(block, 1 + 200'000 * (state + 1) / produced);
            const std::size_t to = std::min(ends.back(), state + block);
            const auto leave = [&](std::uint32_t exit) {
                effort_.states = before + states.size();
                ending = Ending::apart;
                exit_state = exit;
            };
            if (effort_.threads > 1 && to - state == block) {
                const auto exit = expand_together(states, state, to);
                for (const Children &some : children)
                    produced += some.size();
                if (exit)
                    return leave(*exit);
                state = to;
                continue;
            }
            // A few together, so that there is time to fetch what their children meet from memory.
            while (state < to) {
                const std::size_t first = state;
                bool exit = false;
                children[0].clear();
                for (; state < std::min(to, first + 16) && !exit; ++state)
                    exit = expand(expander, states, state, children[0]);
                states.insert(children[0], effort_.limits.states - before);
                produced += children[0].size();
                if (before + states.size() > effort_.limits.states)
                    break;
                if (exit)
                    return leave(static_cast<std::uint32_t>(state - 1));
                if (children[0].size() > 100'000)
                    break;
            }
        }
        effort_.states = before + states.size();
    }

    // Routes cost a thousand times as much as slides and turns, so states are first visited without
    // them. Then they are tried where they could spare a move: from a state of some depth, one
    // leads to the next depth, and a separation takes another move at least. If all such routes
    // lead to states that are as near without them, all depths are right. If not, the states are
    // visited again, with routes.
    bool routes_lead_on(const Visit &visit, std::uint32_t moves) {
        if constexpr (with_turns<Explorer>) {
            const States &states = visit.states;
            Children &children = shop_.children[0];
            shop_.expander.begin_routes(moves == never ? most_boxes : few_boxes);
            for (std::size_t state = 0, depth = 0;
                 depth + 3 <= moves && state < states.size() && list_routes(states, state);
                 depth += ++state == visit.end(depth)) {
                for (std::size_t c = 0; c < children.size(); ++c)
                    if (states.find(children.lanes(c, states.words), children.hash(c)) >=
                        visit.end(depth + 1))
                        return true;
            }
        }
        return false;
    }

    // The states that routes lead to from those of the last depth.
    void expand_on_routes(Visit &visit) {
        auto &[states, ends, ending, exit] = visit;
        for (std::size_t state = ends.size() < 2 ? 0 : ends[ends.size() - 2]; state < ends.back();
             ++state) {
            if (!list_routes(states, state))
                return;
            states.insert(shop_.children[0]);
        }
    }

    // False if it has to give up.
    bool list_routes(const States &states, std::size_t state) {
        if (!effort_.keep_going(effort_.states))
            throw Interrupted{};
        if constexpr (with_turns<Explorer>) {
            if (!shop_.expander.has_routes())
                return false;
            shop_.children[0].clear();
            shop_.expander.expand_on_routes(states.at(state), static_cast<std::uint32_t>(state),
                                            shop_.children[0]);
        }
        return true;
    }

    bool unsure() const {
        if constexpr (with_turns<Explorer>)
            return shop_.expander.unsure() ||
                   std::any_of(others_.begin(), others_.end(),
                               [](const Explorer &other) { return other.unsure(); });
        else
            return false;
    }

    Tools &tools_;
    Shop<Explorer> &shop_;
    const std::span<const Placed> placed_;
    const Part &part_;
    Effort &effort_;
    const Path path_;
    bool unions_ = true;
    std::deque<Explorer> others_; // for the other threads, once they are needed

    static bool expand(Explorer &expander, const States &states, std::size_t state,
                       Children &children) {
        return expander.expand(states.at(state),
                               state == 0 ? nullptr : states.at(states.from(state)),
                               static_cast<std::uint32_t>(state), children);
    }

    void hire() {
        tools_.helpers.resize(effort_.threads - 1);
        for (std::unique_ptr<Helper> &helper : tools_.helpers) {
            // With turns a helper finds other bodies, or in another order.
            if (!helper || with_turns<Explorer> ||
                helper->bodies.all.size() != tools_.bodies.all.size())
                helper = std::make_unique<Helper>(tools_.bodies);
            others_.push_back(tools_.template explorer<Explorer>(helper->pairs));
            others_.back().take(placed_, part_);
            others_.back().list_unions(unions_);
        }
    }

    // Expand a block of states, a run of them on each thread; the first that has an exit counts.
    std::optional<std::uint32_t> expand_together(States &states, std::size_t from, std::size_t to) {
        if (others_.empty())
            hire();
        std::vector<Children> &children = shop_.children;
        const std::size_t workers = others_.size() + 1;
        children.resize(workers);
        std::vector<std::optional<std::uint32_t>> exits(workers);
        std::vector<std::uint8_t> vast(workers, 0), crowded(workers, 0), broad(workers, 0);
        in_parallel(workers, [&](std::size_t me) {
            children[me].clear();
            const std::size_t share = (to - from + workers - 1) / workers;
            const std::size_t end = std::min(to, from + (me + 1) * share);
            Explorer &mine = me == 0 ? shop_.expander : others_[me - 1];
            try {
                for (std::size_t state = from + me * share; state < end && !exits[me]; ++state)
                    if (expand(mine, states, state, children[me]))
                        exits[me] = static_cast<std::uint32_t>(state);
            } catch (Vast) {
                vast[me] = 1;
            } catch (Crowded) {
                crowded[me] = 1;
            } catch (Broad) {
                broad[me] = 1;
            }
            states.sort(children[me], workers);
        });
        for (std::size_t worker = 0; worker < workers; ++worker) {
            if (vast[worker])
                throw Vast{};
            if (crowded[worker])
                throw Crowded{};
            if (broad[worker])
                throw Broad{};
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

    // Sets that slide one after the other, equally far in the same direction, can slide together:
    // neither meets the other, nor anything else.
    static void join(std::vector<Slide> &moves) {
        std::vector<Slide> joined;
        for (Slide &move : moves) {
            if (!joined.empty() && move.units > 0 && joined.back().units == move.units &&
                joined.back().direction == move.direction) {
                Part both, &before = joined.back().pieces;
                std::set_union(before.begin(), before.end(), move.pieces.begin(), move.pieces.end(),
                               std::back_inserter(both));
                if (both.size() == before.size() + move.pieces.size()) {
                    before = std::move(both);
                    continue;
                }
            }
            joined.push_back(std::move(move));
        }
        moves = std::move(joined);
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
};

std::vector<Shift> places_in(std::span<const Placed> placed, const Part &part) {
    std::vector<Shift> places;
    for (std::uint32_t piece : part)
        places.push_back(placed[piece].at);
    return places;
}

#ifndef KUMITATE_LEAN
// Calls with the explorers that turns need: the first where the pieces are few and near.
template <class Ask> auto with_turn_explorer(const Part &part, std::int32_t parts, Ask &&ask) {
    if (part.size() > 64)
        throw Refusal("turns are tried for up to 64 pieces; this assembly has " +
                      std::to_string(part.size()));
    try {
        return part.size() <= 8
                   ? ask(std::type_identity<TurnExpander<Wide, Octet, std::uint32_t>>())
                   : ask(std::type_identity<TurnExpander<Wide, Few, std::uint32_t>>());
    } catch (Broad) {
    }
    try {
        return ask(std::type_identity<TurnExpander<Wide, Few, std::uint64_t>>());
    } catch (Broad) {
        throw Refusal((parts > 1 ? "with stops between cells, " : "") +
                      std::string("turns are tried while all pieces are within ") +
                      std::to_string(Turns<std::uint64_t>::most_side / parts) + " cells");
    }
}
#endif

} // namespace

PartSearch::PartSearch(Sweeps sweeps, std::optional<std::int32_t> tolerance, std::int32_t clearance)
    : tools_(std::make_unique<Tools>(std::move(sweeps), tolerance, clearance)) {}

PartSearch::~PartSearch() = default;

Pairs &PartSearch::pairs() {
    return tools_->pairs;
}

bool PartSearch::turns() const {
    return tools_->tolerance.has_value();
}

Found PartSearch::separate(std::span<const Placed> placed, const Part &part,
                           const std::vector<Shift> &places, Effort &effort) {
    const auto search = [&]<class Lane, class Set>(Lane, Set) {
        using Explorer = Expander<Lane, Set>;
        const auto path = [&](Explorer &expander, const std::vector<const std::uint64_t *> &way) {
            Found found{Ending::apart};
            std::vector<Shift> here = expander.places(way[0]);
            for (std::size_t i = 1; i < way.size(); ++i) {
                const std::vector<Shift> there = expander.places(way[i]);
                found.moves.push_back(move_between(placed, part, expander.steps(), here, there));
                here = there;
            }
            for (const Shift &at : here)
                found.places.push_back(at + places[0]);
            return found;
        };
        return Breadth<Explorer, Tools>(*tools_, placed, part, effort, path)
            .run(packed<Lane>(places));
    };
    // Narrow lanes and small gaps are enough for most; where they are not, the search begins again.
    const std::uint64_t before = effort.states;
    [[maybe_unused]] const bool few = part.size() <= 16;
    if (roomy<Narrow>(tools_->bodies, placed, part, places))
        try {
            if constexpr (lean)
                return search(Narrow{}, Few{});
            else
                return few                 ? with_small_sets<Narrow>(part, search)
                       : part.size() <= 32 ? search(Narrow{}, Dozens{})
                                           : search(Narrow{}, Few{});
        } catch (Vast) {
            effort.states = before;
        }
    if (!roomy<Wide>(tools_->bodies, placed, part, places))
        throw Vast{};
    if constexpr (!lean)
        if (few)
            try {
                return with_small_sets<Wide>(part, search);
            } catch (Vast) {
                effort.states = before;
            }
    return with_large_sets(part, search);
}

#ifdef KUMITATE_LEAN

Found PartSearch::separate(std::vector<Placed> &, const Part &, Effort &) {
    broken("this core knows no turns");
}

std::vector<Slide> PartSearch::survey_turns(std::span<const Placed>, const Part &,
                                            const std::vector<Shift> &, bool *) {
    broken("this core knows no turns");
}

#else

Found PartSearch::separate(std::vector<Placed> &placed, const Part &part, Effort &effort) {
    const std::uint64_t before = effort.states;
    const std::int32_t parts = tools_->bodies.sweeps.parts;
    return with_turn_explorer(part, parts, [&]<class Explorer>(std::type_identity<Explorer>) {
        using Set = typename Explorer::Set;
        effort.states = before;
        const auto path = [&](Explorer &expander, const std::vector<const std::uint64_t *> &way) {
            Outside<Set> outside(tools_->bodies, part, placed, *tools_->tolerance);
            Found found{Ending::apart};
            for (std::size_t i = 1; i < way.size(); ++i) {
                expander.explain(way[i - 1], way[i], [&](const Set &set, auto... move) {
                    found.moves.push_back(outside.see(set, move...));
                });
                outside.make(found.moves.back());
            }
            return found;
        };
        Breadth<Explorer, Tools> breadth(*tools_, placed, part, effort, path);
        return breadth.run(Explorer::start(places_in(placed, part)));
    });
}

std::vector<Slide> PartSearch::survey_turns(std::span<const Placed> placed, const Part &part,
                                            const std::vector<Shift> &places, bool *certain) {
    std::vector<Placed> moved(placed.begin(), placed.end());
    for (std::size_t i = 0; i < part.size(); ++i)
        moved[part[i]].at = moved[part[i]].at + places[i];
    const std::int32_t parts = tools_->bodies.sweeps.parts;
    return with_turn_explorer(part, parts, [&]<class Explorer>(std::type_identity<Explorer>) {
        using Set = typename Explorer::Set;
        const Outside<Set> outside(tools_->bodies, part, moved, *tools_->tolerance);
        std::vector<Slide> found;
        const std::vector<std::uint64_t> state = Explorer::start(places_in(moved, part));
        Explorer &expander = tools_->shop<Explorer>(moved, part).expander;
        const auto add = [&](const Set &set, const auto &...move) {
            // That half of them turn is that the others turn the other way.
            Slide seen = outside.see(set, move...);
            if (seen.turn.quarters == 0 ||
                std::find(found.begin(), found.end(), seen) == found.end())
                found.push_back(std::move(seen));
        };
        expander.survey(state.data(), add);
        if (certain) {
            expander.begin_routes(few_boxes);
            expander.survey_routes(state.data(), add);
            *certain = !expander.unsure();
        }
        return found;
    });
}

#endif

std::vector<Slide> PartSearch::survey(std::span<const Placed> placed, const Part &part,
                                      const std::vector<Shift> &places, bool *certain) {
    if (turns())
        return survey_turns(placed, part, places, certain);
    if (!roomy<Wide>(tools_->bodies, placed, part, places))
        throw Vast{};
    return with_large_sets(part, [&]<class Lane, class Set>(Lane, Set) {
        Expander<Lane, Set> &expander = tools_->shop<Expander<Lane, Set>>(placed, part).expander;
        const std::vector<std::uint64_t> state = packed<Lane>(places);
        std::vector<Slide> found;
        expander.survey(state.data(), [&](const Set &set, std::uint32_t way, std::int32_t units) {
            found.push_back({{}, way, static_cast<std::uint32_t>(units)});
            each(set, [&](std::size_t i) { found.back().pieces.push_back(part[i]); });
        });
        return found;
    });
}

} // namespace kumitate
