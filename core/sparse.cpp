// The sparse core, for more cells than the list core's masks hold.
//
// Each placement counts what stands in its way; it fits while that is 0. Choosing one goes through
// the columns of its cells and blocks what meets it, and each that is blocked for the first time
// leaves the counts of its own cells; taking it back does the same backwards. So a node costs what
// it changes, however many cells there are. The tree is that of the list core.

#include "tree.hpp"

#include <algorithm>
#include <numeric>

namespace kumiki {

namespace {

class SparseSearch final : public TreeSearch {
  public:
    SparseSearch(const Cover &cover, const Symmetry *symmetry)
        : TreeSearch(symmetry), cover_(cover), columns_(cover.cells()), members_(cover.pieces()) {
        for (std::uint32_t i = 0; i < cover.placements(); ++i) {
            names_.push_back({cover.name[i]});
            members_[cover.piece[i]].push_back(i);
            for (std::uint32_t cell : cover.cells_of(i))
                columns_[cell].push_back(i);
        }
        start();
    }

  protected:
    bool begin() override {
        const std::size_t n = cover_.placements();
        blocked_.assign(n, 0);
        covered_.assign(cover_.cells(), 0);
        fitting_.clear();
        for (const auto &column : columns_)
            fitting_.push_back(static_cast<std::uint32_t>(column.size()));
        of_piece_.clear();
        for (const auto &members : members_)
            of_piece_.push_back(static_cast<std::uint32_t>(members.size()));
        used_.assign(cover_.pieces(), 0);
        frames_.clear();
        trail_.clear();
        for (std::uint32_t p = 0; p < cover_.pieces(); ++p)
            if (cover_.most[p] == 0)
                for (std::uint32_t i : members_[p])
                    block(i);
        return alive();
    }

    std::uint32_t expand(std::size_t depth) override {
        frames_.resize(depth + 1);
        Frame &f = frames_[depth];
        f = {};
        std::uint32_t best_cell = none, fewest = none, best_piece = none;
        const bool must_fill = empty_ == cover_.holes;
        for (std::uint32_t c = 0; c < cover_.cells(); ++c)
            if (!covered_[c] && (!cover_.optional[c] || (must_fill && fitting_[c])) &&
                fitting_[c] < fewest) {
                fewest = fitting_[c];
                best_cell = c;
            }
        for (std::uint32_t p = 0; p < cover_.pieces(); ++p) {
            const bool once = used_[p] == 0 && cover_.least[p] == 1 && cover_.most[p] == 1;
            const bool needed = used_[p] < cover_.least[p];
            if ((best_cell == none ? needed : once) && of_piece_[p] < fewest) {
                fewest = of_piece_[p];
                best_piece = p;
            }
        }
        if (best_piece != none) {
            f.ordered = true;
            list(members_[best_piece], f);
        } else if (best_cell != none) {
            list(columns_[best_cell], f);
        } else if (needed() == 0) {
            f.ordered = true;
            if (bare_ <= cover_.holes)
                f.options.push_back(none);
            for (std::uint32_t i = 0; i < cover_.placements(); ++i)
                if (!blocked_[i])
                    f.options.push_back(i);
        }
        return static_cast<std::uint32_t>(f.options.size());
    }

    Outcome descend(std::size_t depth, std::uint32_t number) override {
        Frame &f = frames_[depth];
        const std::uint32_t chosen = f.options[number];
        if (chosen == none)
            return Outcome::complete;
        f.chosen = chosen;
        f.trail = trail_.size();
        if (f.ordered) // the options before this one are lost to it
            for (std::uint32_t i = 0; i < number; ++i)
                if (f.options[i] != none)
                    block(f.options[i]);
        const std::uint32_t piece = cover_.piece[chosen];
        ++used_[piece];
        for (std::uint32_t cell : cover_.cells_of(chosen)) {
            covered_[cell] = 1;
            for (std::uint32_t i : columns_[cell])
                block(i);
        }
        if (used_[piece] == cover_.most[piece])
            for (std::uint32_t i : members_[piece])
                block(i);
        if (alive())
            return Outcome::alive;
        ascend(depth);
        return Outcome::dead;
    }

    void ascend(std::size_t depth) override {
        const Frame &f = frames_[depth];
        for (std::uint32_t cell : cover_.cells_of(f.chosen))
            covered_[cell] = 0;
        --used_[cover_.piece[f.chosen]];
        while (trail_.size() > f.trail) {
            const std::uint32_t i = trail_.back();
            trail_.pop_back();
            if (--blocked_[i] == 0)
                count(i, 1);
        }
    }

    const Names &names(std::size_t depth) const override { return names_[frames_[depth].chosen]; }

  private:
    struct Frame {
        std::vector<std::uint32_t> options; // placements, or `none`: complete as it is
        bool ordered = false;
        std::uint32_t chosen = none;
        std::size_t trail = 0; // how long the trail was before
    };

    const Cover &cover_;
    std::vector<std::vector<std::uint32_t>> columns_, members_; // placements on a cell, of a piece
    std::vector<Names> names_;
    std::vector<std::uint32_t> blocked_, fitting_, of_piece_, used_;
    std::vector<std::uint8_t> covered_;
    std::vector<std::uint32_t> trail_; // what was blocked, in order
    std::vector<Frame> frames_;
    std::uint64_t empty_ = 0, bare_ = 0; // weight of optional cells that stay empty, that are

    void count(std::uint32_t i, std::uint32_t by) {
        of_piece_[cover_.piece[i]] += by;
        for (std::uint32_t cell : cover_.cells_of(i))
            fitting_[cell] += by;
    }

    void block(std::uint32_t i) {
        trail_.push_back(i);
        if (blocked_[i]++ == 0)
            count(i, static_cast<std::uint32_t>(-1));
    }

    void list(const std::vector<std::uint32_t> &placements, Frame &f) const {
        for (std::uint32_t i : placements)
            if (!blocked_[i])
                f.options.push_back(i);
    }

    std::uint64_t needed() const {
        std::uint64_t sum = 0;
        for (std::size_t p = 0; p < cover_.pieces(); ++p)
            sum += used_[p] < cover_.least[p] ? cover_.least[p] - used_[p] : 0;
        return sum;
    }

    // Whether every fixed cell and every needed piece still can be had, and the holes suffice.
    bool alive() {
        empty_ = bare_ = 0;
        for (std::size_t c = 0; c < cover_.cells(); ++c) {
            if (covered_[c])
                continue;
            if (!cover_.optional[c] && fitting_[c] == 0)
                return false;
            if (cover_.optional[c]) {
                bare_ += cover_.weight[c];
                empty_ += fitting_[c] ? 0 : cover_.weight[c];
            }
        }
        for (std::size_t p = 0; p < cover_.pieces(); ++p)
            if (used_[p] + of_piece_[p] < cover_.least[p])
                return false;
        return empty_ <= cover_.holes;
    }
};

} // namespace

std::unique_ptr<Search> make_sparse_search(const Cover &cover, const Symmetry *symmetry) {
    return std::make_unique<SparseSearch>(cover, symmetry);
}

} // namespace kumiki
