#include "slide.hpp"

namespace kumitate {

namespace {

std::size_t plain(std::int32_t number) {
    return static_cast<std::size_t>(number);
}

Bitmap bitmap_of(std::span<const Cell> cells, std::uint32_t tiles) {
    Bitmap map;
    if (cells.empty())
        return map;
    const Box box = box_of(cells);
    const Shift low = map.low = box.low;
    map.length = box.high.x - low.x + 1;
    map.width = box.high.y - low.y + 1;
    map.height = box.high.z - low.z + 1;
    map.words = (plain(map.length) * tiles + 63) / 64;
    constexpr double most_words = 1 << 22; // 32 MB
    if (static_cast<double>(map.words) * map.width * map.height > most_words)
        throw Vast{};
    map.bits.assign(map.words * plain(map.width) * plain(map.height), 0);
    for (const Cell &c : cells) {
        const std::size_t row = plain(c.z - low.z) * plain(map.width) + plain(c.y - low.y);
        KUMITATE_EXPECT(plain(c.tile) < tiles, "a cell has a tile that there is");
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
[[gnu::always_inline]] inline bool meet(const Bitmap &a, const Bitmap &b, Shift by,
                                        std::uint32_t tiles) {
    const std::int32_t x = a.low.x + by.x - b.low.x, y = a.low.y + by.y - b.low.y,
                       z = a.low.z + by.z - b.low.z; // where a's corner lies in b's box
    if (x >= b.length || x + a.length <= 0)
        return false;
    const std::int32_t y_end = std::min(a.width, b.width - y),
                       z_end = std::min(a.height, b.height - z);
    const std::int32_t y_from = std::max(0, -y), z_from = std::max(0, -z);
    if (y_from >= y_end)
        return false;
    const std::int64_t bit = std::int64_t{x} * tiles;
    if (a.words == 1 && b.words == 1) {
        const auto any = [&](auto &&shifted) {
            for (std::int32_t k = z_from; k < z_end; ++k) {
                const std::uint64_t *mine = a.bits.data() + k * a.width + y_from;
                const std::uint64_t *its = b.bits.data() + (k + z) * b.width + (y + y_from);
                std::uint64_t both = 0; // no branch for each row
                for (std::int32_t j = 0; j < y_end - y_from; ++j)
                    both |= shifted(mine[j]) & its[j];
                if (both)
                    return true;
            }
            return false;
        };
        return bit >= 0 ? any([=](std::uint64_t row) { return row << bit; })
                        : any([=](std::uint64_t row) { return row >> -bit; });
    }
    for (std::int32_t k = z_from; k < z_end; ++k)
        for (std::int32_t j = y_from; j < y_end; ++j) {
            const std::uint64_t *mine = &a.bits[plain(k * a.width + j) * a.words];
            const std::uint64_t *its = &b.bits[plain((k + z) * b.width + j + y) * b.words];
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
        require_near(place_of(c));
    std::vector<Cell> mine(cells.begin(), cells.end());
    std::sort(mine.begin(), mine.end());
    const Shift low = box_of(mine).low;
    std::uint64_t hash = no_words;
    for (Cell &c : mine) {
        c = c + -low;
        hash = mix(hash, hash_of(c));
    }
    const auto same = [&](std::uint32_t body) { return all[body].cells == mine; };
    const Shift at = sweeps.parts * low;
    if (const std::uint32_t body = numbers_.find(hash, same); body != none)
        return {body, at};
    const auto body = static_cast<std::uint32_t>(all.size());
    const std::size_t maps = sweeps.swept.size() / sweeps.tiles;
    all.push_back({mine, bitmap_of(mine, sweeps.tiles), std::vector<Bitmap>(maps)});
    numbers_.add(hash, body, [](std::uint32_t) { return false; });
    return {body, at};
}

const Bitmap &Bodies::swept(std::uint32_t body, std::size_t residue, std::size_t step) {
    const std::size_t which = residue * sweeps.steps.size() + step;
    KUMITATE_EXPECT(which < all[body].swept.size(), "a body has a sweep for each residue and step");
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
    const Bitmap *swept = &bodies.swept(mover, 0, step);
    for (std::uint16_t units = 0; units < forever<std::uint16_t>; ++units) {
        Shift at = offset;
        if (parts > 1) {
            at = {below(offset.x, parts), below(offset.y, parts), below(offset.z, parts)};
            const std::size_t residue =
                (plain(offset.x - at.x * parts) * plain(parts) + plain(offset.y - at.y * parts)) *
                    plain(parts) +
                plain(offset.z - at.z * parts);
            swept = &bodies.swept(mover, residue, step);
        }
        // What lies behind in other residues is no farther than a cell: allow for it.
        const std::int32_t more = parts > 1 ? 2 : 0;
        const Shift low = swept->low + at;
        if (past(low.x - more, swept->length + 2 * more, solid.low.x, solid.length, unit.x) ||
            past(low.y - more, swept->width + 2 * more, solid.low.y, solid.width, unit.y) ||
            past(low.z - more, swept->height + 2 * more, solid.low.z, solid.height, unit.z))
            return forever<std::uint16_t>;
        if (meet(*swept, solid, at, bodies.sweeps.tiles))
            return units;
        offset = offset + unit;
    }
    throw Vast{};
}

Gaps &Pairs::add(std::uint32_t pair, std::uint64_t offset) {
    Gaps fresh;
    fresh.offset = offset;
    fresh.pair = pair;
    const std::size_t steps = bodies.sweeps.steps.size();
    if (bodies.sweeps.parts > 1) {
        measure(fresh);
        for (std::size_t s = 0; s < 2 * steps; ++s)
            fresh.now |= std::uint64_t{gaps_[fresh.at + s] == 0} << s;
        return table_.add(fresh);
    }
    const std::uint32_t a = pair >> 16, b = pair & 0xffff, tiles = bodies.sweeps.tiles;
    const Shift there = shift_of(offset);
    KUMITATE_EXPECT(Pairs::offset(there) == offset, "offsets have 21 bits for each coordinate");
    for (std::size_t s = 0; s < steps; ++s) {
        const bool first = meet(bodies.swept(a, 0, s), bodies.all[b].solid, there, tiles);
        const bool second = meet(bodies.swept(b, 0, s), bodies.all[a].solid, -there, tiles);
        fresh.now |= std::uint64_t{first} << s | std::uint64_t{second} << (steps + s);
    }
    return table_.add(fresh);
}

const Gaps &Pairs::measured(const Gaps &gaps) {
    measure(const_cast<Gaps &>(gaps));
    return gaps;
}

void Pairs::measure(Gaps &it) {
    const std::size_t steps = bodies.sweeps.steps.size();
    const std::uint32_t a = it.pair >> 16, b = it.pair & 0xffff;
    const Shift there = shift_of(it.offset);
    std::array<std::uint16_t, 64> found; // kept only once all are known
    for (std::size_t s = 0; s < 2 * steps; ++s) {
        const bool first = s < steps;
        const std::size_t step = first ? s : s - steps;
        const std::uint32_t mover = first ? a : b, other = first ? b : a;
        const Shift from = first ? there : -there;
        if (it.now >> s & 1)
            found[s] = 0;
        else if (bodies.sweeps.parts > 1) // `now` is not known yet
            found[s] = gap(bodies, mover, other, from, step);
        else {
            const std::uint16_t more =
                gap(bodies, mover, other, from + bodies.sweeps.steps[step], step);
            found[s] = more == forever<std::uint16_t> ? more : static_cast<std::uint16_t>(more + 1);
        }
    }
    const std::uint32_t at = to_32_bits(gaps_.size(), "gaps between pieces");
    constexpr std::uint8_t most = forever<std::uint8_t> - 1;
    small_.resize(at + 2 * steps);
    for (std::size_t s = 0; s < 2 * steps; ++s)
        small_[at + s] = found[s] == forever<std::uint16_t>
                             ? forever<std::uint8_t>
                             : static_cast<std::uint8_t>(std::min<std::uint16_t>(found[s], most));
    gaps_.insert(gaps_.end(), found.begin(),
                 found.begin() + static_cast<std::ptrdiff_t>(2 * steps));
    it.at = at;
    for (std::size_t s = 0; s < 2 * steps; ++s)
        it.ever |= std::uint64_t{found[s] != forever<std::uint16_t>} << s;
}

} // namespace kumitate
