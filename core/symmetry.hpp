// What the symmetries of a goal do to placements and assemblies.
//
// Symmetry is broken here, once: either one piece that is used just once, or the placements that
// cover one cell which every symmetry leaves in its place, are restricted to one of each orbit.
// Some assemblies are found twice even so (a placement may have symmetry of its own); the search
// drops those by comparing images.
#pragma once

#include "problem.hpp"

namespace kumitate {

// The symmetry to count by: rotations, and with `mirrors` reflections.
Symmetry make_symmetry(const Problem &problem, bool reflections);

// A cell or piece by which the symmetry can be broken: the placements of which an assembly has just
// one, and those of them that are enough.
struct Breaker {
    std::vector<std::uint32_t> all, kept;

    // By how much the number of placements to choose from goes down.
    double gain() const {
        return static_cast<double>(all.size()) / static_cast<double>(kept.size());
    }
};
std::vector<Breaker> breakers(const Problem &problem, const Symmetry &symmetry);

// Leave out, as `broken`, what a breaker makes superfluous.
void break_by(const Breaker &breaker, Symmetry &symmetry);

// Break the symmetry by the one that a rule of thumb takes for the best. Returns its gain (1: none
// gains).
double break_symmetry(const std::vector<Breaker> &choices, Symmetry &symmetry);

// The same once more for a search that will take long: descents at random may show that another
// cell or piece is a better choice. Costs a few per cent of the search. False if it stays.
bool break_symmetry_better(const Problem &problem, const std::vector<Breaker> &choices,
                           Symmetry &symmetry);

// The thorough comparison: an assembly may fit the goal in another way that no symmetry of the goal
// explains, when optional cells leave room. It stands for its class if the least of all its images
// in the goal is also the least of those by the goal's symmetries alone, of which a search with
// `make_symmetry` keeps one.
class Thorough {
  public:
    Thorough(const Problem &problem, bool reflections);
    ~Thorough();
    bool stands_for_its_class(std::span<const std::uint32_t> assembly);

  private:
    const Problem &problem_;
    const std::span<const Turn> turns_;
    std::vector<GoalMap> own_;
    std::unique_ptr<class Directory> directory_;
};

} // namespace kumitate
