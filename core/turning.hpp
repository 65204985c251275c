// How one piece turns against another: the axes about which it would hit the other on its way.
//
// A turn about an axis along the grid is a matter of the plane across it, layer by layer. There a
// piece is a union of oblongs, one or two cells a side, each smaller all around by the tolerance:
// that is what remains of the piece if its faces are set back by so much. With t = tan(angle / 2),
// two oblongs overlap while eight quadratics in t are positive, so integers decide whether they
// ever do (overlap).
//
// Places are in units: cells, or half cells if pieces may stop between cells. Pivots are in half
// units, so that a quarter turn leads from units to units where both coordinates are even or both
// odd. For two oblongs the decision depends on where the pivot lies: a bitmap over the pivots, kept
// for each displacement. For two bodies it is the union of those of their oblongs, and for sets of
// pieces the closure of a relation, as for slides (expander.hpp), for all pivots at once:
//
//     oblong against oblong     pivots from the low corner of the first, 4 x 4 words
//     body against body         pivots from the low corner of the first, 2 x 2 words
//     all pieces of a state     pivots from the low corner of their box, a word and as many rows
#pragma once

#include "slide.hpp"

#include <memory>

namespace kumitate {

// A rectangle in the plane: its centre, as seen from the pivot, and half its sides.
struct Oblong {
    std::int64_t x, y, wide, high;
};

inline Oblong quarter_of(Oblong o) { // counter-clockwise
    return {-o.y, o.x, o.high, o.wide};
}

// Whether the insides overlap at some time while the first makes a quarter turn counter-clockwise
// about the pivot, ends excluded. Numbers up to 2^18.
bool overlap(const Oblong &turns, const Oblong &stays);

inline constexpr std::int32_t finest_tolerance = 1000; // parts of a cell that tolerances count in

// Quarters of a turn about an axis, counter-clockwise as seen from its far end.
struct Swing {
    std::size_t axis = 0;
    std::int32_t quarters = 0;  // up to 3; clockwise if negative
    Shift pivot{};              // in half units; that along the axis is 0
    std::int32_t tolerance = 0; // the least it needs, in thousandths of a cell
    friend bool operator==(const Swing &, const Swing &) = default;
};
inline constexpr std::size_t most_quarters = 3;

// Pivots in a rectangle, ends included.
struct Window {
    std::int32_t left, right, bottom, top;
    bool empty() const { return left > right || bottom > top; }
};

// The least tolerance with which bodies can turn past others that stay; `most` is enough.
struct Standpoint {
    std::uint32_t body;
    Shift at; // of its low corner
};
std::int32_t least_tolerance(const Bodies &bodies, std::span<const Standpoint> turning,
                             std::span<const Standpoint> staying, const Swing &swing,
                             std::int32_t most);

// What is known of turns, for pieces within a box of less than half as many units as Row has bits.
template <class Row> class Turns {
  public:
    static constexpr std::int32_t bits = 8 * sizeof(Row);
    static constexpr std::int32_t most_side = bits / 2 - 1; // of a box, in units
    using World = std::array<Row, bits>; // from the low corner of the box around all pieces
    using Map = std::array<std::array<Row, 2>, 2 * bits>; // of a body, low bits first

    // A body that turns, and another that stays at an offset from it.
    struct Couple {
        std::uint32_t turns, stays;
        Shift offset;
        // By axis, for hard pieces: pivots, from the low corner of the first, outside which it
        // cannot begin to turn counter-clockwise.
        std::array<Window, 3> windows;
        std::array<std::unique_ptr<const Map>, 3 * most_quarters> maps; // by axis and quarters
    };

    Turns(Bodies &bodies, std::int32_t tolerance);
    ~Turns();
    Turns(Turns &&) noexcept;

    // Good until it is tidied up.
    Couple &couple(std::uint32_t turns, std::uint32_t stays, Shift offset);

    // Forget all couples if they are more than so many; whether it did.
    bool tidy(std::size_t most = (std::size_t{256} << 20) / (3 * sizeof(Map)));

    // Pivots about which the first cannot make so many quarter turns about an axis (0 to 2),
    // counter-clockwise as seen from its far end. It stands in a box, at `from` its low corner.
    // So many rows of `blocked` are filled.
    void fill(Couple &couple, std::size_t axis, std::size_t quarters, Shift from, std::size_t rows,
              World &blocked);

    static void fill_outside(const Window &window, std::size_t rows, World &blocked);

    // Rows that the pivots of a box have, and some more: they are worked on together.
    static std::size_t rows(Shift sides, std::size_t axis);

    // The rows and bits that lie in a box, of pivots that lead from units to units: for a half turn
    // all, else those in the middle of a unit and those in its corners.
    static void lattice(Shift sides, std::size_t axis, std::size_t quarters, World &pivots);

  private:
    struct Tables;
    std::unique_ptr<Tables> tables_;
};

extern template class Turns<std::uint32_t>;
extern template class Turns<std::uint64_t>;

} // namespace kumitate
