// What becomes of a six-piece burr after its first separation: whether it comes apart completely,
// by how many moves, and which sticks never part.
//
// Moves can be undone, and what can be taken out of some sticks can be taken out of fewer. So
// whether some sticks ever part does not depend on where they stand, nor on what was taken away
// before: the sticks that never part are a fact about a burr, and are asked for at home.
//
// Each separation is one of the nearest, by the fewest moves. There may be several of these; the
// moves in all are the fewest that any choice leads to. A separation takes a move at least, so the
// first way found is often known to be the best.
//
// The same few sticks, standing in the same way, are met again in millions of burrs: what became of
// them is kept in a table, where later ones replace earlier ones.
#pragma once

#include "burr6_moves.hpp"

namespace kumitate {

// The moves in all, fewer than this; or which sticks never part: this, and for each set of them 1
// if it has two sticks, 4 for three, 16 for four, 32 for five.
inline constexpr std::uint8_t never = 64;
inline constexpr std::size_t outcomes = 128;

class CompleteSearch {
  public:
    explicit CompleteSearch(MoveSearch &moves) : moves_(moves), memo_(slots) {}

    struct Result {
        std::uint8_t ending, outcome; // the latter only of burrs that come apart
    };
    Result take_apart(const std::array<const Stick *, six> &sticks, const Hold &a, const Hold &b);

  private:
    static constexpr std::size_t slots = std::size_t{1} << 17;
    static constexpr std::uint8_t unknown = 255;
    struct Key { // sticks, and where they stand
        std::uint64_t numbers = ~std::uint64_t{0}, where = 0;
        friend bool operator==(const Key &, const Key &) = default;
    };
    struct Memo {
        Key key;
        std::uint8_t value = 0;
    };
    using Totals = std::array<std::uint8_t, 64>; // of the parts of a state

    MoveSearch &moves_;
    std::vector<Memo> memo_;
    std::array<const Stick *, six> sticks_{};
    SlideState home_;
    bool in_use_ = false; // whether the search knows the sticks at hand
    bool vast_ = false;   // whether any search was

    std::uint64_t numbers_of(unsigned part) const;
    Memo &memo(const Key &key);
    std::uint8_t search(unsigned part, const SlideState &from, const Exit &exit);
    Result result(std::uint8_t ending, std::uint8_t stay, std::uint8_t least) const;
    std::uint8_t split(std::uint64_t exits, unsigned part, const Grip &grip);
    std::uint8_t clumps(unsigned part, const Grip &grip);
    std::uint8_t total(unsigned part, const SlideState &state);
    std::uint8_t total(unsigned part, const SlideState &state, const Grip &grip, Totals &known);
};

} // namespace kumitate
