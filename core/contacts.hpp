// How pieces slide against each other while their cells change hands.
//
// For any two pieces, every offset between them and every direction there is a count: of how many
// cells of one stand in the way of cells of the other on the first unit. A cell that is given to
// another piece changes counts by one, some for each cell of the other pieces, so that hardly
// anything is computed anew. How far one goes before it meets the other is read from the counts
// along a line, and kept until one of the two pieces changes.
//
// To the searches it answers like `Pairs` (slide.hpp), the bodies being the pieces by number.
#pragma once

#include "slide.hpp"

namespace kumitate {

class Contacts {
  public:
    // Pieces use cells of the frame, by number, each those of its home. Positions are whole.
    Contacts(Sweeps sweeps, std::vector<Cell> frame,
             const std::vector<std::vector<std::uint32_t>> &homes);

    // The piece, or `none`, that a cell belongs to; and giving it to another. A piece gets cells of
    // its home only.
    std::uint32_t owner(std::uint32_t cell) const { return owners_[cell]; }
    const std::vector<std::uint32_t> &owners() const { return owners_; }
    void give(std::uint32_t cell, std::uint32_t piece);

    // What was asked since the last mark is kept apart from what was asked before; once cells are
    // given back as they were, `back` makes the latter good again.
    void mark();
    void back();

    // On the first unit, along a direction (a step, then its opposite): cells of the first piece
    // that stand in the way of the second, where they are assembled.
    std::uint32_t blocking(std::uint32_t mover, std::uint32_t other, std::size_t direction) const;

    const std::vector<Shift> &steps() const { return sweeps_.steps; }

    // As of Pairs.
    struct Known {
        std::uint64_t now = 0, ever = 0;
        std::uint32_t at = none;
        std::uint32_t age = 0; // of the pair, when it was asked
    };
    [[gnu::always_inline]] const Known &find(std::uint32_t pair, std::uint64_t offset) {
        const std::size_t p = number(pair >> 16, pair & 0xffff);
        const Two &two = twos_[p];
        const Shift at = Pairs::shift_of(offset) - two.low;
        if (!inside(two, at))
            return find_outside(p, offset);
        const std::size_t place = two.start + line(two, at);
        Known &known = known_[place];
        if (known.age != ages_[p])
            look(two, at, place, ages_[p]);
        return known;
    }
    [[gnu::always_inline]] const Known &measure(std::uint32_t pair, std::uint64_t offset) {
        return find(pair, offset);
    }
    template <class Gap> const Gap *gaps(const Known &known) const {
        static_assert(sizeof(Gap) == 1, "gaps are bytes");
        return reinterpret_cast<const Gap *>(gap_words_of(known));
    }

    // The gaps of a pair as this many words, to be compared.
    std::size_t gap_words() const { return gap_words_; }
    const std::uint64_t *gap_words_of(const Known &known) const { return &gaps_[known.at]; }

    // When a pair has last changed, and when anything has: the numbers grow, but for `mark`, which
    // may begin again, and `back`.
    std::uint32_t changed(std::uint32_t pair) const {
        return ages_[number(pair >> 16, pair & 0xffff)];
    }
    std::uint32_t newest() const { return newest_; }

  private:
    // Of two pieces, the first with the lower number: the offsets from the second to the first at
    // which cells may be in the way.
    struct Two {
        Shift low, sides;
        std::size_t start = 0;           // of its offsets
        std::vector<std::int32_t> lines; // by cell: where it lies in the box
        // by tiles of the first and the second: what to add to the place of a cell of the second
        // less that of one of the first, and then some direction's count is meant
        std::vector<std::vector<std::ptrdiff_t>> entries;
        std::vector<std::int32_t> strides; // by step
    };

    const Sweeps sweeps_;
    const std::vector<Cell> frame_;
    const std::size_t pieces_, ways_; // directions: steps of the first, then steps of the second
    const std::size_t gap_words_;
    std::vector<Two> twos_;
    std::vector<std::uint32_t> numbers_;         // by both pieces, of two
    std::vector<std::uint32_t> owners_;          // by cell
    std::vector<std::uint16_t> counts_;          // by offset and way
    std::vector<Known> known_;                   // by offset
    std::vector<std::uint64_t> gaps_;            // by offset and way; then for those outside
    std::vector<std::uint32_t> ages_, old_ages_; // by two
    std::uint32_t newest_ = 0;
    // Some of the offsets outside, by their hashes: what was asked last.
    static constexpr int outside_bits = 12;
    struct Outside {
        std::size_t two = none;
        std::uint64_t offset = 0;
        Known known;
    };
    std::vector<Outside> outside_;

    std::size_t number(std::size_t i, std::size_t j) const { return numbers_[i * pieces_ + j]; }
    static bool inside(const Two &two, Shift at) {
        return static_cast<std::uint32_t>(at.x) < static_cast<std::uint32_t>(two.sides.x) &&
               static_cast<std::uint32_t>(at.y) < static_cast<std::uint32_t>(two.sides.y) &&
               static_cast<std::uint32_t>(at.z) < static_cast<std::uint32_t>(two.sides.z);
    }
    static std::size_t line(const Two &two, Shift at) {
        return static_cast<std::size_t>(at.x + two.sides.x * (at.y + two.sides.y * at.z));
    }

    void count(std::uint32_t cell, std::uint32_t piece, std::uint16_t by);
    void age(std::uint32_t piece);
    void look(const Two &two, Shift at, std::size_t place, std::uint32_t age);
    const Known &find_outside(std::size_t two, std::uint64_t offset) {
        const std::uint64_t hash = Gaps::hash_of(static_cast<std::uint32_t>(two), offset);
        Outside &it = outside_[hash >> (64 - outside_bits)];
        if (it.two != two || it.offset != offset || it.known.age != ages_[two])
            look_from_outside(it, two, offset);
        return it.known;
    }
    void look_from_outside(Outside &it, std::size_t two, std::uint64_t offset);
    void note(Known &known, std::size_t way, std::uint32_t units);
};

} // namespace kumitate
