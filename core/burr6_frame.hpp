// The frame of a six-piece burr: six places, the sticks that can lie there, and what the symmetries
// of the frame make of them.
//
// A stick is home at place 0. Beside it lies one that it does not meet, and a third of a full turn
// takes both to the next axis: places 0 and 1, 2 and 3, 4 and 5 lie along one axis each. Pairs of
// sticks at places 0 and 1 that a symmetry makes into each other are of one class.
#pragma once

#include "burr6_moves.hpp"

namespace kumitate {

using FrameCell = std::uint8_t; // (x * 6 + y) * 6 + z

struct StickSet {
    std::vector<FrameCell> home;      // the cells of a whole stick, at one of the places
    std::vector<FrameCell> loose;     // those of them that a stick may lack
    std::vector<std::uint16_t> kinds; // a bit for each loose cell that it has, heavy ones first
    std::vector<std::vector<FrameCell>> turns; // the symmetries of the frame: where cells go
    std::size_t rotations;                     // so many of them come first, reflections follow
    int length = side;                         // of the sticks, whose ends go on as they are
};

using Kinds = std::array<std::uint16_t, six>; // of the stick at each place, its loose cells

using SixNumbers = std::array<std::uint32_t, six>; // of the kinds at each place

inline constexpr std::size_t frame_cells = side * side * side;

struct Candidate {
    std::uint32_t cells, number, from; // in the list that was narrowed
};

// What a turn of the frame does to sticks.
struct FrameTurn {
    std::array<std::uint8_t, six> to;                 // where each place goes
    std::array<std::vector<std::uint16_t>, six> kind; // by place and number
    bool reflects;

    SixNumbers operator()(const SixNumbers &numbers) const {
        SixNumbers turned;
        for (std::size_t i = 0; i < six; ++i)
            turned[to[i]] = kind[i][numbers[i]];
        return turned;
    }
};

struct BurrFrame {
    std::size_t n; // kinds
    bool solid, reflects;
    int length;
    std::vector<std::uint16_t> masks;                // of the kinds
    std::vector<std::vector<std::uint16_t>> lighter; // by number: those that lack one more cell
    std::array<std::size_t, six> places;
    std::array<Box, six> boxes;
    std::array<std::vector<Stick>, six> sticks;   // kind 7 of place 2 is that of place 0, turned
    std::array<std::vector<Candidate>, six> all;  // of them
    std::array<std::uint32_t, frame_cells> bit{}; // of the cells that places share
    std::array<std::uint32_t, six> region{};      // those of each place
    std::vector<FrameTurn> turns;
    std::vector<std::uint32_t> classes; // by two numbers: those of the first pair of the class
    std::vector<std::uint32_t> tasks;

    // Throws invalid_argument unless the turns are a group under which the sticks are closed.
    BurrFrame(const StickSet &set, bool is_solid);

    std::uint32_t meeting(std::size_t i, std::size_t j) const { return region[i] & region[j]; }
    bool stands_for_its_class(const SixNumbers &numbers, bool &mirrored) const;
    Kinds kinds_of(const SixNumbers &numbers) const {
        Kinds kinds;
        for (std::size_t i = 0; i < six; ++i)
            kinds[i] = masks[numbers[i]];
        return kinds;
    }

  private:
    void lay_out(const StickSet &set);
    Stick stick_at(const StickSet &set, std::size_t place, std::uint16_t mask) const;
    void turn_sticks(const StickSet &set);
    void classify();
};

} // namespace kumitate
