#include "slide.hpp"

#include <tuple>

namespace kumitate {

namespace {

std::size_t plain(std::int32_t number) {
    return static_cast<std::size_t>(number);
}

// A bitmap of a box, with no bit set.
Bitmap blank(const Box &box, std::uint32_t tiles) {
    Bitmap map;
    map.low = box.low;
    map.length = box.high.x - box.low.x + 1;
    map.width = box.high.y - box.low.y + 1;
    map.height = box.high.z - box.low.z + 1;
    map.words = (plain(map.length) * tiles + 63) / 64;
    constexpr double most_words = 1 << 22; // 32 MB
    if (static_cast<double>(map.words) * map.width * map.height > most_words)
        throw Vast{};
    map.bits.assign(map.words * plain(map.width) * plain(map.height), 0);
    return map;
}

// Set the bits of a strip, which is moved by a shift.
void set(Bitmap &map, const Strip &strip, Shift by, std::uint32_t tiles) {
    const Shift at = by - map.low;
    const std::size_t row = plain(at.z + strip.z) * plain(map.width) + plain(at.y + strip.y);
    const auto from = static_cast<std::size_t>(std::int64_t{at.x} * tiles + strip.from);
    std::uint64_t *word = &map.bits[row * map.words + from / 64];
    *word |= strip.bits << from % 64;
    if (const std::uint64_t rest = from % 64 ? strip.bits >> (64 - from % 64) : 0)
        word[1] |= rest;
}

Bitmap bitmap_of(std::span<const Cell> cells, std::uint32_t tiles) {
    Bitmap map = blank(box_of(cells), tiles);
    for (const Cell &c : cells) {
        KUMITATE_EXPECT(plain(c.tile) < tiles, "a cell has a tile that there is");
        set(map, {c.tile, 0, 0, 1}, place_of(c), tiles);
    }
    return map;
}

Strips strips_of(std::vector<Cell> cells, std::uint32_t tiles) {
    Strips made;
    if (cells.empty())
        return made;
    made.box = box_of(cells);
    std::ranges::sort(cells, {}, [](const Cell &c) { return std::tuple(c.z, c.y, c.x, c.tile); });
    for (const Cell &c : cells) {
        KUMITATE_EXPECT(plain(c.tile) < tiles, "a cell has a tile that there is");
        const std::int64_t bit = std::int64_t{c.x} * tiles + c.tile;
        const Strip *last = made.strips.empty() ? nullptr : &made.strips.back();
        if (!last || last->y != c.y || last->z != c.z || bit - last->from >= 64)
            made.strips.push_back({bit, c.y, c.z, 0});
        made.strips.back().bits |= std::uint64_t{1} << (bit - made.strips.back().from);
    }
    return made;
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

// The offsets at which a body clashes with another, whose rows are words, as are those of the
// bitmap: each cell of the first clashes with all cells of the second at once.
Bitmap clashes_of(const Body &a, const Bitmap &b) {
    const Shift far = a.sides - Shift{1, 1, 1};
    Bitmap map = blank({b.low - far, b.low + Shift{b.length - 1, b.width - 1, b.height - 1}}, 1);
    for (const Cell &c : a.cells) {
        const Shift by = far - place_of(c);
        for (std::int32_t k = 0; k < b.height; ++k) {
            const std::uint64_t *its = &b.bits[plain(k * b.width)];
            std::uint64_t *mine = &map.bits[plain((k + by.z) * map.width + by.y)];
            for (std::int32_t j = 0; j < b.width; ++j)
                mine[j] |= its[j] << by.x;
        }
    }
    return map;
}

// Whether bodies clash at an offset from the low corner of the bitmap.
bool clash(const Bitmap &clashes, Shift at) {
    const auto inside = [](std::int32_t at, std::int32_t side) {
        return static_cast<std::uint32_t>(at) < static_cast<std::uint32_t>(side);
    };
    return inside(at.x, clashes.length) && inside(at.y, clashes.width) &&
           inside(at.z, clashes.height) &&
           clashes.bits[plain(at.z * clashes.width + at.y)] >> at.x & 1;
}

// How far the first body can slide on, from an offset at which they do not clash.
std::uint16_t gap(const Bitmap &clashes, Shift at, Shift goes) {
    const auto past = [](std::int32_t at, std::int32_t side, std::int32_t goes) {
        return (goes >= 0 && at >= side) || (goes <= 0 && at < 0);
    };
    for (std::uint16_t units = 0; units < forever<std::uint16_t>; ++units) {
        at = at + goes;
        if (clash(clashes, at))
            return units;
        if (past(at.x, clashes.length, goes.x) || past(at.y, clashes.width, goes.y) ||
            past(at.z, clashes.height, goes.z))
            return forever<std::uint16_t>;
    }
    throw Vast{};
}

// Whether a piece sweeps through nothing but where it stands before a unit and after it.
bool sweeps_ends(const Sweeps &sweeps) {
    if (sweeps.tiles > 1 || sweeps.parts > 1)
        return false;
    for (std::size_t s = 0; s < sweeps.steps.size(); ++s) {
        const std::vector<Cell> &swept = sweeps.swept[s];
        const auto has = [&](Shift at) {
            return std::ranges::find(swept, at, [](const Cell &c) { return place_of(c); }) !=
                   swept.end();
        };
        if (swept.size() != 2 || !has({}) || !has(sweeps.steps[s]))
            return false;
    }
    return true;
}

// A position as the lattice point below it and the rest.
std::int32_t below(std::int32_t at, std::int32_t parts) {
    return at >= 0 ? at / parts : -((parts - 1 - at) / parts);
}

} // namespace

Bodies::Bodies(Sweeps sweeps) : sweeps(std::move(sweeps)) {
    for (const std::vector<Cell> &cells : this->sweeps.swept)
        strips_.push_back(strips_of(cells, this->sweeps.tiles));
}

std::pair<std::uint32_t, Shift> Bodies::add(std::span<const Cell> cells) {
    if (cells.empty())
        throw Vast{};
    for (const Cell &c : cells)
        require_near(place_of(c));
    std::vector<Cell> mine(cells.begin(), cells.end());
    std::sort(mine.begin(), mine.end());
    const Box box = box_of(mine);
    const Shift low = box.low;
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
    all.push_back({mine, box.high - low + Shift{1, 1, 1}, {}, std::vector<Bitmap>(maps)});
    numbers_.add(hash, body, [](std::uint32_t) { return false; });
    return {body, at};
}

const Bitmap &Bodies::solid(std::uint32_t body) {
    Body &its = all[body];
    if (its.solid.bits.empty())
        its.solid = bitmap_of(its.cells, sweeps.tiles);
    return its.solid;
}

const Bitmap &Bodies::swept(std::uint32_t body, std::size_t residue, std::size_t step) {
    const std::size_t which = residue * sweeps.steps.size() + step;
    KUMITATE_EXPECT(which < all[body].swept.size(), "a body has a sweep for each residue and step");
    Bitmap &map = all[body].swept[which];
    if (map.bits.empty()) {
        const std::vector<Cell> &cells = all[body].cells;
        const Strips *of = &strips_[which * sweeps.tiles];
        std::vector<Shift> corners;
        for (const Cell &c : cells)
            if (const Strips &it = of[c.tile]; !it.strips.empty()) {
                corners.push_back(place_of(c) + it.box.low);
                corners.push_back(place_of(c) + it.box.high);
            }
        if (corners.empty())
            return map;
        map = blank(box_of(corners), sweeps.tiles);
        for (const Cell &c : cells)
            for (const Strip &strip : of[c.tile].strips)
                set(map, strip, place_of(c), sweeps.tiles);
    }
    return map;
}

std::uint16_t gap(Bodies &bodies, std::uint32_t mover, std::uint32_t other, Shift offset,
                  std::size_t step, bool back) {
    const std::int32_t parts = bodies.sweeps.parts;
    const Shift unit = bodies.sweeps.steps[step], goes = back ? -unit : unit;
    const Bitmap &solid = bodies.solid(other);
    // Once it is past the other in a direction in which it goes, it never meets it.
    const auto past = [](std::int32_t low, std::int32_t length, std::int32_t its_low,
                         std::int32_t its_length, std::int32_t goes) {
        return (goes >= 0 && low >= its_low + its_length) || (goes <= 0 && low + length <= its_low);
    };
    const Bitmap *swept = &bodies.swept(mover, 0, step);
    if (back) // a unit back sweeps through the same as one along the step, from where it ends
        offset = offset - unit;
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
        if (past(low.x - more, swept->length + 2 * more, solid.low.x, solid.length, goes.x) ||
            past(low.y - more, swept->width + 2 * more, solid.low.y, solid.width, goes.y) ||
            past(low.z - more, swept->height + 2 * more, solid.low.z, solid.height, goes.z))
            return forever<std::uint16_t>;
        if (meet(*swept, solid, at, bodies.sweeps.tiles))
            return units;
        offset = offset + goes;
    }
    throw Vast{};
}

Pairs::Pairs(Bodies &bodies) : bodies(bodies), clashes_tell_(sweeps_ends(bodies.sweeps)) {}

const Bitmap *Pairs::clashes(std::uint32_t pair) {
    // Cells of the first body that cost as much as an answer without the bitmap; and 32 MB.
    constexpr std::size_t cells_for_an_answer = 32, most_words = 1 << 22;
    constexpr std::int64_t most_rows = 1 << 12;
    const Body &a = bodies.all[pair >> 16], &b = bodies.all[pair & 0xffff];
    const Shift sides = a.sides + b.sides;
    if (!clashes_tell_ || sides.x > 64 || std::int64_t{sides.y} * sides.z > most_rows)
        return nullptr;
    const std::uint64_t hash = mix(no_words, pair);
    std::uint32_t number =
        clash_numbers_.find(hash, [&](std::uint32_t n) { return clashes_[n].pair == pair; });
    if (number == none) {
        number = to_32_bits(clashes_.size(), "pairs of bodies");
        clashes_.push_back({pair, 0, {}});
        clash_numbers_.add(hash, number, [](std::uint32_t) { return false; });
    }
    Clashes &its = clashes_[number];
    if (its.at.bits.empty()) {
        if (cells_for_an_answer * ++its.asked < a.cells.size() || clash_words_ > most_words)
            return nullptr;
        its.at = clashes_of(a, bodies.solid(pair & 0xffff));
        clash_words_ += its.at.bits.size();
    }
    return &its.at;
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
    const std::uint32_t a = pair >> 16, b = pair & 0xffff;
    const Shift there = shift_of(offset);
    KUMITATE_EXPECT(Pairs::offset(there) == offset, "offsets have 21 bits for each coordinate");
    if (const Bitmap *known = clashes(pair)) {
        const Shift at = there - known->low;
        const bool here = clash(*known, at);
        for (std::size_t s = 0; s < steps; ++s) {
            const Shift unit = bodies.sweeps.steps[s];
            fresh.now |= std::uint64_t{here || clash(*known, at + unit)} << s;
            fresh.now |= std::uint64_t{here || clash(*known, at - unit)} << (steps + s);
        }
        return table_.add(fresh);
    }
    const Bitmap &solid = bodies.solid(b);
    for (std::size_t s = 0; s < steps; ++s) {
        const Bitmap &swept = bodies.swept(a, 0, s);
        const auto blocked = [&](Shift at) { return meet(swept, solid, at, bodies.sweeps.tiles); };
        fresh.now |= std::uint64_t{blocked(there)} << s;
        fresh.now |= std::uint64_t{blocked(there - bodies.sweeps.steps[s])} << (steps + s);
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
    const Bitmap *const known = clashes(it.pair);
    std::array<std::uint16_t, 64> found; // kept only once all are known
    for (std::size_t s = 0; s < 2 * steps; ++s) {
        const bool back = s >= steps; // as if the first went back while the second stays
        const std::size_t step = back ? s - steps : s;
        const Shift goes = back ? -bodies.sweeps.steps[step] : bodies.sweeps.steps[step];
        if (it.now >> s & 1)
            found[s] = 0;
        else if (known)
            found[s] = gap(*known, there - known->low, goes);
        else if (bodies.sweeps.parts > 1) // `now` is not known yet
            found[s] = gap(bodies, a, b, there, step, back);
        else {
            const std::uint16_t more = gap(bodies, a, b, there + goes, step, back);
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
