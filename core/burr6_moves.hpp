// How six sticks hold each other, and after how many moves the first of them come free.
//
// All 64 sets of sticks are tested at once for what can move, a bit for each. That stick i cannot
// go up along an axis without stick j rules out the sets that have i but not j: a word, the same in
// every assembly. The sets that are left when the words of all pairs are joined can go up; those
// that can go down are their complements.
//
// How two sticks touch depends only on how far one is from the other, which is hardly ever more
// than two cells. So it is looked up, in small tables that are filled as they are asked, and a
// state takes it over from the state before for all pairs that the move did not part.
//
// Sticks can be longer than the frame is wide: both ends go on as they are, so a longer stick has
// the columns of a short one, and those of its ends more often.
#pragma once

#include "box.hpp"

#include <vector>

namespace kumitate {

inline constexpr std::size_t six = 6;
inline constexpr int side = 6;     // cells of the frame along each axis
inline constexpr int longest = 12; // cells of a stick

struct Stick {
    std::uint32_t number;
    std::uint32_t cells;                 // of those that other sticks may have instead
    std::uint8_t column[3][side * side]; // all its cells along each axis, by the next two axes
};

// The cells of sticks that go on at both ends, beyond the frame.
struct Arms {
    int arm; // so many cells

    explicit Arms(int length) : arm((length - side) / 2) {}
    static bool lies_along(const Box &box, std::size_t axis) {
        return box.high[axis] - box.low[axis] == side - 1;
    }
    int low(const Box &box, std::size_t axis) const {
        return box.low[axis] - (lies_along(box, axis) ? arm : 0);
    }
    int high(const Box &box, std::size_t axis) const {
        return box.high[axis] + (lies_along(box, axis) ? arm : 0);
    }
    // Where the column is that goes on there.
    static std::size_t column(int x, int y) {
        return static_cast<std::size_t>(side * std::clamp(x, 0, side - 1) +
                                        std::clamp(y, 0, side - 1));
    }
    // A column of six cells, with those of the arms; the first is that of the low arm.
    unsigned longer(unsigned column, bool along) const {
        const unsigned ends = (1u << arm) - 1;
        return column << arm | (along && column & 1 ? ends : 0) |
               (along && column >> (side - 1) ? ends << (arm + side) : 0);
    }
};

struct Pair {
    std::uint8_t i, j;
};
inline constexpr std::array<Pair, 15> pairs = [] {
    std::array<Pair, 15> all{};
    for (std::uint8_t j = 1, p = 0; j < six; ++j)
        for (std::uint8_t i = 0; i < j; ++i)
            all[p++] = {i, j};
    return all;
}();

// The sets that have i but not j, a bit for each.
constexpr std::uint64_t sets_with(unsigned i, unsigned j) {
    std::uint64_t word = 0;
    for (unsigned set = 0; set < 64; ++set)
        if ((set >> i & 1) && !(set >> j & 1))
            word |= std::uint64_t{1} << set;
    return word;
}
inline constexpr std::uint64_t no_move = std::uint64_t{1} << 63 | 1; // all sticks, and none

// For each set of sticks, the pairs in it and the sets that are a part of it, a bit for each.
inline constexpr unsigned everything = 63;
struct Parts {
    std::uint16_t pairs_in[64]{};
    std::array<std::uint64_t, 2> bytes_in[64]{}; // a byte for each of these pairs
    std::uint64_t splits[64]{};                  // neither all nor none of it
    constexpr Parts() {
        for (unsigned part = 0; part < 64; ++part) {
            for (unsigned p = 0; p < pairs.size(); ++p)
                if (part >> pairs[p].i & part >> pairs[p].j & 1) {
                    pairs_in[part] = static_cast<std::uint16_t>(pairs_in[part] | 1 << p);
                    bytes_in[part][p / 8] |= std::uint64_t{0xff} << p % 8 * 8;
                }
            for (unsigned set = 1; set < part; ++set)
                if (!(set & ~part))
                    splits[part] |= std::uint64_t{1} << set;
        }
    }
};
inline constexpr Parts parts;

// Whether the first stick of a pair hits the second: bit 2 a if it goes down along axis a, bit 2 a
// + 1 if it goes up; 8 bits higher, whether it ever does.
using Touch = std::uint16_t;
using Touches = std::array<std::uint64_t, 2>; // one or the other byte, of each pair

// Where the sticks are, what of them can move, and how they touch.
struct SlideState {
    std::uint64_t where = 0x888888888888888u; // sticks 1 to 5, 4 bits each, by axis; 0 is at 8
    std::array<std::uint64_t, 3> movable{};   // sets that can go up along each axis
    Touches at_step{}, at_last{};

    int along(std::size_t axis, std::size_t i) const {
        return i == 0 ? 8 : static_cast<int>(where >> (20 * axis + 4 * (i - 1)) & 15);
    }
};

// Some pairs of an assembly, how they touch, and which sets cannot go up along each axis for that:
// not by one cell, or not for ever.
struct Hold {
    std::array<std::uint64_t, 3> step{}, ever{};
    Touches at_step{}, at_last{};

    Hold() = default;
    Hold(std::size_t pair, Touch touch);
    Hold &operator|=(const Hold &other) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            step[axis] |= other.step[axis];
            ever[axis] |= other.ever[axis];
        }
        for (std::size_t word = 0; word < 2; ++word) {
            at_step[word] |= other.at_step[word];
            at_last[word] |= other.at_last[word];
        }
        return *this;
    }
};

// What becomes of an assembly: it is rigid, some sticks come free after some moves, or it moves and
// none ever do. If turns are asked for, it is turning if none come free, but something can turn,
// and unclear if that is neither found nor ruled out (burr6_turns.hpp). Vast: a stick went farther
// than states can tell, or there were too many moves.
inline constexpr std::uint8_t rigid = 0, most_moves = 27, turning = 28, unclear = 29, stuck = 30,
                              vast = 31;
inline constexpr std::size_t endings = 32;

// What counts as one move, on the way to the first separation.
enum class LevelBy : std::uint8_t {
    move,  // some sticks go together, any number of cells
    axis,  // sticks go along an axis, each as far as it likes
    unit,  // some sticks go together, one cell, or away
    piece, // a single stick goes any number of cells
};

// The pairs that hold each other for ever, along each axis: the first hits the second if it goes
// down, or up.
struct Grip {
    std::array<std::uint16_t, 3> down, up;

    explicit Grip(const Touches &at_last);
    // The sets that can leave a part.
    std::uint64_t exits(unsigned part) const;
};

// Asked of a state in which some sticks can leave others, with the moves that this takes: whether
// it is enough. A function that outlives it.
class Exit {
  public:
    template <class Function>
    Exit(const Function &function)
        : function_(&function), call_([](const void *f, const SlideState &state, std::uint8_t m) {
              return (*static_cast<const Function *>(f))(state, m);
          }) {}
    bool operator()(const SlideState &state, std::uint8_t moves) const {
        return call_(function_, state, moves);
    }

  private:
    const void *function_;
    bool (*call_)(const void *, const SlideState &, std::uint8_t);
};

class MoveSearch {
  public:
    // The boxes in which the sticks lie, which must fit their columns; the length of the sticks.
    explicit MoveSearch(const std::array<Box, six> &boxes, int length = side);

    Hold hold(std::size_t pair, const Stick &a, const Stick &b) const {
        return {pair, touch(pair, a, b, {0, 0, 0})};
    }

    // The hold of the whole assembly comes in two parts.
    static bool anything_moves(const Hold &a, const Hold &b) {
        return anything_free(a.step, b.step, no_move);
    }
    std::uint8_t ending(const std::array<const Stick *, six> &sticks, const Hold &a, const Hold &b,
                        LevelBy by = LevelBy::move) {
        if (!anything_moves(a, b))
            return rigid;
        if (anything_free(a.ever, b.ever, unfit(by)))
            return 1;
        Hold whole = a;
        whole |= b;
        use(sticks);
        return ending(start(whole), by);
    }
    // If the hold is not known.
    std::uint8_t ending(const std::array<const Stick *, six> &sticks);

    // All states of a burr that has just turned out to be stuck.
    const std::vector<SlideState> &states() const { return walks_[six].states; }
    // How many cells two sticks got from each other along an axis in the last search.
    int farthest_apart() const { return farthest_apart_; }

    // The sticks that are searched from now on, and how they stand.
    void use(const std::array<const Stick *, six> &sticks);
    static SlideState start(const Hold &whole);

    // The moves of some sticks from a state, in which none can leave the others, to the nearest
    // states in which some can; or stuck, or vast. If asked, each of these states is passed on,
    // until one is answered with true. Fewer sticks may be searched meanwhile.
    std::uint8_t search(unsigned part, const SlideState &from, const Exit *exit = nullptr,
                        LevelBy by = LevelBy::move);

  private:
    // Of a pair, by the distance of the first stick from the second, two cells at most.
    struct Near {
        std::uint32_t first = ~std::uint32_t{0}, second = 0; // the numbers of the two
        std::array<Touch, 125> touch;
    };
    struct Crossing {
        std::uint8_t a, b;
        friend bool operator==(Crossing, Crossing) = default;
    };
    // The search of a part, one for each size.
    struct Walk {
        unsigned part = 0, anchor = 0; // the stick that stays
        std::vector<SlideState> states{};
        std::array<std::array<int, six>, 3> at{}; // of the state from which sets slide,
        std::array<int, six> spot{};              // as one number,
        std::array<bool, 3> far{};                // and whether that is too far for the tables
    };

    std::vector<std::uint32_t> hits_;                    // of two columns: where they overlap
    std::array<std::array<std::uint16_t, 3>, 15> table_; // of them, for a pair and axis
    std::vector<std::uint32_t> starts_;                  // by pair, axis and distance across it:
    std::vector<Crossing> crossings_;          // which columns come to lie upon each other
    std::array<std::vector<Near>, 15> tables_; // several of them for sticks that take turns
    std::array<Near *, 15> near_{};
    std::array<const Stick *, six> sticks_{};
    std::array<Walk, six + 1> walks_;
    int farthest_apart_ = 0;

    static bool anything_free(const std::array<std::uint64_t, 3> &a,
                              const std::array<std::uint64_t, 3> &b, std::uint64_t unfit) {
        return ~(((a[0] | b[0]) & (a[1] | b[1]) & (a[2] | b[2])) | unfit) != 0;
    }

    static std::uint64_t unfit(LevelBy by); // sets that do not go, or not by one move
    std::uint8_t ending(const SlideState &from, LevelBy by) {
        return by == LevelBy::axis ? search_axes(from) : search(everything, from, nullptr, by);
    }
    Touch touch(std::size_t pair, const Stick &a, const Stick &b,
                const std::array<int, 3> &distance) const;
    static void unpack(Walk &walk, const SlideState &state);
    enum class Slid { to_its_end, free, beyond };
    struct Search { // what one is for, and what it has found
        const Exit *exit;
        std::uint64_t unfit;
        std::uint8_t moves = 2;
        bool exits = false;
    };
    Slid slide(Walk &walk, std::size_t from, std::size_t axis, unsigned set, int most,
               Search &found);
    std::uint8_t search_axes(const SlideState &from);
};

} // namespace kumitate
