// How six sticks hold each other, and after how many moves the first of them come free.
//
// What can move is asked of all 64 sets of sticks at once, a bit for each. That stick i cannot go
// up along an axis without stick j rules out the sets that have i but not j: a word, the same in
// every assembly. The sets that are left when the words of all pairs are joined can go up; those
// that can go down are their complements.
//
// How two sticks touch depends only on how far one is from the other, which is hardly ever more
// than two cells. So it is looked up, in small tables that are filled as they are asked, and a
// state takes it over from the state before for all pairs that the move did not part.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace kumitate {

inline constexpr std::size_t six = 6;
inline constexpr int side = 6; // cells of the frame along each axis

struct Stick {
    std::uint32_t number;
    std::uint32_t cells;                 // of those that other sticks may have instead
    std::uint8_t column[3][side * side]; // all its cells along each axis, by the next two axes
};

struct Box {
    std::array<int, 3> low, high;
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

// Whether the first stick of a pair hits the second: bit 2 a if it goes down along axis a, bit 2 a
// + 1 if it goes up; 8 bits higher, whether it does so sooner or later.
using Touch = std::uint16_t;
using Touches = std::array<std::uint64_t, 2>; // one or the other byte, of each pair

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

// What becomes of an assembly: it is rigid, some sticks come free by so many moves, or it moves and
// none ever do. Vast: a stick went farther than states can tell, or there were too many moves.
inline constexpr std::uint8_t rigid = 0, most_moves = 29, stuck = 30, vast = 31;
inline constexpr std::size_t endings = 32;

class MoveSearch {
  public:
    // The boxes in which the sticks lie, which must fit their columns.
    explicit MoveSearch(const std::array<Box, six> &boxes);

    Hold hold(std::size_t pair, const Stick &a, const Stick &b) const {
        return {pair, touch(pair, a, b, {0, 0, 0})};
    }

    // The hold of the whole assembly comes in two parts.
    std::uint8_t ending(const std::array<const Stick *, six> &sticks, const Hold &a,
                        const Hold &b) {
        if (!anything_free(a.step, b.step))
            return rigid;
        if (anything_free(a.ever, b.ever))
            return 1;
        Hold whole = a;
        whole |= b;
        return search(sticks, whole);
    }

  private:
    // Of a pair, by the distance of the first stick from the second, two cells at most.
    struct Near {
        std::uint32_t first = ~std::uint32_t{0}, second = 0; // the numbers of the two
        std::array<Touch, 125> touch;
    };
    // Where the other sticks are, 4 bits each, by axis; stick 0 is at 8.
    using Where = std::uint64_t;
    struct Node {
        Where where;
        std::array<std::uint64_t, 3> movable; // sets that can go up along each axis
        Touches at_step, at_last;
    };
    struct Crossing {
        std::uint8_t a, b;
    };

    std::vector<std::uint16_t> starts_;        // by pair, axis and distance across it:
    std::vector<Crossing> crossings_;          // which columns come to lie upon each other
    std::array<std::vector<Near>, 15> tables_; // several of them for sticks that take turns
    std::array<Near *, 15> near_{};
    std::array<const Stick *, six> sticks_{};
    std::vector<Node> nodes_;
    std::array<std::array<int, six>, 3> at_; // of the state from which sets slide,
    std::array<int, six> spot_;              // as one number,
    std::array<bool, 3> far_;                // and whether that is too far for the tables

    static constexpr std::uint64_t no_move = std::uint64_t{1} << 63 | 1; // all sticks, and none

    static bool anything_free(const std::array<std::uint64_t, 3> &a,
                              const std::array<std::uint64_t, 3> &b) {
        return ~(((a[0] | b[0]) & (a[1] | b[1]) & (a[2] | b[2])) | no_move) != 0;
    }

    Touch touch(std::size_t pair, const Stick &a, const Stick &b,
                const std::array<int, 3> &distance) const;
    void use(std::size_t pair);
    void unpack(Where where);
    enum class Slid { to_its_end, free, beyond };
    Slid slide(std::size_t from, std::size_t axis, unsigned set);
    std::uint8_t search(const std::array<const Stick *, six> &sticks, const Hold &whole);
};

} // namespace kumitate
