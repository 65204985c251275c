// Make a puzzle harder by changing a few cells at a time.
//
// Cells of a frame belong to pieces, or to none. A step gives a cell to a piece that touches it,
// empties it or fills it, sometimes several at once, and judges the puzzle that it makes. If this
// scores less than the last one kept, it is kept by chance: the more it loses, the less likely. Of
// puzzles a little easier than the best there are so many that a climb that kept them all would
// spend its time among them. And what scores much less than the best is never kept, so a climb
// crosses plains and valleys, but does not wander off.
//
// A puzzle that comes apart scores the moves to its first separation, and a bit for all moves. What
// does not come apart scores below zero: the fewer pieces are left in the part that is stuck the
// better, then the more states that part has, or if nothing moves, the fewer cells hold it.
#pragma once

#include "contacts.hpp"
#include "random.hpp"

#include <memory>

namespace kumitate {

// Where pieces may be: cells that touch each other, and each piece's home.
struct Frame {
    std::vector<Cell> cells;
    std::vector<std::vector<std::uint32_t>> neighbours; // by cell
    std::vector<std::uint8_t> may_be_empty;             // by cell
    std::vector<std::vector<std::uint32_t>> homes;      // by piece: cells
    std::vector<std::uint8_t> kept;                     // by piece: it never changes
};

struct Range {
    std::uint64_t least, most;
};

struct Terms {
    Range holes, sizes;       // of each piece
    double slack;             // below the best: what scores still less is never kept
    double temperature;       // a loss of so much is kept once in e times; 0: always
    double later;             // of the score, for each of all moves
    std::uint64_t max_states; // in a puzzle; those with more are skipped
};

// How a puzzle comes apart.
struct Verdict {
    std::uint32_t level = 0; // 0: it does not
    std::uint32_t total = 0; // moves
    std::uint64_t states = 0;
    // Of the part that does not come apart: its pieces, also as bits, and its states.
    std::uint32_t stuck = 0; // 0 if given up
    std::uint64_t held = 0, held_states = 0;
};

class Judge {
  public:
    virtual ~Judge() = default;
    // What comes apart by fewer moves than `least` is not taken apart any further.
    virtual Verdict judge(std::uint32_t least, std::uint64_t max_states) = 0;
    // What was judged last is kept: the next ones will differ little from it.
    virtual void keep() {}
};

class Climb {
  public:
    Climb(Sweeps sweeps, Frame frame, const Terms &terms);

    // Begin with these owners, by cell: pieces, or `none`. They are judged first.
    void begin(std::span<const std::uint32_t> owners, std::uint32_t seed);

    enum class Pause {
        better, // than all before, and it comes apart: it waits to be settled
        done,   // as many puzzles were judged as were asked for
        fixed,  // no cell can be changed
    };
    Pause run(std::uint64_t evaluations);

    // Whether a better one counts. If not, it is as if it had scored too little.
    void settle(bool counts);

    const std::vector<std::uint32_t> &owners() const { return contacts_.owners(); }
    const std::vector<std::uint32_t> &best_owners() const { return best_owners_; }
    const Verdict &verdict() const { return verdict_; } // of the last that was judged
    double best() const { return best_; }
    std::uint64_t evaluations() const { return evaluations_; }
    std::uint64_t states() const { return states_; }

  private:
    const Frame frame_;
    const Terms terms_;
    std::vector<std::uint8_t> at_home_; // by cell and piece
    std::vector<std::uint32_t> spots_;  // cells that may change
    Contacts contacts_;
    std::unique_ptr<Judge> judge_;
    Dice dice_;
    std::vector<std::uint64_t> sizes_; // of the pieces
    std::uint64_t holes_ = 0;
    struct Change {
        std::uint32_t cell, before;
    };
    std::vector<Change> changes_;            // since the last that was kept
    bool waiting_ = false;                   // for somebody to settle
    double best_ = 0, score_ = 0, kept_ = 0; // scores: the best, of the last judged, the last kept
    Verdict verdict_;
    std::vector<std::uint32_t> best_owners_;
    std::uint64_t evaluations_ = 0, states_ = 0;
    std::vector<std::uint32_t> seen_; // by cell: the last look at connections that met it
    std::uint32_t looks_ = 0;
    std::vector<std::uint32_t> takers_, queue_;

    bool change();
    bool change_one();
    bool allowed();
    bool connected(std::uint32_t piece);
    void give(std::uint32_t cell, std::uint32_t piece);
    void take_back();
    void keep();
    double least();
    double score(const Verdict &verdict) const;
    double tightness(std::uint64_t held) const;
    bool judge_one();
};

} // namespace kumitate
