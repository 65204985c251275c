#include "disassemble.hpp"
#include "separation.hpp"

#include <limits>
#include <map>

namespace kumitate {

// What all assemblies of a problem share.
struct Disassembler::Kit {
    struct Piece {
        std::vector<Cell> cells;
        std::int32_t weight;
        Groups groups;
        // For each turn, once it is needed: the body, and where that lies.
        std::vector<std::optional<std::pair<std::uint32_t, Shift>>> turned;
    };

    PartSearch search;
    std::vector<Turn> turns;
    std::vector<Piece> pieces{};
    Field field{search.pairs().bodies};

    Placed place(const Spot &spot) {
        require_near(spot.shift);
        Piece &piece = pieces.at(spot.piece);
        auto &turned = piece.turned.at(spot.turn);
        if (!turned) {
            std::vector<Cell> cells;
            turn_cells(turns[spot.turn], piece.cells, cells);
            turned = search.pairs().bodies.add(cells);
        }
        return {turned->first, turned->second + search.pairs().bodies.sweeps.parts * spot.shift,
                piece.weight, spot.piece};
    }

    // Throws Vast if offsets, or numbers of bodies, do not fit the tables of pairs.
    std::vector<Placed> lay_out(std::span<const Spot> assembly) {
        std::vector<Placed> placed;
        placed.reserve(assembly.size());
        for (const Spot &spot : assembly)
            placed.push_back(place(spot));
        if (placed.size() < 2)
            return placed;
        if (placed.size() > most_pieces)
            throw Vast{};
        const auto sides = box_of(placed).sides();
        if (search.pairs().bodies.all.size() > 0xffff || *std::ranges::max_element(sides) > 1 << 19)
            throw Vast{};
        return placed;
    }
};

// One assembly: one separation after the other. A part is a set of its pieces.
template <class Set> class Disassembler::TakingApart {
  public:
    TakingApart(Kit &kit, std::vector<Placed> &placed, Effort &effort, const Rescue &rescue,
                Attempt &attempt)
        : kit_(kit), placed_(placed), effort_(effort), rescue_(rescue), attempt_(attempt),
          places_(placed.size()), assembled_(kit.search.turns() ? placed : std::vector<Placed>()),
          standing_(kit.search.pairs(), placed) {}

    void all() {
        Set everything{};
        for (std::size_t i = 0; i < placed_.size(); ++i)
            include(everything, i);
        attempt_.separation = separate(everything);
        if (attempt_.separation) // some part may have stayed together
            attempt_ = {Ending::apart, std::move(attempt_.separation), 0, {}, {}, attempt_.unsure};
    }

  private:
    Kit &kit_;
    std::vector<Placed> &placed_; // with turns, where they are now
    Effort &effort_;
    const Rescue &rescue_;
    Attempt &attempt_;
    std::vector<Shift> places_;           // of all pieces, from where they are placed
    const std::vector<Placed> assembled_; // with turns, where they were
    Standing<Set> standing_;
    bool fresh_ = true;       // nothing was looked at
    Set seen_{};              // those that were measured where they stand
    std::vector<Set> clumps_; // parts that stay together

    // Null if it does not come apart, for which the attempt has the reason.
    std::unique_ptr<Separation> separate(const Set &part) {
        auto separation = std::make_unique<Separation>();
        std::vector<Slide> &moves = separation->moves;
        Set removed{};
        if (const Ending ending = open(part, moves, removed);
            ending != Ending::apart && !fly_apart(ending, part, moves, removed)) {
            attempt_.ending = ending;
            attempt_.part = list(part);
            attempt_.places =
                way_of(attempt_.part).value_or(std::vector<Shift>(attempt_.part.size()));
            return nullptr;
        }
        if (!finish(without(part, removed), separation->left) ||
            !finish(removed, separation->removed))
            return nullptr;
        return separation;
    }

    // The moves to the nearest separation, and what it takes away.
    Ending open(const Set &part, std::vector<Slide> &moves, Set &removed) {
        std::optional<Exit<Set>> exit;
        const bool seen = empty(without(part, seen_)) || look(part);
        if (seen) {
            seen_ = unite(seen_, part);
            exit = standing_.exit(part);
        }
        const bool turns = kit_.search.turns();
        if (exit || (!turns && (!seen || !standing_.anything_moves(part))))
            ++effort_.states;
        else {
            const Part pieces = list(part);
            const std::uint64_t before = effort_.states;
            if (before == 0)
                kit_.field.note_search();
            Found found = turns ? kit_.search.separate(placed_, pieces, effort_)
                                : kit_.search.separate(placed_, pieces, places_of(pieces), effort_);
            if (found.ending != Ending::apart)
                return effort_.states == before + 1 && decided(found.ending) ? Ending::rigid
                                                                             : found.ending;
            for (std::size_t i = 0; i < found.places.size(); ++i)
                places_[pieces[i]] = found.places[i];
            moves = std::move(found.moves);
            attempt_.unsure = attempt_.unsure || found.unsure;
            standing_.look(part, places_);
            exit = standing_.exit(part);
            require(exit.has_value(), "something slides off where a search ends");
        }
        if (!exit)
            return Ending::rigid;
        // What is taken away is what slid off, unless its heaviest piece outweighs all that stay.
        removed = exit->set;
        const Set others = without(part, removed);
        if (heaviest(others) < heaviest(removed)) {
            removed = others;
            exit->direction ^= 1;
        }
        moves.push_back({list(removed), exit->direction, 0});
        return Ending::apart;
    }

    // At first nothing has moved.
    bool look(const Set &part) {
        const bool first = std::exchange(fresh_, false);
        if (first && kit_.field.suits(placed_))
            return standing_.look(kit_.field);
        const Pairs &pairs = kit_.search.pairs();
        const std::size_t known = pairs.size();
        const bool seen = standing_.look(part, places_);
        if (first)
            kit_.field.note_pairs(placed_.size() * (placed_.size() - 1) / 2, pairs.size() - known);
        return seen;
    }

    std::int32_t heaviest(const Set &part) const {
        std::int32_t most = std::numeric_limits<std::int32_t>::min();
        each(part, [&](std::size_t i) { most = std::max(most, placed_[i].weight); });
        return most;
    }

    static Part list(const Set &part) {
        Part pieces;
        pieces.reserve(size(part));
        each(part, [&](std::size_t i) { pieces.push_back(static_cast<std::uint32_t>(i)); });
        return pieces;
    }

    std::vector<Shift> places_of(const Part &pieces) const {
        std::vector<Shift> places;
        places.reserve(pieces.size());
        for (std::uint32_t i : pieces)
            places.push_back(places_[i]);
        return places;
    }

    // Where they are, from where they were assembled; none if one of them has turned.
    std::optional<std::vector<Shift>> way_of(const Part &pieces) const {
        std::vector<Shift> way = places_of(pieces);
        for (std::size_t k = 0; k < pieces.size() && !assembled_.empty(); ++k) {
            const Placed &now = placed_[pieces[k]], &then = assembled_[pieces[k]];
            if (now.body != then.body)
                return std::nullopt;
            way[k] = way[k] + (now.at - then.at);
        }
        return way;
    }

    static bool decided(Ending ending) {
        return ending == Ending::rigid || ending == Ending::stuck;
    }

    // All at once, in different directions: the heaviest piece, and what goes with it, stays.
    bool fly_apart(Ending ending, const Set &part, std::vector<Slide> &moves, Set &removed) {
        if (!decided(ending) || !rescue_)
            return false;
        const Part pieces = list(part);
        const std::optional<std::vector<Shift>> places = way_of(pieces);
        if (!places)
            return false;
        const std::vector<Shift> velocities = rescue_(pieces, *places);
        if (velocities.size() != pieces.size())
            return false;
        std::size_t anchor = 0;
        for (std::size_t i = 1; i < pieces.size(); ++i)
            if (placed_[pieces[i]].weight > placed_[pieces[anchor]].weight)
                anchor = i;
        Slide away{{}, 0, 0};
        for (std::size_t i = 0; i < pieces.size(); ++i)
            if (velocities[i] != velocities[anchor]) {
                include(removed, pieces[i]);
                away.pieces.push_back(pieces[i]);
                away.each.push_back(velocities[i] - velocities[anchor]);
            }
        moves.push_back(std::move(away));
        return !empty(removed);
    }

    // A part is finished if it is one piece, stays together, or comes apart.
    bool finish(const Set &part, std::unique_ptr<Separation> &separation) {
        if (size(part) == 1)
            return true;
        if (of_one_group(part) && may_stay(part))
            return true;
        separation = separate(part);
        return separation || (decided(attempt_.ending) && may_stay(part));
    }

    const Groups &groups_of(std::size_t i) const { return kit_.pieces[placed_[i].piece].groups; }

    // Whether every piece has just one group, the same.
    bool of_one_group(const Set &part) const {
        const Groups *first = nullptr;
        bool same = true;
        each(part, [&](std::size_t i) {
            const Groups &mine = groups_of(i);
            first = first ? first : &mine;
            same = same && mine.size() == 1 && first->size() == 1 &&
                   mine[0].first == first->front().first;
        });
        return same;
    }

    // Whether this part, too, can be given a group, with no piece in a group more often than it
    // may.
    bool may_stay(const Set &part) {
        clumps_.push_back(part);
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> room;
        for (std::uint32_t piece = 0; piece < kit_.pieces.size(); ++piece)
            for (const auto &[group, copies] : kit_.pieces[piece].groups)
                room[{piece, group}] = copies;
        if (assign(0, room))
            return true;
        clumps_.pop_back();
        return false;
    }

    bool
    assign(std::size_t clump,
           const std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> &room) const {
        if (clump == clumps_.size())
            return true;
        const Part pieces = list(clumps_[clump]);
        for (const auto &[group, copies] : groups_of(pieces[0])) {
            auto rest = room;
            bool fits = true;
            for (std::uint32_t i : pieces) {
                const auto at = rest.find({placed_[i].piece, group});
                fits = fits && at != rest.end() && at->second-- > 0;
            }
            if (fits && assign(clump + 1, rest))
                return true;
        }
        return false;
    }
};

Disassembler::Disassembler(Sweeps sweeps, std::vector<Turn> turns,
                           std::optional<std::int32_t> tolerance, std::int32_t clearance)
    : kit_(new Kit{PartSearch(std::move(sweeps), tolerance, clearance), std::move(turns)}) {}

Disassembler::~Disassembler() = default;

void Disassembler::add_piece(std::span<const Cell> cells, std::int32_t weight, Groups groups) {
    for (const Cell &cell : cells)
        if (cell.tile < 0 ||
            static_cast<std::uint32_t>(cell.tile) >= kit_->search.pairs().bodies.sweeps.tiles)
            throw std::invalid_argument("a cell of a tile that the grid does not have");
    kit_->pieces.push_back({{cells.begin(), cells.end()}, weight, std::move(groups), {}});
    kit_->pieces.back().turned.resize(kit_->turns.size());
}

std::optional<std::vector<Slide>> Disassembler::survey(std::span<const Spot> assembly,
                                                       const std::vector<std::uint32_t> &part,
                                                       const std::vector<Shift> &places,
                                                       bool *certain) {
    const auto there = [&](std::uint32_t i) { return i < assembly.size(); };
    if (part.size() < 2 || places.size() != part.size() ||
        !std::all_of(part.begin(), part.end(), there))
        throw std::invalid_argument("a part has two pieces of the assembly or more, with places");
    try {
        const std::vector<Placed> placed = kit_->lay_out(assembly);
        for (const Shift &at : places)
            require_near(at);
        if (part.size() <= most_pieces)
            return kit_->search.survey(placed, part, places, certain);
    } catch (Vast) {
    } catch (Crowded) {
    }
    return std::nullopt;
}

Attempt Disassembler::take_apart(std::span<const Spot> assembly, const Limits &limits,
                                 unsigned threads, const KeepGoing &keep_going,
                                 const Rescue &rescue) {
    require_threads(threads);
    Effort effort{limits, threads, keep_going};
    Attempt attempt{Ending::apart, nullptr, 0, {}, {}};
    try {
        std::vector<Placed> placed = kit_->lay_out(assembly);
        if (placed.size() < 2) {
            Part everything(placed.size());
            return {Ending::rigid, nullptr, 0, everything, std::vector<Shift>(placed.size())};
        }
        const auto take = [&]<class Set>(Set) {
            TakingApart<Set>(*kit_, placed, effort, rescue, attempt).all();
        };
        const std::size_t n = placed.size();
        n <= 8 ? take(Octet{}) : n <= 16 ? take(Hex{}) : n <= 64 ? take(Few{}) : take(Many{});
    } catch (Vast) {
        attempt.ending = Ending::vast;
    } catch (Crowded) {
        attempt.ending = Ending::crowded;
    } catch (Interrupted) {
        attempt.ending = Ending::interrupted;
    }
    attempt.states = effort.states;
    return attempt;
}

} // namespace kumitate
