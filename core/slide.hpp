// How one piece slides against another: how many units it goes along a step before the two meet.
//
// A body is a piece in one orientation, as bits; so is what it sweeps through on its way along one
// unit of a step. Two questions are answered for two bodies and the offset between them: which
// steps are blocked at once, and how far each of them leads. Answers are kept for good, so that all
// assemblies of a problem share them; the second, costlier one is put off until it is asked.
//
//     Bitmap   row (y, z)   | x0: tile 0 1 2 | x1: tile 0 1 2 | ...      bits, low ones first
//
// Grids and geometry are nobody's business here: what a tile sweeps through is a table.
#pragma once

#include "placements.hpp"

#include <memory>
#include <unordered_map>

namespace kumitate {

// Pieces are too large, or too far apart, to be told apart by the numbers there is room for.
struct Vast {};

// Coordinates and shifts beyond this are refused as vast: turned, and multiplied by parts, they
// would not be numbers of 32 bits any more.
inline constexpr std::int32_t farthest = 1 << 24;

inline constexpr std::uint16_t forever = 0xffff; // a gap: the two never meet

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

struct Body {
    std::vector<Cell> cells; // from the origin
    Bitmap solid;
    std::vector<Bitmap> swept; // by residue and step, made when asked for
};

// The bodies of a problem.
class Bodies {
  public:
    explicit Bodies(Sweeps sweeps) : sweeps(std::move(sweeps)) {}

    // The number of the body with these cells (65,536 at most), and where it lies on them.
    std::pair<std::uint32_t, Shift> add(std::span<const Cell> cells);

    const Bitmap &swept(std::uint32_t body, std::size_t residue, std::size_t step);

    Sweeps sweeps;
    std::vector<Body> all;

  private:
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;
};

// What is known of two bodies, the first of which stands at some offset from the second. The bits
// of `now` and `ever`: at s the first body is blocked along step s, at steps + s the second one.
struct Gaps {
    std::uint64_t offset; // packed
    std::uint64_t now, ever;
    std::uint32_t pair; // the two bodies, packed
    std::uint32_t at;   // where the gaps are, in the order of the bits; `unknown` until asked for
};

// How far a body can slide that stands at an offset from another.
std::uint16_t gap(Bodies &bodies, std::uint32_t mover, std::uint32_t other, Shift offset,
                  std::size_t step);

// All that was asked about pairs so far, by open addressing; not to be shared between threads.
class Pairs {
  public:
    explicit Pairs(Bodies &bodies) : bodies(bodies) {}

    static std::uint32_t pair(std::uint32_t a, std::uint32_t b) { return a << 16 | b; }
    static std::uint64_t offset(Shift s) {
        return static_cast<std::uint64_t>(s.x) + (static_cast<std::uint64_t>(s.y) << 21) +
               (static_cast<std::uint64_t>(s.z) << 42);
    }

    // What is known of a pair at an offset; `now` always is. Good until the next call.
    const Gaps &find(std::uint32_t pair, std::uint64_t offset) {
        std::size_t slot = slot_of(pair, offset);
        for (; slots_[slot].offset != offset || slots_[slot].pair != pair;
             slot = (slot + 1) & (slots_.size() - 1))
            if (slots_[slot].offset == nowhere)
                return add(pair, offset, slot);
        return slots_[slot];
    }

    // The same, with `ever` and the gaps.
    const Gaps &measure(std::uint32_t pair, std::uint64_t offset);

    static constexpr std::uint32_t unknown = 0xffffffff;
    std::vector<std::uint16_t> gaps;
    Bodies &bodies;

  private:
    static constexpr std::uint64_t nowhere = std::uint64_t{1} << 63; // offsets stay far below
    std::vector<Gaps> slots_ = std::vector<Gaps>(256, {nowhere, 0, 0, 0, unknown}); // half full
    std::size_t used_ = 0;
    unsigned shift_ = 56;

    std::size_t slot_of(std::uint32_t pair, std::uint64_t offset) const {
        return static_cast<std::size_t>(
            (offset ^ pair * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u >> shift_);
    }
    const Gaps &add(std::uint32_t pair, std::uint64_t offset, std::size_t slot);
    void measure(Gaps &gaps);
};

} // namespace kumitate
