#include "field.hpp"

namespace kumitate {

namespace {

// What a pair costs if it is known and if it is not, compared with a look at a cell; and how many
// pairs must be asked about before we estimate how many are known.
constexpr double work_of_known = 30, work_of_fresh = 130;
constexpr std::size_t enough = 500;
constexpr double most_cells = 1 << 20;

} // namespace

// Calls with the number of a step, a tile and a cell that it sweeps through, but for its own.
template <class Visit> void Field::each_met(Visit &&visit) const {
    const auto &[tiles, parts, steps, swept] = bodies_.sweeps;
    for (std::size_t step = 0; step < steps.size() && parts == 1; ++step)
        for (std::uint32_t tile = 0; tile < tiles; ++tile)
            for (const Cell &met : swept[step * tiles + tile])
                if (place_of(met) != Shift{} || met.tile != static_cast<std::int32_t>(tile))
                    visit(step, tile, met);
}

Field::Field(const Bodies &bodies) : bodies_(bodies) {
    const std::vector<Shift> &steps = bodies.sweeps.steps;
    const auto axes = {0, 1, 2};
    each_met([&](std::size_t step, std::uint32_t, const Cell &met) {
        ++met_;
        for (std::size_t axis : axes) {
            const std::int32_t goes = steps[step][axis], by = place_of(met)[axis];
            before_[axis] = std::max(before_[axis], goes < 0 ? by : 0);
            after_[axis] = std::max(after_[axis], goes > 0 ? -by : 0);
        }
    });
    each_met([&](std::size_t step, std::uint32_t, const Cell &met) {
        for (std::size_t axis : axes)
            for (std::int32_t by : {steps[step][axis], place_of(met)[axis]}) {
                room_before_[axis] = std::max(room_before_[axis], -by);
                room_after_[axis] = std::max(room_after_[axis], by);
            }
    });
}

bool Field::suits(std::span<const Placed> placed) {
    if (met_ == 0)
        return false;
    const double vain = static_cast<double>(searches_) / static_cast<double>(++assemblies_);
    std::size_t cells = 0;
    Box box{placed[0].at, placed[0].at};
    for (const Placed &piece : placed) {
        const Body &body = bodies_.all[piece.body];
        cells += body.cells.size();
        box.include(piece.at);
        box.include(piece.at + body.sides - Shift{1, 1, 1});
    }
    const Sides sides = box.sides();
    Sides larger;
    double volume = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        larger[axis] = std::max(sides_[axis], sides[axis]);
        volume *= static_cast<double>(larger[axis]) + before_[axis] + after_[axis];
    }
    const double pairs = static_cast<double>(placed.size() * (placed.size() - 1)) / 2;
    const double fresh =
        asked_ < enough ? 0 : static_cast<double>(fresh_) / static_cast<double>(asked_);
    const double looks = (volume * bodies_.sweeps.tiles + 2 * static_cast<double>(cells)) *
                         (placed.size() > 64 ? 8 : 1); // large sets
    if (volume > most_cells || looks * static_cast<double>(met_) / bodies_.sweeps.tiles >
                                   (1 - vain) * (work_of_known + fresh * work_of_fresh) * pairs)
        return false;
    if (larger != sides_)
        grow(larger);
    pieces_.clear();
    for (const Placed &piece : placed) {
        const Shift at = piece.at - box.low;
        pieces_.push_back({lie(piece.body), first_ + (at.z + before_[2]) * layer_ +
                                                (at.y + before_[1]) * row_ + at.x + before_[0]});
    }
    return true;
}

void Field::grow(const Sides &sides) {
    const Sweeps &sweeps = bodies_.sweeps;
    sides_ = sides;
    std::array<std::ptrdiff_t, 3> all, first;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        inner_[axis] = static_cast<std::ptrdiff_t>(sides[axis]) + before_[axis] + after_[axis];
        first[axis] = room_before_[axis];
        all[axis] = inner_[axis] + room_before_[axis] + room_after_[axis];
    }
    row_ = all[0];
    layer_ = all[1] * row_;
    plane_ = all[2] * layer_;
    first_ = first[2] * layer_ + first[1] * row_ + first[0];
    length_ = sweeps.tiles * static_cast<std::size_t>(plane_);
    const auto line = [&](Shift at) { return at.z * layer_ + at.y * row_ + at.x; };
    steps_.clear();
    for (const Shift &step : sweeps.steps)
        steps_.push_back(line(step));
    sweeps_.assign(steps_.size() * sweeps.tiles, {});
    each_met([&](std::size_t step, std::uint32_t tile, const Cell &met) {
        sweeps_[step * sweeps.tiles + tile].push_back(
            line(place_of(met)) + (met.tile - static_cast<std::ptrdiff_t>(tile)) * plane_);
    });
    lies_.clear();
    cells_ = {};
}

const Field::Lie *Field::lie(std::uint32_t body) {
    if (lies_.size() <= body)
        lies_.resize(bodies_.all.size());
    std::unique_ptr<Lie> &lie = lies_[body];
    if (lie)
        return lie.get();
    lie = std::make_unique<Lie>();
    lie->cells.reserve(bodies_.all[body].cells.size());
    for (std::uint32_t tile = 0; tile <= bodies_.sweeps.tiles; ++tile) {
        lie->starts.push_back(static_cast<std::uint32_t>(lie->cells.size()));
        for (const Cell &c : bodies_.all[body].cells)
            if (c.tile == static_cast<std::int32_t>(tile))
                lie->cells.push_back(
                    static_cast<std::int32_t>(c.tile * plane_ + c.z * layer_ + c.y * row_ + c.x));
    }
    return lie.get();
}

} // namespace kumitate
