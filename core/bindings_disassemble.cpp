// Taking apart: sweeps and pieces come in as arrays, moves go out as tuples.

#include "bindings.hpp"
#include "disassemble.hpp"
#include "reach.hpp"

#include <algorithm>

namespace kumitate {

static_assert(sizeof(Cell) == 4 * sizeof(std::int32_t));

std::span<const Cell> cells_of(const Integers &numbers) {
    if (numbers.shape(0) % 4 != 0)
        throw nb::value_error("four integers a cell");
    return {reinterpret_cast<const Cell *>(numbers.data()), numbers.shape(0) / 4};
}

Sweeps sweeps_of(std::uint32_t tiles, std::int32_t parts, const Integers &steps,
                 const Integers &swept) {
    if (tiles < 1 || parts < 1 || parts > 32)
        throw nb::value_error("a tile at least, and 1 to 32 parts");
    Sweeps sweeps{tiles, parts, {}, {}};
    for (std::size_t i = 0; i + 2 < steps.shape(0); i += 3)
        sweeps.steps.push_back({steps.data()[i], steps.data()[i + 1], steps.data()[i + 2]});
    const std::int32_t *p = swept.data(), *end = p + swept.shape(0);
    while (p < end) {
        const auto cells = static_cast<std::size_t>(*p++);
        if (static_cast<std::size_t>(end - p) / 4 < cells)
            throw nb::value_error("fewer cells than a sweep says");
        sweeps.swept.emplace_back();
        for (std::size_t i = 0; i < cells; ++i, p += 4)
            sweeps.swept.back().push_back({p[0], p[1], p[2], p[3]});
    }
    const auto residues = static_cast<std::size_t>(parts) * static_cast<std::size_t>(parts) *
                          static_cast<std::size_t>(parts);
    if (sweeps.swept.size() != residues * sweeps.steps.size() * tiles || sweeps.steps.size() > 32)
        throw nb::value_error("a sweep for each residue, step (32 at most) and tile");
    return sweeps;
}

using Triple = std::tuple<std::int32_t, std::int32_t, std::int32_t>;

static std::vector<Triple> triples_of(const std::vector<Shift> &shifts) {
    std::vector<Triple> triples;
    for (const Shift &s : shifts)
        triples.emplace_back(s.x, s.y, s.z);
    return triples;
}

std::vector<Spot> spots_of(const Integers &rows) {
    if (rows.shape(0) % 5 != 0)
        throw nb::value_error("five numbers a placement");
    std::vector<Spot> spots;
    spots.reserve(rows.shape(0) / 5);
    for (const std::int32_t *p = rows.data(), *end = p + rows.shape(0); p < end; p += 5)
        spots.push_back({static_cast<std::uint32_t>(p[0]),
                         static_cast<std::uint32_t>(p[1]),
                         {p[2], p[3], p[4]}});
    return spots;
}

// Pieces, direction, units and velocities; and for a turn, whose direction is its axis, the
// quarters, the pivot and the tolerance.
static nb::list moves_of(const std::vector<Slide> &slides) {
    nb::list moves;
    for (const Slide &move : slides) {
        nb::object turn = nb::none();
        if (const auto &[axis, quarters, pivot, tolerance] = move.turn;
            quarters != 0 || !move.route.empty())
            turn = nb::make_tuple(quarters, Triple(pivot.x, pivot.y, pivot.z), tolerance);
        moves.append(
            nb::make_tuple(move.pieces, move.direction, move.units, triples_of(move.each), turn));
    }
    return moves;
}

// A tree of separations as two lists, both from the root down, what is left before what is removed:
// for each separation the number of its moves, times 4, plus 1 if a separation of what is left
// follows and 2 if one of what was removed, and how many of its moves are turns; and the moves,
// each as its direction or axis, its units or 0, the number of pieces, of velocities, of
// quarters, and of poses, those pieces, velocities and, for a turn, the pivot, the tolerance and
// the poses of its route.
static void flatten(const Separation &separation, std::vector<std::uint32_t> &levels,
                    std::vector<std::int32_t> &moves) {
    levels.push_back(static_cast<std::uint32_t>(4 * separation.moves.size() +
                                                (separation.left != nullptr) +
                                                2 * (separation.removed != nullptr)));
    levels.push_back(0);
    const std::size_t turns = levels.size() - 1;
    for (const Slide &slide : separation.moves) {
        const std::int32_t quarters = slide.turn.quarters;
        for (std::size_t n : {std::size_t{slide.direction}, std::size_t{slide.units},
                              slide.pieces.size(), slide.each.size()})
            moves.push_back(static_cast<std::int32_t>(n));
        moves.insert(moves.end(), {quarters, static_cast<std::int32_t>(slide.route.size())});
        for (std::uint32_t piece : slide.pieces)
            moves.push_back(static_cast<std::int32_t>(piece));
        for (const Shift &s : slide.each)
            moves.insert(moves.end(), {s.x, s.y, s.z});
        if (quarters != 0 || !slide.route.empty()) {
            const Shift &pivot = slide.turn.pivot;
            moves.insert(moves.end(), {pivot.x, pivot.y, pivot.z, slide.turn.tolerance});
            for (const auto &[x, y, per, turn, whole, on_arc, about_x, about_y] : slide.route)
                moves.insert(moves.end(), {x, y, per, turn, whole, on_arc, about_x, about_y});
            ++levels[turns];
        }
    }
    for (const auto *part : {separation.left.get(), separation.removed.get()})
        if (part)
            flatten(*part, levels, moves);
}

template <class T> static nb::bytes bytes_of(const std::vector<T> &numbers) {
    return nb::bytes(reinterpret_cast<const char *>(numbers.data()), sizeof(T) * numbers.size());
}

static const char *word_for(Ending ending) {
    switch (ending) {
    case Ending::apart:
        return "apart";
    case Ending::rigid:
        return "rigid";
    case Ending::stuck:
        return "stuck";
    case Ending::limited:
        return "limit";
    case Ending::unclear:
        return "unclear";
    case Ending::vast:
        return "vast";
    case Ending::crowded:
        return "crowded";
    case Ending::interrupted:
        break; // Python has the reason
    }
    broken("an interrupted disassembly has no answer");
}

// How an attempt ended: the ending, the tree, the states, and unless it came apart, where it ended.
// It is unclear, with a tree, if it comes apart, but maybe in fewer moves, too.
static nb::object report_of(Attempt &attempt) {
    nb::object tree = nb::none();
    if (attempt.separation) {
        std::vector<std::uint32_t> levels;
        std::vector<std::int32_t> moves;
        levels.reserve(32), moves.reserve(256); // most trees need no more
        flatten(*attempt.separation, levels, moves);
        tree = nb::make_tuple(bytes_of(levels), bytes_of(moves));
    }
    // Most stand where they were assembled: leave that out.
    const auto moved = [](const Shift &s) { return s != Shift{0, 0, 0}; };
    if (std::none_of(attempt.places.begin(), attempt.places.end(), moved))
        attempt.places.clear();
    const Ending ending = attempt.unsure && attempt.separation ? Ending::unclear : attempt.ending;
    return nb::make_tuple(word_for(ending), tree, attempt.states, attempt.part,
                          triples_of(attempt.places));
}

using Callback = std::optional<nb::callable>;

// Several assemblies one after the other, as long as that takes no longer than `soon`: then those
// that are done are reported, and one that is being taken apart is begun again by the next call.
class TakingApart {
  public:
    TakingApart(Disassembler &core, Limits limits, unsigned threads, const Callback &rescue,
                const Callback &tell)
        : core_(core), limits_(limits), threads_(threads), rescue_(rescue), patience_(tell) {}

    // Whether there is time for another one.
    bool take(std::span<const Spot> assembly, std::uint64_t states) {
        const auto ask = [&](const std::vector<std::uint32_t> &part,
                             const std::vector<Shift> &places) {
            const WithGil acquire;
            std::vector<Shift> velocities;
            for (const auto &[x, y, z] : nb::cast<std::vector<Triple>>(
                     (*rescue_)(attempts_.size(), part, triples_of(places))))
                velocities.push_back({x, y, z});
            return velocities;
        };
        bool postponed = false;
        Attempt attempt = core_.take_apart(
            assembly, {std::min(limits_.states, states), limits_.moves}, threads_,
            [&](std::uint64_t n) {
                postponed = !attempts_.empty() && Clock::now() > end_;
                return !postponed && patience_(n);
            },
            rescue_ ? Rescue(ask) : Rescue());
        if (postponed)
            return false;
        spent_ += attempt.states;
        attempts_.push_back(std::move(attempt));
        return attempts_.back().ending != Ending::interrupted && Clock::now() < end_;
    }

    std::uint64_t spent() const { return spent_; }

    nb::list reports() {
        nb::list found;
        for (Attempt &attempt : attempts_) {
            if (attempt.ending == Ending::interrupted)
                throw nb::python_error();
            found.append(report_of(attempt));
        }
        return found;
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds soon{10};
    Disassembler &core_;
    const Limits limits_;
    const unsigned threads_;
    const Callback &rescue_;
    Patience patience_;
    const Clock::time_point end_ = Clock::now() + soon;
    std::vector<Attempt> attempts_;
    std::uint64_t spent_ = 0;
};

static std::vector<FlatPiece> flat_pieces(const std::vector<std::vector<Triple>> &pieces) {
    std::vector<FlatPiece> flat;
    for (const auto &piece : pieces) {
        flat.emplace_back();
        for (const auto &[layer, u, v] : piece)
            flat.back().push_back({layer, u, v});
    }
    return flat;
}

static const char *word_for(Verdict verdict) {
    switch (verdict) {
    case Verdict::found:
        return "found";
    case Verdict::none:
        return "none";
    case Verdict::unclear:
        return "unclear";
    case Verdict::limit:
        return "limit";
    }
    broken("a plan has a verdict");
}

using FlatPieces = std::vector<std::vector<Triple>>;
using FlatShift = std::optional<std::pair<std::int32_t, std::int32_t>>;

static nb::list poses_of(const Route &route) {
    nb::list poses;
    for (const Pose &pose : route)
        poses.append(nb::make_tuple(pose.x, pose.y, pose.per, pose.turn, quarter, pose.on_arc,
                                    pose.about_x, pose.about_y));
    return poses;
}

// Finds a route, or with no tolerance the least one at which there is one.
static nb::tuple find_route_for(const FlatPieces &moving, const FlatPieces &staying,
                                std::int32_t quarters, std::optional<std::int32_t> tolerance,
                                std::int32_t clearance, const FlatShift &goal, std::size_t boxes) {
    Least least{tolerance.value_or(0), {}};
    {
        const WithoutGil release;
        const std::vector<FlatPiece> movers = flat_pieces(moving), stayers = flat_pieces(staying);
        const Scene scene(movers, stayers);
        Question question{quarters, least.tolerance, clearance, boxes, {}};
        if (goal)
            question.goal = {goal->first, goal->second};
        if (tolerance)
            least.plan = find_route(scene, question);
        else
            least = least_tolerance(scene, question);
    }
    const Plan &plan = least.plan;
    return nb::make_tuple(word_for(plan.verdict), least.tolerance, plan.none_at,
                          poses_of(plan.route), plan.boxes);
}

// All stops, near and far, each with its quarters, shift and route.
static nb::tuple find_stops(const FlatPieces &moving, const FlatPieces &staying,
                            std::int32_t tolerance, std::int32_t clearance, std::size_t boxes) {
    Reach found;
    {
        const WithoutGil release;
        const std::vector<FlatPiece> movers = flat_pieces(moving), stayers = flat_pieces(staying);
        found = reach(Scene(movers, stayers), tolerance, clearance, boxes);
    }
    const auto list = [](const std::vector<Landing> &landings) {
        nb::list stops;
        for (const auto &[stop, route] : landings)
            stops.append(nb::make_tuple(stop.quarters, stop.u, stop.v, poses_of(route)));
        return stops;
    };
    return nb::make_tuple(list(found.near), list(found.far), found.certain, found.none_at,
                          found.boxes);
}

void bind_disassembler(nb::module_ &m) {
    using Numbers4 = std::array<std::int64_t, 4>;
    m.def(
        "oblongs_meet",
        [](const Numbers4 &turns, const Numbers4 &stays) {
            return overlap({turns[0], turns[1], turns[2], turns[3]},
                           {stays[0], stays[1], stays[2], stays[3]});
        },
        nb::arg("turns"), nb::arg("stays"),
        "Whether an oblong (x, y, half its width, half its height; seen from the pivot) overlaps "
        "another while it makes a quarter turn.");
    m.def("find_route", find_route_for, nb::arg("moving"), nb::arg("staying"), nb::arg("quarters"),
          nb::arg("tolerance") = nb::none(), nb::arg("clearance") = 40,
          nb::arg("goal") = nb::none(), nb::arg("boxes") = 100'000);
    m.def("find_stops", find_stops, nb::arg("moving"), nb::arg("staying"), nb::arg("tolerance") = 0,
          nb::arg("clearance") = 40, nb::arg("boxes") = 100'000);
    nb::class_<Disassembler>(m, "Disassembler")
        .def(
            "__init__",
            [](Disassembler *self, std::uint32_t tiles, std::int32_t parts, const Integers &steps,
               const Integers &swept, const Integers &turns, std::optional<std::int32_t> tolerance,
               std::int32_t clearance) {
                if (tolerance && (*tolerance < 0 || 2 * *tolerance >= finest_tolerance))
                    throw nb::value_error("a tolerance of less than half a cell");
                new (self) Disassembler(sweeps_of(tiles, parts, steps, swept),
                                        turns_of(turns, tiles), tolerance, clearance);
            },
            nb::arg("tiles"), nb::arg("parts"), nb::arg("steps"), nb::arg("swept"),
            nb::arg("turns"), nb::arg("tolerance") = nb::none(), nb::arg("clearance") = 0)
        .def(
            "add_piece",
            [](Disassembler &self, const Integers &cells, std::int32_t weight,
               const Groups &groups) { self.add_piece(cells_of(cells), weight, groups); },
            nb::arg("cells"), nb::arg("weight"), nb::arg("groups"))
        .def(
            "take_apart",
            [](Disassembler &self, const Integers &rows, std::uint64_t states, std::uint32_t moves,
               unsigned threads, const Callback &rescue, const Callback &tell) {
                const std::vector<Spot> assembly = spots_of(rows);
                TakingApart taking(self, {states, moves}, threads, rescue, tell);
                {
                    const WithoutGil release;
                    taking.take(assembly, states);
                }
                return nb::object(taking.reports()[0]);
            },
            nb::arg("assembly"), nb::arg("states"), nb::arg("moves"), nb::arg("threads"),
            nb::arg("rescue") = nb::none(), nb::arg("tell") = nb::none())
        .def(
            "take_apart_some",
            [](Disassembler &self, const Dealer &dealer, const nb::bytes &bytes, std::size_t length,
               unsigned width, std::uint64_t budget, std::uint64_t states, std::uint32_t moves,
               unsigned threads, const Callback &rescue, const Callback &tell) {
                const Rows table = rows_of(bytes, length, width);
                TakingApart taking(self, {states, moves}, threads, rescue, tell);
                {
                    const WithoutGil release;
                    std::vector<std::uint32_t> names, places;
                    std::vector<Spot> assembly;
                    bool going = true;
                    for (std::size_t row = 0; row < table.rows() && going; ++row) {
                        table.read(row, names);
                        dealer.deal(names, places);
                        assembly.clear();
                        for (std::uint32_t place : places)
                            assembly.push_back(dealer.spots[place]);
                        going = taking.take(assembly, budget - taking.spent()) &&
                                taking.spent() < budget;
                    }
                }
                return taking.reports();
            },
            nb::arg("dealer"), nb::arg("names"), nb::arg("length"), nb::arg("width"),
            nb::arg("budget"), nb::arg("states"), nb::arg("moves"), nb::arg("threads"),
            nb::arg("rescue") = nb::none(), nb::arg("tell") = nb::none())
        .def(
            "survey",
            [](Disassembler &self, const Integers &rows, const std::vector<std::uint32_t> &part,
               const std::vector<Triple> &places) -> std::optional<nb::list> {
                std::vector<Shift> shifts;
                for (const auto &[x, y, z] : places)
                    shifts.push_back({x, y, z});
                const auto found = self.survey(spots_of(rows), part, shifts);
                if (!found)
                    return std::nullopt;
                return moves_of(*found);
            },
            nb::arg("assembly"), nb::arg("part"), nb::arg("places"))
        .def(
            "survey_routes",
            [](Disassembler &self, const Integers &rows) -> std::optional<nb::tuple> {
                const std::vector<Spot> assembly = spots_of(rows);
                std::vector<std::uint32_t> part;
                for (std::uint32_t i = 0; i < assembly.size(); ++i)
                    part.push_back(i);
                bool certain = true;
                std::optional<std::vector<Slide>> found;
                {
                    const WithoutGil release;
                    found = self.survey(assembly, part, std::vector<Shift>(part.size()), &certain);
                }
                if (!found)
                    return std::nullopt;
                nb::list routes;
                for (const Slide &move : *found) {
                    nb::list poses;
                    for (const auto &[x, y, per, turn, whole, on_arc, about_x, about_y] :
                         move.route)
                        poses.append(
                            nb::make_tuple(x, y, per, turn, whole, on_arc, about_x, about_y));
                    routes.append(poses);
                }
                return nb::make_tuple(moves_of(*found), routes, certain);
            },
            nb::arg("assembly"));
}

} // namespace kumitate
