#include "contacts.hpp"

namespace kumitate {

namespace {

constexpr std::size_t most_counts = std::size_t{1} << 28; // half a gigabyte

// How many units lead from a coordinate to the last one inside.
std::int32_t units_inside(std::int32_t at, std::int32_t side, std::int32_t goes) {
    return goes > 0 ? (side - 1 - at) / goes : goes < 0 ? at / -goes : 1 << 30;
}

} // namespace

Contacts::Contacts(Sweeps sweeps, std::vector<Cell> frame,
                   const std::vector<std::vector<std::uint32_t>> &homes)
    : sweeps_(std::move(sweeps)), frame_(std::move(frame)), pieces_(homes.size()),
      ways_(2 * sweeps_.steps.size()), gap_words_((ways_ + 7) / 8), numbers_(pieces_ * pieces_),
      owners_(frame_.size(), none) {
    require(sweeps_.parts == 1, "contacts are counted at whole positions");
    const std::size_t steps = sweeps_.steps.size(), tiles = sweeps_.tiles;
    Box reach{{}, {}}; // of sweeps
    for (const std::vector<Cell> &cells : sweeps_.swept)
        for (const Cell &cell : cells)
            reach.include(place_of(cell)), reach.include(-place_of(cell));
    std::vector<Box> boxes;
    for (const std::vector<std::uint32_t> &home : homes) {
        require(!home.empty(), "a home has cells");
        Box box{place_of(frame_[home[0]]), place_of(frame_[home[0]])};
        for (std::uint32_t cell : home)
            box.include(place_of(frame_[cell]));
        boxes.push_back(box);
    }
    std::size_t offsets = 0;
    for (std::size_t j = 0; j < pieces_; ++j)
        for (std::size_t i = 0; i < j; ++i) {
            numbers_[i * pieces_ + j] = numbers_[j * pieces_ + i] =
                static_cast<std::uint32_t>(twos_.size());
            Two two;
            two.low = boxes[j].low - boxes[i].high + reach.low;
            two.sides = boxes[j].high - boxes[i].low + reach.high - two.low + Shift{1, 1, 1};
            two.start = offsets;
            const auto line_of = [&](Shift at) {
                return at.x + two.sides.x * (at.y + two.sides.y * at.z);
            };
            const double size = static_cast<double>(two.sides.x) * two.sides.y * two.sides.z;
            if ((static_cast<double>(offsets) + size) * static_cast<double>(ways_) > most_counts)
                throw Refusal("too many pieces with too large homes to climb; make the homes "
                              "smaller");
            offsets += static_cast<std::size_t>(size);
            for (const Cell &cell : frame_)
                two.lines.push_back(line_of(place_of(cell)));
            for (const Shift &step : sweeps_.steps)
                two.strides.push_back(line_of(step));
            // From a cell of the first to one of the second: the first is in the way of the second
            // at the offset between the cells, less what it sweeps through; and the other way
            // round.
            two.entries.resize(tiles * tiles);
            for (std::size_t s = 0; s < steps; ++s)
                for (std::size_t tile = 0; tile < tiles; ++tile)
                    for (const Cell &cell : sweeps_.swept[s * tiles + tile]) {
                        const auto other = static_cast<std::size_t>(cell.tile);
                        const Shift by = place_of(cell);
                        if (by == Shift{} && other == tile) // where it is, nothing else can be
                            continue;
                        const auto entry = [&](Shift offset, std::size_t way) {
                            return (line_of(offset - two.low) +
                                    static_cast<std::ptrdiff_t>(two.start)) *
                                       static_cast<std::ptrdiff_t>(ways_) +
                                   static_cast<std::ptrdiff_t>(way);
                        };
                        two.entries[tile * tiles + other].push_back(entry(-by, s));
                        two.entries[other * tiles + tile].push_back(entry(by, steps + s));
                    }
            twos_.push_back(std::move(two));
        }
    counts_.assign(offsets * ways_, 0);
    known_.resize(offsets);
    outside_.resize(std::size_t{1} << outside_bits);
    for (Outside &it : outside_)
        it.known.at = to_32_bits(offsets++ * gap_words_, "gaps");
    gaps_.resize(offsets * gap_words_);
    ages_.assign(twos_.size(), ++newest_);
    old_ages_ = ages_;
}

void Contacts::give(std::uint32_t cell, std::uint32_t piece) {
    const std::uint32_t before = owners_[cell];
    if (before == piece)
        return;
    owners_[cell] = none;
    if (before != none)
        count(cell, before, 0xffff); // one less
    if (piece != none)
        count(cell, piece, 1);
    owners_[cell] = piece;
}

void Contacts::count(std::uint32_t cell, std::uint32_t piece, std::uint16_t by) {
    const auto tile_of = [&](std::uint32_t c) { return static_cast<std::size_t>(frame_[c].tile); };
    const std::size_t tile = tile_of(cell), tiles = sweeps_.tiles;
    const auto ways = static_cast<std::ptrdiff_t>(ways_);
    for (std::uint32_t other = 0; other < owners_.size(); ++other) {
        const std::uint32_t owner = owners_[other];
        if (owner == none || owner == piece)
            continue;
        const Two &two = twos_[number(piece, owner)];
        const bool first = piece < owner;
        const std::ptrdiff_t from = two.lines[first ? cell : other],
                             to = two.lines[first ? other : cell];
        const std::size_t its = tile_of(other);
        const std::ptrdiff_t at = ways * (to - from);
        for (std::ptrdiff_t entry : two.entries[first ? tile * tiles + its : its * tiles + tile]) {
            std::uint16_t &count = counts_[static_cast<std::size_t>(at + entry)];
            count = static_cast<std::uint16_t>(count + by);
        }
    }
    age(piece);
}

void Contacts::age(std::uint32_t piece) {
    ++newest_;
    for (std::size_t other = 0; other < pieces_; ++other)
        if (other != piece)
            ages_[number(piece, other)] = newest_;
}

void Contacts::mark() {
    if (newest_ > none / 2) { // before numbers run out, all that is known is forgotten
        for (Known &known : known_)
            known.age = 0;
        for (Outside &it : outside_)
            it.known.age = 0;
        ages_.assign(twos_.size(), newest_ = 1);
    }
    old_ages_ = ages_;
}

void Contacts::back() {
    ages_ = old_ages_;
}

std::uint32_t Contacts::blocking(std::uint32_t mover, std::uint32_t other,
                                 std::size_t direction) const {
    // Against a step is what the other does along it.
    if (direction % 2 == 1)
        std::swap(mover, other);
    const Two &two = twos_[number(mover, other)];
    const std::size_t way = direction / 2 + (mover < other ? 0 : sweeps_.steps.size());
    return counts_[(two.start + line(two, -two.low)) * ways_ + way];
}

void Contacts::note(Known &known, std::size_t way, std::uint32_t units) {
    constexpr std::uint8_t most = forever<std::uint8_t> - 1;
    reinterpret_cast<std::uint8_t *>(&gaps_[known.at])[way] =
        units == none ? forever<std::uint8_t>
                      : static_cast<std::uint8_t>(std::min<std::uint32_t>(units, most));
    known.now |= std::uint64_t{units == 0} << way;
    known.ever |= std::uint64_t{units != none} << way;
}

void Contacts::look(const Two &two, Shift at, std::size_t place, std::uint32_t age) {
    Known &known = known_[place];
    known = {0, 0, static_cast<std::uint32_t>(place * gap_words_), age};
    const std::size_t steps = sweeps_.steps.size();
    for (std::size_t way = 0; way < ways_; ++way) {
        const bool first = way < steps;
        const Shift step = first ? sweeps_.steps[way] : -sweeps_.steps[way - steps];
        const std::int32_t stride = first ? two.strides[way] : -two.strides[way - steps];
        const auto last = static_cast<std::uint32_t>(std::min(
            {units_inside(at.x, two.sides.x, step.x), units_inside(at.y, two.sides.y, step.y),
             units_inside(at.z, two.sides.z, step.z)}));
        const std::uint16_t *count = &counts_[place * ways_ + way];
        std::uint32_t units = 0;
        while (*count == 0 && units < last) {
            ++units;
            count += stride * static_cast<std::ptrdiff_t>(ways_);
        }
        note(known, way, *count == 0 ? none : units);
    }
}

void Contacts::look_from_outside(Outside &it, std::size_t number, std::uint64_t offset) {
    const Two &two = twos_[number];
    const Shift at = Pairs::shift_of(offset) - two.low;
    it.two = number;
    it.offset = offset;
    it.known = {0, 0, it.known.at, ages_[number]};
    const std::size_t steps = sweeps_.steps.size();
    const auto leaves = [](std::int32_t at, std::int32_t side, std::int32_t goes) {
        return (goes >= 0 && at >= side) || (goes <= 0 && at < 0);
    };
    for (std::size_t way = 0; way < ways_; ++way) {
        const Shift step = way < steps ? sweeps_.steps[way] : -sweeps_.steps[way - steps];
        Shift there = at;
        std::uint32_t units = 0;
        for (;; ++units, there = there + step) {
            if (leaves(there.x, two.sides.x, step.x) || leaves(there.y, two.sides.y, step.y) ||
                leaves(there.z, two.sides.z, step.z)) {
                units = none;
                break;
            }
            if (inside(two, there) && counts_[(two.start + line(two, there)) * ways_ + way] > 0)
                break;
        }
        note(it.known, way, units);
    }
}

} // namespace kumitate
