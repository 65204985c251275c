// The searches of a problem: each can run for a while, and says where it stands.

#include "bindings.hpp"
#include "frontier.hpp"
#include "parallel.hpp"
#include "restarts.hpp"
#include "threads.hpp"
#include "vertex_cover.hpp"

#include <algorithm>
#include <cstring>

namespace kumitate {

static nb::bytes bytes_of(const State &state) {
    std::vector<std::uint64_t> words{state.nodes, state.found, state.all, state.done};
    for (const Level &level : state.path)
        words.push_back(std::uint64_t{level.at} << 32 | level.end);
    return nb::bytes(reinterpret_cast<const char *>(words.data()), 8 * words.size());
}

static State state_of(const nb::bytes &bytes) {
    if (bytes.size() < 32 || bytes.size() % 8 != 0)
        throw nb::value_error("these bytes are no state of a search");
    std::vector<std::uint64_t> words(bytes.size() / 8);
    std::memcpy(words.data(), bytes.c_str(), bytes.size());
    State state{{}, words[0], words[1], words[2], words[3] != 0};
    for (std::size_t i = 4; i < words.size(); ++i)
        state.path.push_back(
            {static_cast<std::uint32_t>(words[i] >> 32), static_cast<std::uint32_t>(words[i])});
    if (state.done != state.path.empty())
        throw nb::value_error("these bytes are no state of a search");
    return state;
}

// Parts as Python keeps them: the state, and what was found and not read.
using Parts = std::vector<std::pair<nb::bytes, nb::bytes>>;

static Parts bytes_of(const std::vector<Part> &parts) {
    Parts found;
    for (const Part &part : parts)
        found.emplace_back(
            bytes_of(part.state),
            nb::bytes(reinterpret_cast<const char *>(part.found.data()), 4 * part.found.size()));
    return found;
}

static std::vector<Part> parts_of(const Parts &parts) {
    std::vector<Part> found;
    for (const auto &[state, rows] : parts) {
        Part part{state_of(state), {}};
        part.found.resize(rows.size() / 4);
        std::memcpy(part.found.data(), rows.c_str(), 4 * part.found.size());
        for (std::size_t at = 0; at < part.found.size(); at += 1 + part.found[at])
            if (part.found[at] >= part.found.size() - at)
                throw nb::value_error("these bytes are no part of a search");
        found.push_back(std::move(part));
    }
    return found;
}

// A search that its owner drives: so many nodes at a time.
struct Slice {
    const Searchable *asked;
    Prepared prepared;
    std::unique_ptr<Search> search;
};

// A search on threads of its own.
struct Run {
    const Searchable *asked;
    Prepared prepared;
    std::unique_ptr<ParallelSearch> search;
    std::vector<std::uint32_t> last = {}; // what was read last, which may not have arrived:
    std::uint64_t reads = 0;              // Ctrl-C may have come in between
};

static const std::atomic<bool> never{false};

// The fillings of a problem tallied one after the other.
struct FrontierCounts {
    std::vector<Filling> fillings;
    std::unique_ptr<FrontierCount> tally;
    std::vector<Total> totals;
    std::uint64_t states = 0;

    static constexpr std::size_t most_waiting = 1'000'000; // some 100 MB

    bool done() const { return !fillings.empty() && totals.size() == fillings.size(); }

    // Whether there is more to do: not once all are done, nor after giving one up.
    bool run(std::uint64_t some) {
        if (totals.size() == fillings.size())
            return false;
        if (!tally)
            tally = make_frontier_count(fillings[totals.size()], most_waiting);
        if (!tally)
            return false;
        states -= tally->states;
        const FrontierCount::Outcome outcome = tally->run(some);
        states += tally->states;
        if (outcome == FrontierCount::Outcome::done) {
            totals.push_back(tally->total);
            tally.reset();
        }
        return outcome != FrontierCount::Outcome::given_up && totals.size() < fillings.size();
    }
};

// A search for one assembly, and a local search, with what they search in.
struct Restarting {
    std::unique_ptr<RestartSearch> restart_search;
};
struct Local {
    Cover cover;
    std::unique_ptr<LocalSearch> search;
};

void bind_searches(nb::module_ &m) {
    nb::class_<Shares>(m, "Shares");

    nb::class_<Slice>(m, "Search")
        .def(
            "run",
            [](Slice &self, std::uint64_t nodes, std::size_t room, unsigned width) {
                std::vector<std::uint32_t> found;
                {
                    const WithoutGil release;
                    self.search->run(nodes, never, &found, room);
                }
                return packed(*self.asked, std::move(found), width);
            },
            nb::arg("nodes"), nb::arg("room") = ~std::size_t{0}, nb::arg("width") = 4)
        .def(
            "skim",
            [](Slice &self, std::uint64_t nodes) {
                const WithoutGil release;
                self.search->run(nodes, never, nullptr, 0);
            },
            nb::arg("nodes"))
        .def("estimate",
             [](Slice &self) {
                 const WithoutGil release;
                 return std::make_shared<Shares>(self.search->estimate(never));
             })
        .def(
            "weigh",
            [](Slice &self, std::shared_ptr<Shares> shares) {
                self.search->shares = std::move(shares);
            },
            nb::arg("shares"))
        .def("save", [](const Slice &self) { return bytes_of(self.search->position()); })
        .def(
            "load", [](Slice &self, const nb::bytes &bytes) { self.search->load(state_of(bytes)); },
            nb::arg("state"))
        .def("split",
             [](Slice &self) -> std::optional<nb::bytes> {
                 State other;
                 if (!self.search->split(other))
                     return std::nullopt;
                 return bytes_of(other);
             })
        .def_prop_ro("nodes", [](const Slice &self) { return self.search->position().nodes; })
        .def_prop_ro("found", [](const Slice &self) { return self.search->position().found; })
        .def_prop_ro("all", [](const Slice &self) { return self.search->position().all; })
        .def_prop_ro("done", [](const Slice &self) { return self.search->position().done; })
        .def_prop_ro("left", [](const Slice &self) { return self.search->left(); });

    nb::class_<Run>(m, "ParallelSearch")
        .def(
            "read",
            [](Run &self, unsigned milliseconds) {
                std::vector<std::uint32_t> found;
                bool over;
                {
                    const WithoutGil release;
                    over = self.search->read(found, std::chrono::milliseconds(milliseconds));
                    self.last = found;
                    ++self.reads;
                }
                return nb::make_tuple(packed(*self.asked, std::move(found), 4), over);
            },
            nb::arg("milliseconds"))
        .def("report",
             [](Run &self) {
                 const Report now = self.search->report();
                 return std::make_tuple(now.nodes, now.found, now.all, now.fraction);
             })
        .def(
            "pause",
            [](Run &self, std::uint64_t arrived) {
                std::vector<Part> parts;
                {
                    const WithoutGil release;
                    parts = self.search->pause();
                }
                if (arrived < self.reads)
                    parts.insert(parts.begin(), Part{{{}, 0, 0, 0, true}, self.last});
                return bytes_of(parts);
            },
            nb::arg("arrived"))
        .def("stop", [](Run &self) { self.search->stop(); }, nb::call_guard<WithoutGil>());

    nb::class_<FrontierCounts>(m, "FrontierCounts")
        .def(
            "run",
            [](FrontierCounts &self, std::uint64_t states) -> bool {
                const WithoutGil release;
                return self.run(states);
            },
            nb::arg("states"))
        .def_prop_ro("states", [](const FrontierCounts &self) { return self.states; })
        .def_prop_ro("done", [](const FrontierCounts &self) { return self.done(); })
        .def_prop_ro("totals", [](const FrontierCounts &self) {
            // A total is wider than the integers that can be handed over.
            std::vector<std::pair<std::uint64_t, std::uint64_t>> halves;
            for (Total total : self.totals)
                halves.emplace_back(static_cast<std::uint64_t>(total >> 64),
                                    static_cast<std::uint64_t>(total));
            return halves;
        });

    nb::class_<Searchable>(m, "Searchable")
        .def_prop_ro("size",
                     [](const Searchable &self) {
                         const Cover &its = *self.prepared.cover;
                         return std::make_tuple(its.cells(), its.placements());
                     })
        .def_prop_ro("possible", [](const Searchable &self) { return self.possible; })
        .def("frontier_counts",
             [](const Searchable &self) { return FrontierCounts{self.fillings(), {}, {}}; })
        .def(
            "search",
            [](const Searchable &self) {
                prepare_to_throw();
                return Slice{&self, self.prepared,
                             make_search(*self.prepared.cover, self.prepared.symmetry.get())};
            },
            nb::keep_alive<0, 1>())
        .def(
            "run",
            [](const Searchable &self, unsigned threads, bool keep, bool ordered,
               const std::optional<Parts> &parts) {
                std::vector<Part> whole;
                if (parts)
                    whole = parts_of(*parts);
                else if (self.possible)
                    whole.push_back({fresh_state(), {}});
                const WithoutGil release;
                const auto &[cover, symmetry] = self.prepared;
                return Run{&self, self.prepared,
                           std::make_unique<ParallelSearch>(
                               *cover, symmetry.get(), std::move(whole), threads, keep, ordered)};
            },
            nb::arg("threads"), nb::arg("keep"), nb::arg("ordered"), nb::arg("parts") = nb::none(),
            nb::keep_alive<0, 1>());
}

void bind_searches_for_one(nb::module_ &m, nb::class_<PreparedProblem, Searchable> &problem) {
    nb::class_<Restarting>(m, "RestartSearch")
        .def(
            "run",
            [](Restarting &self, unsigned milliseconds) {
                const WithoutGil release;
                return self.restart_search->run(std::chrono::milliseconds(milliseconds));
            },
            nb::arg("milliseconds"))
        .def_prop_ro("nodes", [](const Restarting &self) { return self.restart_search->nodes; })
        .def_prop_ro("restarts",
                     [](const Restarting &self) { return self.restart_search->restarts; })
        .def_prop_ro("names", [](const Restarting &self) { return self.restart_search->names; });
    nb::enum_<RestartSearch::Outcome>(m, "Outcome")
        .value("GOING", RestartSearch::Outcome::going)
        .value("FOUND", RestartSearch::Outcome::found)
        .value("NONE", RestartSearch::Outcome::none);

    nb::class_<Local>(m, "Local")
        .def(
            "run",
            [](Local &self, unsigned milliseconds, std::uint64_t wanted) {
                const WithoutGil release;
                return self.search->run(std::chrono::milliseconds(milliseconds), wanted);
            },
            nb::arg("milliseconds"), nb::arg("wanted"))
        .def_prop_ro("best", [](const Local &self) { return self.search->best_weight(); })
        .def_prop_ro("steps", [](const Local &self) { return self.search->steps; })
        .def_prop_ro("size",
                     [](const Local &self) {
                         return std::make_tuple(self.search->graph().vertices(),
                                                self.search->graph().edges());
                     })
        .def_prop_ro("names", [](const Local &self) {
            std::vector<std::uint32_t> names;
            for (std::uint32_t v : self.search->best())
                names.push_back(self.cover.name[self.search->graph().placement[v]]);
            std::sort(names.begin(), names.end());
            return names;
        });

    problem
        .def(
            "restart_search",
            [](PreparedProblem &self, std::uint64_t holes, std::uint32_t seed) {
                prepare_to_throw();
                const WithoutGil release;
                self.problem.holes = holes;
                return Restarting{make_restart_search(self.problem, seed)};
            },
            nb::arg("holes"), nb::arg("seed"), nb::keep_alive<0, 1>())
        .def(
            "local",
            [](const PreparedProblem &self, bool cells, std::uint32_t seed,
               std::uint64_t most_collisions) -> std::optional<Local> {
                prepare_to_throw();
                const WithoutGil release;
                Local made{make_cover(self.problem, nullptr), {}};
                if (size_of_collisions(made.cover, true) > most_collisions)
                    return std::nullopt;
                Graph graph = collisions(made.cover, true);
                std::vector<std::uint32_t> weights;
                for (std::uint32_t i : graph.placement)
                    weights.push_back(
                        cells ? static_cast<std::uint32_t>(made.cover.cells_of(i).size()) : 1);
                made.search =
                    std::make_unique<LocalSearch>(std::move(graph), std::move(weights), seed);
                return made;
            },
            nb::arg("cells"), nb::arg("seed"), nb::arg("most_collisions"));
}

} // namespace kumitate
