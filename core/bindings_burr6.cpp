// Six-piece burrs.

#include "bindings.hpp"
#include "burr6.hpp"

#include <algorithm>

namespace kumitate {

namespace {

struct Ran {
    BurrCounts tally;
    std::vector<Kept> kept;
};

Ran run(const BurrEnumeration &burrs, const Array<std::uint32_t> &tasks,
        const BurrQuestion &question) {
    Ran ran;
    bool done;
    {
        const std::optional<nb::callable> empty;
        const WithoutGil release;
        Patience patience(empty);
        done =
            burrs.run(span_of(tasks), question, ran.tally, [&] { return patience(0); }, &ran.kept);
    }
    if (!done)
        throw nb::python_error();
    return ran;
}

template <class Some> std::vector<typename Some::value_type> listed(const Some &some) {
    return {some.begin(), some.end()};
}

nb::list outcomes_of(const BurrCounts &tally) {
    nb::list apart;
    for (std::size_t ending = 0; ending < tally.apart.size(); ++ending)
        for (std::size_t outcome = 0; outcome < outcomes; ++outcome)
            if (const auto [once, mirrored] = tally.apart[ending][outcome]; once)
                apart.append(nb::make_tuple(ending, outcome, once, mirrored));
    return apart;
}

nb::list compared_of(const BurrCounts &tally) {
    nb::list rows;
    for (const auto &variant : tally.compared) {
        std::array<std::uint64_t, endings> once, mirrored;
        for (std::size_t ending = 0; ending < endings; ++ending) {
            once[ending] = variant[ending][0];
            mirrored[ending] = variant[ending][1];
        }
        rows.append(nb::make_tuple(listed(once), listed(mirrored)));
    }
    return rows;
}

Kinds kinds_of(const std::vector<std::uint16_t> &kinds) {
    if (kinds.size() != six)
        throw nb::value_error("six sticks");
    Kinds six_kinds;
    std::copy(kinds.begin(), kinds.end(), six_kinds.begin());
    return six_kinds;
}

} // namespace

void bind_burr6(nb::module_ &m) {
    nb::enum_<LevelBy>(m, "LevelBy")
        .value("move", LevelBy::move)
        .value("axis", LevelBy::axis)
        .value("unit", LevelBy::unit)
        .value("piece", LevelBy::piece);
    nb::class_<BurrEnumeration>(m, "BurrEnumeration")
        .def(
            "__init__",
            [](BurrEnumeration *self, std::vector<FrameCell> home, std::vector<FrameCell> loose,
               std::vector<std::uint16_t> kinds, std::vector<std::vector<FrameCell>> turns,
               std::size_t rotations, bool solid, int length) {
                new (self) BurrEnumeration({std::move(home), std::move(loose), std::move(kinds),
                                            std::move(turns), rotations, length},
                                           solid);
            },
            nb::arg("home"), nb::arg("loose"), nb::arg("kinds"), nb::arg("turns"),
            nb::arg("rotations"), nb::arg("solid"), nb::arg("length") = side)
        .def_prop_ro("tasks", &BurrEnumeration::tasks)
        .def_prop_ro("places",
                     [](const BurrEnumeration &self) {
                         return std::vector<std::size_t>(self.places().begin(),
                                                         self.places().end());
                     })
        .def("sizes", &BurrEnumeration::sizes, nb::call_guard<WithoutGil>())
        .def("count",
             [](const BurrEnumeration &self) {
                 const WithoutGil release;
                 const auto [once, apart] = self.count();
                 return std::make_pair(once, apart);
             })
        .def(
            "run",
            [](const BurrEnumeration &self, const Array<std::uint32_t> &tasks, LevelBy by,
               std::optional<std::int32_t> turns, bool complete, bool compare, std::uint8_t least,
               std::uint8_t total, std::uint8_t far) {
                const Ran ran = run(self, tasks,
                                    {.by = by,
                                     .turns = turns,
                                     .complete = complete,
                                     .compare = compare,
                                     .least = least,
                                     .total = total,
                                     .far = far});
                nb::list rows;
                for (const Kept &one : ran.kept)
                    rows.append(
                        nb::make_tuple(listed(one.kinds), one.ending, one.outcome, one.mirrored));
                return nb::make_tuple(listed(ran.tally.once), listed(ran.tally.mirrored),
                                      outcomes_of(ran.tally), compared_of(ran.tally), rows);
            },
            nb::arg("tasks"), nb::kw_only(), nb::arg("by") = LevelBy::move,
            nb::arg("turns") = nb::none(), nb::arg("complete") = false, nb::arg("compare") = false,
            nb::arg("least") = vast, nb::arg("total") = never, nb::arg("far") = never)
        .def(
            "ending",
            [](const BurrEnumeration &self, const std::vector<std::uint16_t> &kinds,
               std::optional<std::int32_t> turns, LevelBy by) {
                return self.ending(kinds_of(kinds), {.by = by, .turns = turns}).ending;
            },
            nb::arg("kinds"), nb::arg("turns") = nb::none(), nb::arg("by") = LevelBy::move)
        .def(
            "census",
            [](const BurrEnumeration &self,
               const std::vector<std::pair<std::vector<std::vector<std::uint16_t>>, bool>> &sets) {
                std::vector<BurrEnumeration::SixSticks> asked;
                for (const auto &[kinds, mirrored] : sets) {
                    if (kinds.size() != six)
                        throw nb::value_error("six sticks");
                    asked.push_back({{}, mirrored});
                    std::copy(kinds.begin(), kinds.end(), asked.back().kinds.begin());
                }
                std::vector<BurrCounts> counts;
                {
                    const WithoutGil release;
                    counts = self.census(asked);
                }
                nb::list rows;
                for (const BurrCounts &tally : counts)
                    rows.append(nb::make_tuple(listed(tally.once), outcomes_of(tally)));
                return rows;
            },
            nb::arg("sets"))
        .def(
            "outcome",
            [](const BurrEnumeration &self, const std::vector<std::uint16_t> &kinds) {
                const auto [ending, outcome] = self.ending(kinds_of(kinds), {.complete = true});
                return std::make_pair(ending, outcome);
            },
            nb::arg("kinds"));
}

} // namespace kumitate
