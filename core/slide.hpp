// How one piece slides against another: how many units it goes along a step before the two meet.
//
// A body is a piece in one orientation, as bits; so is what it sweeps through on its way along one
// unit of a step. Two questions are answered for two bodies and the offset between them: which
// steps are blocked at once, and how far each of them leads. Answers are kept, so that all
// assemblies of a problem share them; the second, which costs more, is computed when it is first
// needed.
//
//     Bitmap   row (y, z)   | x0: tile 0 1 2 | x1: tile 0 1 2 | ...      bits, low ones first
//
// This file knows no grid and no geometry: what a tile sweeps through is a table.
#pragma once

#include "hash.hpp"
#include "placements.hpp"

namespace kumitate {

// Pieces are so large, or so far apart, that the numbers do not fit.
struct Vast {};

// Coordinates and shifts beyond this are refused as vast: turned, and multiplied by parts, they
// would not be numbers of 32 bits any more.
inline constexpr std::int32_t farthest = 1 << 24;
inline void require_near(Shift at) {
    if (!within(at, {farthest, farthest, farthest}) ||
        !within({-farthest, -farthest, -farthest}, at))
        throw Vast{};
}

// A gap: the two never meet. Those of a byte leave its top bit alone, and are at most 126.
template <class Gap> inline constexpr Gap forever = sizeof(Gap) == 1 ? Gap{127} : Gap(~Gap{0});

struct Bitmap {
    Shift low{};
    std::int32_t length = 0, width = 0, height = 0; // in x, y and z
    std::size_t words = 0;                          // in a row
    std::vector<std::uint64_t> bits;
};

// Positions are whole numbers of parts of a lattice vector. For each residue of a position (there
// are parts^3, x first) and each step, what a tile passes through on one unit.
struct Sweeps {
    std::uint32_t tiles = 1;
    std::int32_t parts = 1;
    std::vector<Shift> steps; // one of each pair of opposites
    // by residue, step and tile: cells, relative to the lattice point below the position
    std::vector<std::vector<Cell>> swept;
};

// Cells of one row as bits, from that of some tile on, counted from the first tile at x = 0.
struct Strip {
    std::int64_t from;
    std::int32_t y, z;
    std::uint64_t bits;
};

// Some cells, and the box around them.
struct Strips {
    Box box;
    std::vector<Strip> strips;
};

struct Body {
    std::vector<Cell> cells; // from the origin
    Shift sides;             // of its box, in cells
    // Made when asked for: its cells, and by residue and step what it sweeps through.
    Bitmap solid;
    std::vector<Bitmap> swept;
};

// The bodies of a problem.
class Bodies {
  public:
    explicit Bodies(Sweeps sweeps);

    // The number of the body with these cells (65,536 at most), and where it lies on them.
    std::pair<std::uint32_t, Shift> add(std::span<const Cell> cells);

    const Bitmap &solid(std::uint32_t body);
    const Bitmap &swept(std::uint32_t body, std::size_t residue, std::size_t step);

    Sweeps sweeps;
    std::vector<Body> all;

  private:
    std::vector<Strips> strips_; // what is swept
    Numbers numbers_;
};

// A piece of an assembly.
struct Placed {
    std::uint32_t body;
    Shift at; // in parts of lattice vectors
    std::int32_t weight;
    std::uint32_t piece; // of the problem
};

inline Shift place_of(const Placed &placed) {
    return placed.at;
}

// What is known of two bodies, the first of which stands at some offset from the second. The bits
// of `now` and `ever`: at s the first body is blocked along step s, at steps + s the second one.
struct Gaps {
    static constexpr std::uint64_t nowhere = std::uint64_t{1} << 63; // offsets stay far below
    std::uint64_t offset = nowhere;                                  // packed
    std::uint64_t now = 0, ever = 0;
    std::uint32_t pair = 0;  // the two bodies, packed
    std::uint32_t at = none; // where the gaps are, in the order of the bits, once asked for

    bool free() const { return offset == nowhere; }
    std::uint64_t hash() const { return hash_of(pair, offset); }
    static std::uint64_t hash_of(std::uint32_t pair, std::uint64_t offset) {
        return mix(no_words * pair, offset);
    }
};

// How far a body that stands at an offset from another can slide along a step, or back: as far as
// the other can slide along it.
std::uint16_t gap(Bodies &bodies, std::uint32_t mover, std::uint32_t other, Shift offset,
                  std::size_t step, bool back);

// All that was asked about pairs so far; not to be shared between threads.
//
// On cubes a piece sweeps through nothing but where it stands before a unit and after it. So all
// answers about two bodies are in one bitmap: of the offsets at which they clash, having a cell in
// common. It is made once their answers have cost as much.
class Pairs {
  public:
    explicit Pairs(Bodies &bodies);

    static std::uint32_t pair(std::uint32_t a, std::uint32_t b) {
        KUMITATE_EXPECT(a <= 0xffff && b <= 0xffff, "bodies of a pair have numbers of 16 bits");
        return a << 16 | b;
    }
    static std::uint64_t offset(Shift s) {
        return static_cast<std::uint64_t>(s.x) + (static_cast<std::uint64_t>(s.y) << 21) +
               (static_cast<std::uint64_t>(s.z) << 42);
    }
    static Shift shift_of(std::uint64_t offset) {
        constexpr std::uint64_t half = std::uint64_t{1} << 20, mask = (std::uint64_t{1} << 21) - 1;
        offset += half | half << 21 | half << 42;
        return {static_cast<std::int32_t>(offset & mask) - static_cast<std::int32_t>(half),
                static_cast<std::int32_t>(offset >> 21 & mask) - static_cast<std::int32_t>(half),
                static_cast<std::int32_t>(offset >> 42 & mask) - static_cast<std::int32_t>(half)};
    }

    // What is known of a pair at an offset; `now` always is. Good until the next call.
    [[gnu::always_inline]] const Gaps &find(std::uint32_t pair, std::uint64_t offset) {
        const Gaps *known = table_.find(Gaps::hash_of(pair, offset), [&](const Gaps &it) {
            return it.offset == offset && it.pair == pair;
        });
        return known ? *known : add(pair, offset);
    }

    // The same, with `ever` and the gaps.
    [[gnu::always_inline]] const Gaps &measure(std::uint32_t pair, std::uint64_t offset) {
        const Gaps &it = find(pair, offset);
        return it.at == none ? measured(it) : it;
    }

    // The gaps of a pair that was measured.
    template <class Gap> const Gap *gaps(const Gaps &pair) const {
        if constexpr (sizeof(Gap) == 1)
            return &small_[pair.at];
        else
            return &gaps_[pair.at];
    }

    const std::vector<Shift> &steps() const { return bodies.sweeps.steps; }
    std::size_t size() const { return table_.size(); } // how many are known

    Bodies &bodies;

  private:
    Table<Gaps> table_;
    std::vector<std::uint16_t> gaps_;
    std::vector<std::uint8_t> small_; // the same, as bytes

    struct Clashes {
        std::uint32_t pair;
        std::size_t asked; // before the bitmap was made
        Bitmap at;
    };
    const bool clashes_tell_; // all
    std::vector<Clashes> clashes_;
    Numbers clash_numbers_; // of those
    std::size_t clash_words_ = 0;

    // Null if they are not worth making, or not yet.
    const Bitmap *clashes(std::uint32_t pair);
    Gaps &add(std::uint32_t pair, std::uint64_t offset);
    void measure(Gaps &gaps);
    const Gaps &measured(const Gaps &gaps);
};

} // namespace kumitate
