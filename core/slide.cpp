#include "slide.hpp"
#include "contract.hpp"

#include <algorithm>
#include <array>

namespace kumitate {

namespace {

std::size_t plain(std::int32_t number) {
    return static_cast<std::size_t>(number);
}

Bitmap bitmap_of(std::span<const Cell> cells, std::uint32_t tiles) {
    Bitmap map;
    if (cells.empty())
        return map;
    Shift low{cells[0].x, cells[0].y, cells[0].z}, high = low;
    for (const Cell &c : cells) {
        low = {std::min(low.x, c.x), std::min(low.y, c.y), std::min(low.z, c.z)};
        high = {std::max(high.x, c.x), std::max(high.y, c.y), std::max(high.z, c.z)};
    }
    map.low = low;
    map.length = high.x - low.x + 1;
    map.width = high.y - low.y + 1;
    map.height = high.z - low.z + 1;
    map.words = (plain(map.length) * tiles + 63) / 64;
    constexpr double most_words = 1 << 22; // 32 MB
    if (static_cast<double>(map.words) * map.width * map.height > most_words)
        throw Vast{};
    map.bits.assign(map.words * plain(map.width) * plain(map.height), 0);
    for (const Cell &c : cells) {
        const std::size_t row = plain(c.z - low.z) * plain(map.width) + plain(c.y - low.y);
        const std::size_t bit = plain(c.x - low.x) * tiles + plain(c.tile);
        map.bits[row * map.words + bit / 64] |= std::uint64_t{1} << bit % 64;
    }
    return map;
}

// The 64 bits of a row from some bit on, which may lie before or behind it.
std::uint64_t window(const std::uint64_t *row, std::size_t words, std::int64_t from) {
    const std::int64_t word = from >> 6;
    const unsigned bit = static_cast<unsigned>(from & 63);
    const auto at = [&](std::int64_t w) {
        return w >= 0 && w < static_cast<std::int64_t>(words) ? row[w] : 0;
    };
    return bit == 0 ? at(word) : at(word) >> bit | at(word + 1) << (64 - bit);
}

// Whether the first, moved by a shift, has a cell in common with the second.
bool meet(const Bitmap &a, const Bitmap &b, Shift by, std::uint32_t tiles) {
    const std::int32_t x = a.low.x + by.x - b.low.x, y = a.low.y + by.y - b.low.y,
                       z = a.low.z + by.z - b.low.z; // where a's corner lies in b's box
    if (x >= b.length || x + a.length <= 0)
        return false;
    const std::int32_t y_end = std::min(a.width, b.width - y),
                       z_end = std::min(a.height, b.height - z);
    const std::int64_t bit = std::int64_t{x} * tiles;
    for (std::int32_t k = std::max(0, -z); k < z_end; ++k)
        for (std::int32_t j = std::max(0, -y); j < y_end; ++j) {
            const std::uint64_t *mine = &a.bits[plain(k * a.width + j) * a.words];
            const std::uint64_t *its = &b.bits[plain((k + z) * b.width + j + y) * b.words];
            if (a.words == 1 && b.words == 1) {
                if (bit >= 0 ? mine[0] << bit & its[0] : mine[0] >> -bit & its[0])
                    return true;
                continue;
            }
            for (std::size_t w = 0; w < a.words; ++w)
                if (mine[w] & window(its, b.words, bit + 64 * static_cast<std::int64_t>(w)))
                    return true;
        }
    return false;
}

// A position as the lattice point below it and the rest.
std::int32_t below(std::int32_t at, std::int32_t parts) {
    return at >= 0 ? at / parts : -((parts - 1 - at) / parts);
}

} // namespace

std::pair<std::uint32_t, Shift> Bodies::add(std::span<const Cell> cells) {
    if (cells.empty())
        throw Vast{};
    for (const Cell &c : cells)
        for (std::int32_t part : {c.x, c.y, c.z})
            if (part < -farthest || part > farthest)
                throw Vast{};
    std::vector<Cell> mine(cells.begin(), cells.end());
    std::sort(mine.begin(), mine.end());
    Shift low{mine[0].x, mine[0].y, mine[0].z};
    for (const Cell &c : mine)
        low = {std::min(low.x, c.x), std::min(low.y, c.y), std::min(low.z, c.z)};
    std::uint64_t hash = mine.size();
    for (Cell &c : mine) {
        c = c + Shift{-low.x, -low.y, -low.z};
        for (std::int32_t part : {c.x, c.y, c.z, c.tile})
            hash = (hash ^ static_cast<std::uint32_t>(part)) * 0x9e3779b97f4a7c15u,
            hash ^= hash >> 29;
    }
    const Shift at{low.x * sweeps.parts, low.y * sweeps.parts, low.z * sweeps.parts};
    std::vector<std::uint32_t> &same = by_hash_[hash];
    for (std::uint32_t body : same)
        if (all[body].cells == mine)
            return {body, at};
    const auto body = static_cast<std::uint32_t>(all.size());
    const std::size_t maps = sweeps.swept.size() / sweeps.tiles;
    all.push_back({mine, bitmap_of(mine, sweeps.tiles), std::vector<Bitmap>(maps)});
    same.push_back(body); // only now: a body that is too large is none
    return {body, at};
}

const Bitmap &Bodies::swept(std::uint32_t body, std::size_t residue, std::size_t step) {
    const std::size_t which = residue * sweeps.steps.size() + step;
    Bitmap &map = all[body].swept[which];
    if (map.bits.empty()) {
        std::vector<Cell> cells;
        cells.reserve(2 * all[body].cells.size());
        for (const Cell &c : all[body].cells)
            for (const Cell &d : sweeps.swept[which * sweeps.tiles + plain(c.tile)])
                cells.push_back({c.x + d.x, c.y + d.y, c.z + d.z, d.tile});
        map = bitmap_of(cells, sweeps.tiles);
    }
    return map;
}

std::uint16_t gap(Bodies &bodies, std::uint32_t mover, std::uint32_t other, Shift offset,
                  std::size_t step) {
    const std::int32_t parts = bodies.sweeps.parts;
    const Shift unit = bodies.sweeps.steps[step];
    const Bitmap &solid = bodies.all[other].solid;
    // Once it is past the other in a direction of the step, it never meets it.
    const auto past = [](std::int32_t low, std::int32_t length, std::int32_t its_low,
                         std::int32_t its_length, std::int32_t goes) {
        return (goes >= 0 && low >= its_low + its_length) || (goes <= 0 && low + length <= its_low);
    };
    for (std::uint16_t units = 0; units < forever; ++units) {
        Shift at = offset;
        std::size_t residue = 0;
        if (parts > 1) {
            at = {below(offset.x, parts), below(offset.y, parts), below(offset.z, parts)};
            residue =
                (plain(offset.x - at.x * parts) * plain(parts) + plain(offset.y - at.y * parts)) *
                    plain(parts) +
                plain(offset.z - at.z * parts);
        }
        const Bitmap &swept = bodies.swept(mover, residue, step);
        // What lies behind in other residues is no farther than a cell: allow for it.
        const std::int32_t more = parts > 1 ? 2 : 0;
        const Shift low{swept.low.x + at.x, swept.low.y + at.y, swept.low.z + at.z};
        if (past(low.x - more, swept.length + 2 * more, solid.low.x, solid.length, unit.x) ||
            past(low.y - more, swept.width + 2 * more, solid.low.y, solid.width, unit.y) ||
            past(low.z - more, swept.height + 2 * more, solid.low.z, solid.height, unit.z))
            return forever;
        if (meet(swept, solid, at, bodies.sweeps.tiles))
            return units;
        offset = {offset.x + unit.x, offset.y + unit.y, offset.z + unit.z};
    }
    throw Vast{};
}

namespace {

Shift shift_of(std::uint64_t offset) {
    constexpr std::uint64_t half = std::uint64_t{1} << 20, mask = (std::uint64_t{1} << 21) - 1;
    offset += half | half << 21 | half << 42;
    return {static_cast<std::int32_t>(offset & mask) - static_cast<std::int32_t>(half),
            static_cast<std::int32_t>(offset >> 21 & mask) - static_cast<std::int32_t>(half),
            static_cast<std::int32_t>(offset >> 42 & mask) - static_cast<std::int32_t>(half)};
}

Shift opposite(Shift s) {
    return {-s.x, -s.y, -s.z};
}

} // namespace

const Gaps &Pairs::add(std::uint32_t pair, std::uint64_t offset, std::size_t slot) {
    if (2 * ++used_ > slots_.size()) {
        std::vector<Gaps> old(2 * slots_.size(), {nowhere, 0, 0, 0, unknown});
        old.swap(slots_);
        --shift_;
        const auto free_for = [&](std::uint32_t its_pair, std::uint64_t its_offset) {
            std::size_t at = slot_of(its_pair, its_offset);
            while (slots_[at].offset != nowhere)
                at = (at + 1) & (slots_.size() - 1);
            return at;
        };
        for (const Gaps &known : old)
            if (known.offset != nowhere)
                slots_[free_for(known.pair, known.offset)] = known;
        slot = free_for(pair, offset);
    }
    Gaps fresh{offset, 0, 0, pair, unknown};
    const std::size_t steps = bodies.sweeps.steps.size();
    if (bodies.sweeps.parts > 1) {
        measure(fresh);
        for (std::size_t s = 0; s < 2 * steps; ++s)
            fresh.now |= std::uint64_t{gaps[fresh.at + s] == 0} << s;
        return slots_[slot] = fresh;
    }
    const std::uint32_t a = pair >> 16, b = pair & 0xffff, tiles = bodies.sweeps.tiles;
    const Shift there = shift_of(offset);
    for (std::size_t s = 0; s < steps; ++s) {
        const bool first = meet(bodies.swept(a, 0, s), bodies.all[b].solid, there, tiles);
        const bool second =
            meet(bodies.swept(b, 0, s), bodies.all[a].solid, opposite(there), tiles);
        fresh.now |= std::uint64_t{first} << s | std::uint64_t{second} << (steps + s);
    }
    return slots_[slot] = fresh;
}

const Gaps &Pairs::measure(std::uint32_t pair, std::uint64_t offset) {
    Gaps &it = slots_[static_cast<std::size_t>(&find(pair, offset) - slots_.data())];
    if (it.at == unknown)
        measure(it);
    return it;
}

void Pairs::measure(Gaps &it) {
    const std::size_t steps = bodies.sweeps.steps.size();
    const std::uint32_t a = it.pair >> 16, b = it.pair & 0xffff;
    const Shift there = shift_of(it.offset);
    std::array<std::uint16_t, 64> found; // kept only once all are known
    for (std::size_t s = 0; s < 2 * steps; ++s) {
        const bool known = it.now >> s & 1;
        found[s] = known       ? std::uint16_t{0}
                   : s < steps ? gap(bodies, a, b, there, s)
                               : gap(bodies, b, a, opposite(there), s - steps);
    }
    const std::uint32_t at = to_32_bits(gaps.size(), "gaps between pieces");
    gaps.insert(gaps.end(), found.begin(), found.begin() + static_cast<std::ptrdiff_t>(2 * steps));
    it.at = at;
    for (std::size_t s = 0; s < 2 * steps; ++s)
        it.ever |= std::uint64_t{found[s] != forever} << s;
}

} // namespace kumitate
