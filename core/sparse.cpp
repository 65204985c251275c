// The sparse core, for more cells than the list core's masks hold.
//
// Choosing a placement goes through the columns of its cells and blocks what meets it; each that is
// blocked leaves the counts of its own cells. Taking it back does the same backwards. So a node
// costs what it changes, however many cells there are. The tree is that of the list core.
//
// With a seed the options of each node come in a random order, for searches that restart when they
// take long (restarts.hpp); such a search cannot be saved or split.

#include "search_tree.hpp"

#include <algorithm>
#include <optional>

namespace kumitate {

namespace {

class SparseSearch final : public TreeSearch {
  public:
    SparseSearch(const Cover &cover, const Symmetry *symmetry, std::optional<std::uint32_t> seed)
        : TreeSearch(symmetry), cover_(cover), columns_(cover.cells()), members_(cover.pieces()),
          all_fixed_(std::find(cover.optional.begin(), cover.optional.end(), 1) ==
                     cover.optional.end()) {
        KUMITATE_EXPECT(is_sound(cover), "a search is of a sound cover");
        if (seed)
            dice_.emplace(*seed);
        for (std::uint32_t i = 0; i < cover.placements(); ++i) {
            names_.push_back({cover.name[i]});
            pieces_.push_back(cover.piece[i]);
            if (!cover.further.empty())
                for (std::uint32_t at = cover.further_starts[i]; at < cover.further_starts[i + 1];
                     ++at)
                    pieces_.push_back(cover.further[at]);
            piece_starts_.push_back(to_32_bits(pieces_.size(), "pieces of placements"));
            for (std::uint32_t piece : pieces_of(i))
                members_[piece].push_back(i);
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
        return every_cell_can_be_had() && every_piece_can_be_had();
    }

    std::uint32_t expand(std::size_t depth) override {
        if (frames_.size() <= depth)
            frames_.resize(depth + 1);
        Frame &f = frames_[depth];
        f.options.clear();
        f.ordered = false;
        std::uint32_t best_cell = none, fewest = none, best_piece = none;
        const bool must_fill = empty_ == cover_.holes;
        for (std::uint32_t c = 0; c < cover_.cells(); ++c)
            if (!covered_[c] &&
                (!cover_.optional[c] || (must_fill && fitting_[c] && cover_.weight[c])) &&
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
        if (dice_)
            shuffle(f.options, *dice_);
        return static_cast<std::uint32_t>(f.options.size());
    }

    Outcome descend(std::size_t depth, std::uint32_t number) override {
        Frame &f = frames_[depth];
        const std::uint32_t chosen = f.options[number];
        if (chosen == none)
            return Outcome::complete;
        f.chosen = chosen;
        f.trail = trail_.size();
        for (std::uint32_t piece : pieces_of(chosen))
            ++used_[piece];
        for (std::uint32_t cell : cover_.cells_of(chosen))
            covered_[cell] = 1;
        if (block_all(f, number) && (all_fixed_ || every_cell_can_be_had()))
            return Outcome::alive;
        ascend(depth);
        return Outcome::dead;
    }

    void ascend(std::size_t depth) override {
        const Frame &f = frames_[depth];
        KUMITATE_EXPECT(f.chosen != none && trail_.size() >= f.trail,
                        "only what was chosen is taken back");
        for (std::uint32_t cell : cover_.cells_of(f.chosen))
            covered_[cell] = 0;
        for (std::uint32_t piece : pieces_of(f.chosen))
            --used_[piece];
        while (trail_.size() > f.trail) {
            unblock(trail_.back());
            trail_.pop_back();
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
    std::vector<std::uint32_t> pieces_, piece_starts_{0};       // of each placement
    std::vector<Names> names_;
    std::vector<std::uint32_t> fitting_, of_piece_, used_;
    std::vector<std::uint8_t> blocked_, covered_;
    std::vector<std::uint32_t> trail_; // what was blocked, in order
    std::vector<Frame> frames_;
    const bool all_fixed_; // no cell is optional
    std::optional<Dice> dice_;
    std::uint64_t empty_ = 0, bare_ = 0; // weight of optional cells that stay empty, that are

    std::span<const std::uint32_t> pieces_of(std::uint32_t i) const {
        return {pieces_.data() + piece_starts_[i], piece_starts_[i + 1] - piece_starts_[i]};
    }

    // False if now a fixed cell or a needed piece cannot be had any more.
    bool block(std::uint32_t i) {
        if (blocked_[i]) // and stays so until what blocked it is taken back, which is later
            return true;
        blocked_[i] = 1;
        trail_.push_back(i);
        bool alive = true;
        for (std::uint32_t piece : pieces_of(i))
            alive &= used_[piece] + --of_piece_[piece] >= cover_.least[piece];
        for (std::uint32_t cell : cover_.cells_of(i))
            alive &= --fitting_[cell] || covered_[cell] || cover_.optional[cell];
        return alive;
    }

    void unblock(std::uint32_t i) {
        blocked_[i] = 0;
        for (std::uint32_t piece : pieces_of(i))
            ++of_piece_[piece];
        for (std::uint32_t cell : cover_.cells_of(i))
            ++fitting_[cell];
    }

    bool block(std::span<const std::uint32_t> placements) {
        return std::all_of(placements.begin(), placements.end(),
                           [&](std::uint32_t i) { return i == none || block(i); });
    }

    // Whatever the choice of an option rules out, up to the first that must not be.
    bool block_all(const Frame &f, std::uint32_t number) {
        if (f.ordered && !block(std::span(f.options).first(number)))
            return false; // the options before this one are lost to it
        for (std::uint32_t cell : cover_.cells_of(f.chosen))
            if (!block(columns_[cover_.rival(cell)]))
                return false;
        const auto pieces = pieces_of(f.chosen);
        return std::all_of(pieces.begin(), pieces.end(), [&](std::uint32_t piece) {
            return used_[piece] < cover_.most[piece] || block(members_[piece]);
        });
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

    // Whether every fixed cell still can be had, and the holes suffice.
    bool every_cell_can_be_had() {
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
        return empty_ <= cover_.holes;
    }

    bool every_piece_can_be_had() const {
        for (std::size_t p = 0; p < cover_.pieces(); ++p)
            if (used_[p] + of_piece_[p] < cover_.least[p])
                return false;
        return true;
    }
};

} // namespace

std::unique_ptr<Search> make_sparse_search(const Cover &cover, const Symmetry *symmetry) {
    return std::make_unique<SparseSearch>(cover, symmetry, std::nullopt);
}

std::unique_ptr<Search> make_random_search(const Cover &cover, std::uint32_t seed) {
    return std::make_unique<SparseSearch>(cover, nullptr, seed);
}

} // namespace kumitate
