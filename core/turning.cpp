#include "turning.hpp"

#include "portable.hpp"
#include "threads.hpp"

#include <atomic>
#include <cmath>
#include <deque>
#include <map>

namespace kumitate {

namespace {

struct Quadratic {
    std::int64_t a, b, c;
};

int sign(Int128 x) {
    return (x > 0) - (x < 0);
}

// The sign of u + v sqrt(d).
int sign(Int128 u, Int128 v, Int128 d) {
    const int su = sign(u), sv = d == 0 ? 0 : sign(v);
    if (su * sv >= 0)
        return su + sv == 0 ? 0 : su + sv > 0 ? 1 : -1;
    return su * sign(u * u - v * v * d);
}

// (p + s sqrt(d)) / q, q > 0
struct Surd {
    std::int64_t p, s, q;
    Int128 d;
};

bool from_0_to_1(const Surd &t) {
    return sign(t.p, t.s, t.d) >= 0 && sign(t.p - t.q, t.s, t.d) < 0;
}

// Whether a quadratic is positive just after t.
bool positive_after(const Quadratic &f, const Surd &t) {
    const Int128 a = f.a, b = f.b, c = f.c, p = t.p, q = t.q;
    if (const int here =
            sign(a * (p * p + t.d) + b * p * q + c * q * q, (2 * a * p + b * q) * t.s, t.d))
        return here > 0;
    if (const int slope = sign(2 * a * p + b * q, 2 * a * t.s, t.d))
        return slope > 0;
    return a > 0;
}

bool positive_somewhere(const Quadratic &f) { // between 0 and 1
    if (f.c > 0 || f.a + f.b + f.c > 0)
        return true;
    return f.a < 0 && f.b > 0 && f.b < -2 * f.a && Int128{f.b} * f.b > 4 * Int128{f.a} * f.c;
}

// Calls with the roots; with a true answer it stops, and gives that.
template <class Ask> bool any_root(const Quadratic &f, Ask &&ask) {
    if (f.a == 0)
        return f.b != 0 && ask(Surd{f.b > 0 ? -f.c : f.c, 0, f.b > 0 ? f.b : -f.b, 0});
    const Int128 d = Int128{f.b} * f.b - 4 * Int128{f.a} * f.c;
    if (d < 0)
        return false;
    const Surd root{f.a > 0 ? -f.b : f.b, 1, f.a > 0 ? 2 * f.a : -2 * f.a, d};
    return ask(root) || ask(Surd{root.p, -1, root.q, d});
}

} // namespace

bool overlap(const Oblong &turns, const Oblong &stays) {
    // Along each of four directions, the distance of the centres is less than the sum of the half
    // widths, on both sides: A cos + B sin + C > 0, which is a quadratic in t.
    std::array<Quadratic, 8> all;
    std::size_t n = 0;
    const auto add = [&](std::int64_t cos, std::int64_t sin, std::int64_t rest) {
        all[n++] = {rest - cos, 2 * sin, rest + cos};
    };
    for (const std::int64_t side : {1, -1}) {
        add(turns.wide - side * turns.x, turns.high + side * turns.y,
            stays.wide + side * stays.x); // x
        add(turns.high - side * turns.y, turns.wide - side * turns.x,
            stays.high + side * stays.y); // y
        add(stays.wide + side * stays.x, stays.high + side * stays.y,
            turns.wide - side * turns.x); // along the first one's width
        add(stays.high + side * stays.y, stays.wide - side * stays.x,
            turns.high - side * turns.y); // along its height
    }
    if (!std::all_of(all.begin(), all.end(), positive_somewhere))
        return false;
    // They are positive together in open intervals, each of which begins at 0 or at a root.
    const auto begins = [&](const Surd &t) {
        return from_0_to_1(t) && std::all_of(all.begin(), all.end(), [&](const Quadratic &f) {
                   return positive_after(f, t);
               });
    };
    return begins({0, 0, 1, 0}) || std::any_of(all.begin(), all.end(), [&](const Quadratic &f) {
               return any_root(f, begins);
           });
}

namespace {

constexpr std::int64_t half_cell = finest_tolerance / 2; // in thousandths

// Some cells of a layer as an oblong: its low corner, in units, and how many cells it has a side
// less one.
struct Block {
    std::int32_t layer, u, v, wide, high;
    std::size_t kind() const { return static_cast<std::size_t>(wide + 2 * high); }
};

// Pieces that are cut into units, so many to a cell, and set back.
struct Measure {
    std::int64_t parts, tolerance;

    Oblong oblong(const Block &block, std::int32_t pivot_u, std::int32_t pivot_v) const {
        const auto centre = [&](std::int32_t low, std::int32_t cells, std::int32_t pivot) {
            return half_cell / parts * (2 * low - pivot) + half_cell * (cells + 1);
        };
        return {centre(block.u, block.wide, pivot_u), centre(block.v, block.high, pivot_v),
                half_cell * (block.wide + 1) - tolerance, half_cell * (block.high + 1) - tolerance};
    }
    bool share_a_layer(std::int32_t a, std::int32_t b) const { return std::abs(a - b) < parts; }
};

// What is left of a body where its faces are set back: blocks of up to two cells a side, none of
// them inside another. With hard, perfect pieces single cells do.
std::vector<Block> blocks_of(const Body &body, std::size_t axis, const Measure &measure) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::vector<std::array<std::int32_t, 3>> cells; // layer, u, v
    for (const Cell &cell : body.cells) {
        const Shift at = place_of(cell);
        cells.push_back({at[axis], at[u], at[v]});
    }
    std::sort(cells.begin(), cells.end());
    const auto has = [&](std::int32_t layer, std::int32_t x, std::int32_t y) {
        return std::binary_search(cells.begin(), cells.end(), std::array{layer, x, y});
    };
    std::vector<Block> blocks;
    const auto parts = static_cast<std::int32_t>(measure.parts);
    for (const auto &[w, x, y] : cells) {
        const Block single{parts * w, parts * x, parts * y, 0, 0};
        const auto add = [&](std::int32_t wide, std::int32_t high) {
            blocks.push_back({single.layer, single.u, single.v, wide, high});
        };
        if (measure.tolerance == 0) {
            add(0, 0);
            continue;
        }
        const bool right = has(w, x + 1, y), up = has(w, x, y + 1);
        const bool square = right && up && has(w, x + 1, y + 1);
        const auto full = [&](std::int32_t i, std::int32_t j) { // a square with this low corner
            return has(w, i, j) && has(w, i + 1, j) && has(w, i, j + 1) && has(w, i + 1, j + 1);
        };
        if (square)
            add(1, 1);
        if (right && !square && !full(x, y - 1))
            add(1, 0);
        if (up && !square && !full(x - 1, y))
            add(0, 1);
        if (!right && !up && !has(w, x - 1, y) && !has(w, x, y - 1))
            add(0, 0);
    }
    return blocks;
}

// Whether an oblong that makes so many quarter turns counter-clockwise hits another.
bool hits(Oblong turns, const Oblong &stays, std::size_t quarters) {
    const auto length = [](std::int64_t x, std::int64_t y) {
        return std::sqrt(static_cast<double>(x * x + y * y));
    };
    // How near the centres come to each other, if they pass. Floating point, with room to spare:
    // most often that is too much ever to meet, or too little not to.
    const double near = std::abs(length(turns.x, turns.y) - length(stays.x, stays.y));
    if (near > length(turns.wide, turns.high) + length(stays.wide, stays.high) + 1)
        return false;
    const bool meet_if_pass = near + 1 < static_cast<double>(std::min(turns.wide, turns.high) +
                                                             std::min(stays.wide, stays.high));
    for (; quarters > 0; --quarters) {
        const bool pass = turns.x * stays.x + turns.y * stays.y >= 0 &&
                          turns.x * stays.y - turns.y * stays.x >= 0;
        if ((meet_if_pass && pass) || overlap(turns, stays))
            return true;
        turns = quarter_of(turns);
    }
    return false;
}

// Pivots about which a block hits another, from the low corner of the first: bit 0 of row 0 is the
// pivot at -from on both axes. Made when first asked for. Blocks know no puzzle, so what was found
// out about them is kept, and shared by all threads.
template <class Row> class BlockMaps {
  public:
    static constexpr std::int32_t bits = 4 * Turns<Row>::bits, from = bits / 2 - 1;
    using Map = std::array<std::array<std::uint64_t, bits / 64 + 1>, bits>; // last words stay 0

    static BlockMaps &with(const Measure &measure) {
        static Mutex mutex;
        static std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<BlockMaps>> all;
        const std::lock_guard lock(mutex);
        auto &maps = all[{measure.parts, measure.tolerance}];
        if (!maps)
            maps.reset(new BlockMaps(measure));
        return *maps;
    }

    ~BlockMaps() {
        for (const auto &map : maps_)
            delete map.load();
    }

    // The second block is displaced by (u, v) units.
    const Map &between(const Block &turns, const Block &stays, std::int32_t u, std::int32_t v,
                       std::size_t quarters) {
        KUMITATE_EXPECT(std::abs(u) <= most && std::abs(v) <= most, "pieces are within their box");
        const std::size_t kinds = turns.kind() * 4 + stays.kind();
        std::atomic<const Map *> &slot = maps_[((kinds * most_quarters + quarters - 1) * across +
                                                static_cast<std::size_t>(u + most)) *
                                                   across +
                                               static_cast<std::size_t>(v + most)];
        const Map *known = slot.load(std::memory_order_acquire);
        if (known)
            return *known;
        auto fresh = std::make_unique<const Map>(
            make({0, 0, 0, turns.wide, turns.high}, {0, u, v, stays.wide, stays.high}, quarters));
        if (slot.compare_exchange_strong(known, fresh.get()))
            known = fresh.release();
        return *known;
    }

  private:
    static constexpr std::int32_t most = Turns<Row>::most_side; // units from block to block
    static constexpr std::int32_t reach = 2 * most;             // half units to a pivot
    static constexpr std::size_t across = 2 * most + 1;
    const Measure measure_;
    std::vector<std::atomic<const Map *>> maps_; // by kinds, quarters and displacement

    explicit BlockMaps(const Measure &measure)
        : measure_(measure), maps_(16 * most_quarters * across * across) {}

    Map make(const Block &turns, const Block &stays, std::size_t quarters) const {
        Map map{};
        for (std::int32_t v = -reach; v <= reach; ++v)
            for (std::int32_t u = -reach; u <= reach; ++u)
                if (hits(measure_.oblong(turns, u, v), measure_.oblong(stays, u, v), quarters)) {
                    const auto row = static_cast<std::size_t>(v + from),
                               bit = static_cast<std::size_t>(u + from);
                    map[row][bit / 64] |= std::uint64_t{1} << bit % 64;
                }
        return map;
    }
};

} // namespace

template <class Row> struct Turns<Row>::Tables {
    static constexpr std::int32_t body_from = bits - 1; // the pivot at -this is bit 0 of row 0
    using Maps = BlockMaps<Row>;

    struct Slot {
        static constexpr std::uint64_t nowhere = std::uint64_t{1} << 63;
        std::uint64_t offset = nowhere;
        std::uint32_t pair = 0, couple = none;

        bool free() const { return offset == nowhere; }
        std::uint64_t hash() const { return Gaps::hash_of(pair, offset); }
    };

    const Bodies &bodies;
    const Measure measure;
    Maps &of_blocks;
    std::vector<std::array<std::vector<Block>, 3>> blocks{}; // by body and axis
    Table<Slot> numbers{};
    std::deque<Couple> couples{};

    Tables(const Bodies &bodies, std::int32_t tolerance)
        : bodies(bodies), measure{bodies.sweeps.parts, tolerance}, of_blocks(Maps::with(measure)) {}

    // To first order, pieces that are hard and perfect begin to turn as no face moves into one that
    // it touches. At (a, b) from the pivot, a point moves along (-b, a): a face that touches
    // another in direction u must be above the pivot, one that touches in direction v left of it.
    void touch(Couple &it) {
        constexpr std::int32_t far = 1 << 20;
        const auto parts = static_cast<std::int32_t>(measure.parts);
        const Body &mine = bodies.all[it.turns], &other = bodies.all[it.stays];
        it.windows.fill({-far, far, -far, far});
        for (std::size_t way = 0; way < 3; ++way) {
            const std::size_t next = (way + 1) % 3, last = (way + 2) % 3;
            if (it.offset[way] % parts != 0)
                continue;
            for (const Cell &c : mine.cells)
                for (const std::int32_t side : {1, -1}) {
                    // Cells of the other that share some of this face.
                    const Shift from = parts * place_of(c) - it.offset;
                    for (std::int32_t i = floor(from[next], parts); parts * i < from[next] + parts;
                         ++i)
                        for (std::int32_t j = floor(from[last], parts);
                             parts * j < from[last] + parts; ++j) {
                            std::array<std::int32_t, 3> cell;
                            cell[way] = from[way] / parts + side;
                            cell[next] = i;
                            cell[last] = j;
                            if (!std::binary_search(other.cells.begin(), other.cells.end(),
                                                    Cell{cell[0], cell[1], cell[2], c.tile}))
                                continue;
                            // The part of it, from the low corner of the first, in half units.
                            const auto shared = [&](std::size_t k) {
                                const std::int32_t a = parts * place_of(c)[k],
                                                   b = parts * cell[k] + it.offset[k];
                                return std::pair{2 * std::max(a, b), 2 * (std::min(a, b) + parts)};
                            };
                            const auto [low_next, high_next] = shared(next);
                            const auto [low_last, high_last] = shared(last);
                            Window &first = it.windows[last];  // where `way` is u, and next v
                            Window &second = it.windows[next]; // where `way` is v, and last u
                            if (side > 0) {
                                first.top = std::min(first.top, low_next);
                                second.left = std::max(second.left, high_last);
                            } else {
                                first.bottom = std::max(first.bottom, high_next);
                                second.right = std::min(second.right, low_last);
                            }
                        }
                }
        }
    }

    static std::int32_t floor(std::int32_t a, std::int32_t b) {
        return a >= 0 ? a / b : -((b - 1 - a) / b);
    }

    const Map &map(Couple &it, std::size_t axis, std::size_t quarters) {
        auto &map = it.maps[axis * most_quarters + quarters - 1];
        if (!map)
            map = std::make_unique<const Map>(make(it, axis, quarters));
        return *map;
    }

    Map make(const Couple &it, std::size_t axis, std::size_t quarters) {
        blocks.resize(bodies.all.size());
        for (const std::uint32_t body : {it.turns, it.stays})
            if (blocks[body][axis].empty())
                blocks[body][axis] = blocks_of(bodies.all[body], axis, measure);
        Map map{};
        const std::int32_t du = it.offset[(axis + 1) % 3], dv = it.offset[(axis + 2) % 3];
        for (const Block &a : blocks[it.turns][axis])
            for (const Block &b : blocks[it.stays][axis])
                if (measure.share_a_layer(a.layer, b.layer + it.offset[axis]))
                    unite(map, of_blocks.between(a, b, b.u + du - a.u, b.v + dv - a.v, quarters),
                          a.u, a.v);
        return map;
    }

    // A block at (u, v) of a body: its pivots as pivots of the body.
    static void unite(Map &map, const typename Maps::Map &block, std::int32_t u, std::int32_t v) {
        const std::int32_t shift_u = Maps::from - body_from - 2 * u,
                           shift_v = Maps::from - body_from - 2 * v;
        KUMITATE_EXPECT(shift_u >= 0 && shift_v >= 0, "bodies are within their box");
        for (std::size_t y = 0; y < map.size(); ++y) {
            const auto &row = block[y + static_cast<std::size_t>(shift_v)];
            for (std::size_t half = 0; half < 2; ++half) {
                const auto from = static_cast<std::size_t>(shift_u) + half * bits;
                const unsigned bit = from % 64;
                std::uint64_t window = row[from / 64] >> bit;
                if (bit != 0)
                    window |= row[from / 64 + 1] << (64 - bit);
                map[y][half] |= static_cast<Row>(window);
            }
        }
    }
};

std::int32_t least_tolerance(const Bodies &bodies, std::span<const Standpoint> turning,
                             std::span<const Standpoint> staying, const Swing &swing,
                             std::int32_t most) {
    const std::size_t u = (swing.axis + 1) % 3, v = (swing.axis + 2) % 3;
    const auto quarters = static_cast<std::size_t>(std::abs(swing.quarters));
    const auto passes = [&](std::int32_t tolerance) {
        const Measure measure{bodies.sweeps.parts, tolerance};
        const auto oblongs_of = [&](std::span<const Standpoint> bodies_there) {
            std::vector<std::pair<std::int32_t, Oblong>> all; // with their layers
            for (const Standpoint &it : bodies_there)
                for (Block block : blocks_of(bodies.all[it.body], swing.axis, measure)) {
                    block.u += it.at[u];
                    block.v += it.at[v];
                    Oblong o = measure.oblong(block, swing.pivot[u], swing.pivot[v]);
                    if (swing.quarters < 0) // the same in a mirror
                        o.x = -o.x;
                    all.emplace_back(block.layer + it.at[swing.axis], o);
                }
            return all;
        };
        const auto others = oblongs_of(staying);
        for (const auto &[layer, moving] : oblongs_of(turning))
            for (const auto &[other, still] : others)
                if (measure.share_a_layer(layer, other) && hits(moving, still, quarters))
                    return false;
        return true;
    };
    std::int32_t too_little = -1;
    while (most - too_little > 1) {
        const std::int32_t middle = too_little + (most - too_little) / 2;
        (passes(middle) ? most : too_little) = middle;
    }
    return most;
}

template <class Row>
Turns<Row>::Turns(Bodies &bodies, std::int32_t tolerance)
    : tables_(std::make_unique<Tables>(bodies, tolerance)) {}

template <class Row> bool Turns<Row>::tidy(std::size_t most) {
    if (tables_->couples.size() <= most)
        return false;
    tables_->numbers.clear();
    tables_->couples.clear();
    return true;
}

template <class Row> Turns<Row>::~Turns() = default;
template <class Row> Turns<Row>::Turns(Turns &&) noexcept = default;

template <class Row>
typename Turns<Row>::Couple &Turns<Row>::couple(std::uint32_t turns, std::uint32_t stays,
                                                Shift offset) {
    typename Tables::Slot fresh{Pairs::offset(offset), Pairs::pair(turns, stays), none};
    const auto [slot, is_new] = tables_->numbers.add(fresh, [&](const typename Tables::Slot &it) {
        return it.offset == fresh.offset && it.pair == fresh.pair;
    });
    if (is_new) {
        slot->couple = to_32_bits(tables_->couples.size(), "pairs of pieces that turn");
        tables_->couples.push_back({turns, stays, offset, {}, {}});
        if (tables_->measure.tolerance == 0)
            tables_->touch(tables_->couples.back());
    }
    return tables_->couples[slot->couple];
}

template <class Row>
void Turns<Row>::fill(Couple &couple, std::size_t axis, std::size_t quarters, Shift from,
                      std::size_t rows, World &blocked) {
    const auto &map = tables_->map(couple, axis, quarters);
    const std::int32_t u = Tables::body_from - 2 * from[(axis + 1) % 3],
                       v = Tables::body_from - 2 * from[(axis + 2) % 3];
    KUMITATE_EXPECT(u >= 0 && v >= 0 && u < bits && v < bits, "pieces are within their box");
    // A shift by all bits would be none at all, so the second one is in two steps.
    const auto *const first = &map[static_cast<std::size_t>(v)];
    for (std::size_t y = 0; y < rows; ++y)
        blocked[y] = static_cast<Row>(first[y][0] >> u | first[y][1] << (bits - 1 - u) << 1);
}

template <class Row>
void Turns<Row>::fill_outside(const Window &window, std::size_t rows, World &blocked) {
    constexpr Row all = static_cast<Row>(~Row{0});
    std::fill_n(blocked.begin(), rows, all);
    if (window.empty())
        return;
    const auto top = std::min(static_cast<std::size_t>(window.top) + 1, rows);
    for (auto y = static_cast<std::size_t>(window.bottom); y < top; ++y)
        blocked[y] = static_cast<Row>(~((all << window.left) & (all >> (bits - 1 - window.right))));
}

template <class Row> std::size_t Turns<Row>::rows(Shift sides, std::size_t axis) {
    constexpr std::size_t together = 4;
    const auto rows = 2 * static_cast<std::size_t>(sides[(axis + 2) % 3]) + 1;
    return (rows + together - 1) / together * together;
}

template <class Row>
void Turns<Row>::lattice(Shift sides, std::size_t axis, std::size_t quarters, World &pivots) {
    const std::int32_t wide = 2 * sides[(axis + 1) % 3], high = 2 * sides[(axis + 2) % 3];
    KUMITATE_EXPECT(wide < bits && high < bits, "a box is small enough for its pivots");
    const Row row = static_cast<Row>((Row{2} << wide) - 1);
    const Row even = static_cast<Row>(row & static_cast<Row>(0x5555555555555555u));
    for (std::int32_t y = 0; y < bits; ++y)
        pivots[static_cast<std::size_t>(y)] = y > high        ? Row{0}
                                              : quarters == 2 ? row
                                              : y % 2 == 0    ? even
                                                              : static_cast<Row>(row & ~even);
}

template class Turns<std::uint32_t>;
template class Turns<std::uint64_t>;

} // namespace kumitate
