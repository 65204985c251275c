// The list core. One node of the search is a set of columns still open and a list of placements
// that still fit. A column is a cell, or a piece that can be used only once: no two placements of
// an assembly share a column. Placements are bit masks of W words, and half a word where H says so,
// one array for each word:
//
//     depth d      | A A A A A B B B C C C C |
//                              choose this B
//     depth d+1    | A A A C C |                those that share no column with it, packed
//
// A child filters its parent's list, so there is nothing to undo on the way back up: the parent's
// list still lies below it, as it was. Most children are dead, so filtering takes two steps: one
// finds which placements are left, as bits, and which columns they cover together; only if those
// are all that must be covered does the other pack the list. Then the placements on each column are
// counted, all columns of a word at once, by adders whose planes have a bit for each column. So the
// column with the fewest placements costs no more than a few operations for each vector.
//
// Pieces with copies are no columns. Since lists are in the order of pieces, theirs are segments of
// them, which follow the list down and are struck when there is no copy left. Pieces that may be
// used or not and never run out need not even that.
//
// Cells in pairs: a placement on one of a pair rules out those on the other, so the list is
// filtered by the chosen mask with the cells of each pair exchanged.
//
// Completions of a node are sets of placements from its list. They are divided, never doubled:
// - by the placement on a column which must be covered, the one with the fewest;
// - or by the first placement of a piece with copies that is needed; later children lose the
//   earlier ones;
// - or, when nothing is needed any more, the set is complete as it is, or goes on by its first
//   placement of all.
#pragma once

#include "hash.hpp"
#include "mask_list.hpp"
#include "search_tree.hpp"

#include <algorithm>
#include <type_traits>
#include <unordered_map>

namespace kumitate::KUMITATE_ISA {

template <std::size_t W, bool H> class ListSearch final : public TreeSearch {
    using List = MaskList<W, H>;
    using Columns = typename List::Columns;

    struct Range {
        std::uint32_t start = 0, end = 0; // of places in a list
        std::uint32_t length() const { return end - start; }
    };

    static constexpr std::uint32_t complete = none; // an option: take the set as it is

    struct Frame {
        List list;
        std::vector<Range> segments;      // for each piece with copies
        Columns open;                     // those that must be covered
        Columns bare;                     // optional cells that weigh something and are not covered
        Columns covered;                  // by some placement of the list
        Array<std::uint32_t> options;     // places in the list
        std::uint32_t count = 0;          // of options
        std::uint32_t ordered = none;     // from here on, earlier options are lost to later
        Columns chosen;                   // the option that the next depth is about
        std::uint32_t chosen_copy = none; // its number in copies_, if there is one

        Frame(std::uint32_t most, std::size_t copies)
            : list(most), segments(copies), options(most + lanes) {}
    };

  public:
    ListSearch(const Cover &cover, const Symmetry *symmetry);

  protected:
    bool begin() override;
    std::uint32_t expand(std::size_t depth) override;
    Outcome descend(std::size_t depth, std::uint32_t number) override;
    void ascend(std::size_t depth) override;
    void remember_dead(std::size_t depth, std::uint64_t nodes) override;
    const Names &names(std::size_t depth) const override {
        const Frame &f = frames_[depth];
        const std::uint32_t piece = f.chosen_copy == none ? none : copies_[f.chosen_copy];
        const auto found = names_.find({piece, f.chosen});
        KUMITATE_EXPECT(found != names_.end(), "whatever is chosen has a name");
        return found->second;
    }

  private:
    const Cover &cover_;
    std::uint32_t most_; // placements
    std::vector<Frame> frames_;
    Array<std::uint8_t> left_;         // a bit for each placement that a filter leaves, by vectors
    Columns cells_{};                  // the columns that are cells
    Columns firsts_{}, seconds_{};     // of the cells in pairs
    bool paired_ = false;              // there are some
    Array<std::uint32_t> column_;      // for each piece, or where it would be if it has copies
    Array<std::uint32_t> copies_;      // the pieces with copies, but for those that are
    Array<std::uint8_t> endless_;      // for each piece: it need not be used and never runs out
    Array<std::uint32_t> need_, room_; // of each of those, at the current depth
    std::uint64_t needed_ = 0;         // sum of need_
    bool weighted_ = false;

    // Nodes that are dead, by what is open: if every column must be covered just once, that says
    // all about a node. On flat boards the same columns are often covered in several ways (IQ 5x11:
    // a third of the nodes are skipped), in space rarely, so the table is given up where it does
    // not pay. It fits into the cache, and so nothing in it is larger than need be; a new node
    // takes the place of an old one.
    struct Dead {
        std::uint64_t first = 0; // word of what is open, of two at most
        std::conditional_t<H, Halves::Word, std::uint64_t> last = 0;
        std::uint32_t nodes = 0; // itself and all below; 0: none is here
    };
    static constexpr unsigned dead_bits = 13;
    static constexpr std::size_t least_missing = 3;       // placements, for a node to be remembered
    static constexpr std::uint64_t short_search = 10'000; // nodes, before which none is
    static constexpr std::uint64_t fair_trial = 1 << 16, lookups_for_a_node = 16;
    std::uint64_t lookups_ = 0, skipped_ = 0;
    Array<Dead> dead_;
    Dead &dead(const Columns &open) { return dead_[hash_of(open) >> (64 - dead_bits)]; }
    bool skip_dead(const Columns &open);

    // From a mask, and the piece if it has copies, to its placements (several only if colours tell
    // them apart).
    struct Key {
        std::uint32_t piece;
        Columns mask;
        bool operator==(const Key &) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key &key) const { return mix(hash_of(key.mask), key.piece); }
    };
    std::unordered_map<Key, Names, Hash> names_;

    Key key_of(std::size_t placement) const;
    Columns exchanged(const Columns &chosen) const;
    void remember_if_it_pays();

    Frame &frame(std::size_t depth);
    bool filter(Frame &parent, Frame &child, Range gone);
    bool strike(Range range);
    bool follow(const Frame &parent, Frame &child);
    bool settle(Frame &f);
    std::uint64_t weight(const Columns &cells) const;
};

template <std::size_t W, bool H>
ListSearch<W, H>::ListSearch(const Cover &cover, const Symmetry *symmetry)
    : TreeSearch(symmetry), cover_(cover), most_(static_cast<std::uint32_t>(cover.placements())) {
    left_.assign(List::vectors(most_) + 1, 0);
    auto column = static_cast<std::uint32_t>(cover.cells());
    std::vector<std::size_t> placements(cover.pieces(), 0);
    for (std::uint32_t piece : cover.piece)
        ++placements[piece];
    for (std::uint32_t p = 0; p < cover.pieces(); ++p) {
        column_.push_back(column);
        endless_.push_back(cover.most[p] > 1 && cover.least[p] == 0 &&
                           cover.most[p] >= placements[p]);
        if (cover.most[p] <= 1)
            ++column;
        else if (!endless_[p])
            copies_.push_back(p);
    }
    KUMITATE_EXPECT(column <= 64 * W + 32 * H, "every column has a bit");
    remember_if_it_pays();
    paired_ = cover.paired > 0;
    for (std::size_t c = 0; c < cover.cells(); ++c) {
        cells_[c / 64] |= std::uint64_t{1} << c % 64;
        weighted_ = weighted_ || (cover.optional[c] && cover.weight[c] > 1);
        if (c < cover.paired)
            (c % 2 ? seconds_ : firsts_)[c / 64] |= std::uint64_t{1} << c % 64;
    }
    names_.reserve(cover.placements());
    for (std::size_t i = 0; i < cover.placements(); ++i)
        names_[key_of(i)].push_back(cover.name[i]);
    start();
}

template <std::size_t W, bool H>
typename ListSearch<W, H>::Key ListSearch<W, H>::key_of(std::size_t placement) const {
    const std::uint32_t piece = cover_.piece[placement], column = column_[piece];
    const bool has_copies = cover_.most[piece] > 1;
    Key key{has_copies && !endless_[piece] ? piece : none, {}};
    for (std::uint32_t cell : cover_.cells_of(placement))
        key.mask[cell / 64] |= std::uint64_t{1} << cell % 64;
    if (!has_copies)
        key.mask[column / 64] |= std::uint64_t{1} << column % 64;
    return key;
}

// The columns with the cells of each pair exchanged. Not inline: it is called in the hottest loop
// of all, for which there are hardly ever pairs.
template <std::size_t W, bool H>
[[gnu::noinline]] typename ListSearch<W, H>::Columns
ListSearch<W, H>::exchanged(const Columns &chosen) const {
    Columns columns = without(without(chosen, firsts_), seconds_);
    for (std::size_t w = 0; w < W + H; ++w)
        columns[w] |= (chosen[w] & firsts_[w]) << 1 | (chosen[w] & seconds_[w]) >> 1;
    return columns;
}

// Dead nodes are remembered if what is open says all about a node: every cell must be covered, and
// every piece has a column or never runs out.
template <std::size_t W, bool H> void ListSearch<W, H>::remember_if_it_pays() {
    if (W + H > 2 || !copies_.empty() ||
        std::find(cover_.optional.begin(), cover_.optional.end(), 1) != cover_.optional.end())
        return;
    std::size_t largest = 1, fewest = 0; // cells of a placement, placements of an assembly
    for (std::size_t i = 0; i < cover_.placements(); ++i)
        largest = std::max(largest, cover_.cells_of(i).size());
    for (std::size_t p = 0; p < cover_.pieces(); ++p) {
        if (!endless_[p] && cover_.least[p] != cover_.most[p])
            return;
        fewest += endless_[p] ? 0 : cover_.least[p];
    }
    if (std::find(endless_.begin(), endless_.end(), 1) != endless_.end())
        fewest = std::max(fewest, cover_.cells() / largest);
    deepest_dead_ = std::max(fewest, least_missing) - least_missing;
}

template <std::size_t W, bool H>
typename ListSearch<W, H>::Frame &ListSearch<W, H>::frame(std::size_t depth) {
    while (frames_.size() <= depth)
        frames_.emplace_back(most_, copies_.size());
    return frames_[depth];
}

template <std::size_t W, bool H>
std::uint64_t ListSearch<W, H>::weight(const Columns &cells) const {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < W + H; ++w) {
        if (!weighted_) {
            sum += static_cast<std::uint64_t>(std::popcount(cells[w]));
            continue;
        }
        for (std::uint64_t bits = cells[w]; bits; bits &= bits - 1)
            sum += cover_.weight[64 * w + static_cast<unsigned>(std::countr_zero(bits))];
    }
    return sum;
}

// The child's list: the parent's placements that share no column with the chosen one, but for those
// that are gone and those of pieces without room. False if a piece cannot be had as often as needed
// or an open column cannot be covered.
template <std::size_t W, bool H>
bool ListSearch<W, H>::filter(Frame &parent, Frame &child, Range gone) {
    const Columns rivals = paired_ ? exchanged(parent.chosen) : parent.chosen;
    child.covered = parent.list.sieve(rivals, left_.data());
    if (any(without(child.open, child.covered)))
        return false;
    bool struck = strike(gone);
    for (std::size_t k = 0; k < copies_.size(); ++k)
        if (room_[k] == 0)
            struck = strike(parent.segments[k]) || struck;
    if (!follow(parent, child))
        return false;
    child.list.pack(parent.list, left_.data());
    if (!struck)
        return true;
    child.covered = child.list.united();
    return !any(without(child.open, child.covered));
}

// Leave out what lies in a range; false if nothing does.
template <std::size_t W, bool H> bool ListSearch<W, H>::strike(Range range) {
    for (std::uint32_t i = range.start; i < range.end;) {
        const std::uint32_t vector = i / lanes, next = std::min(range.end, (vector + 1) * lanes);
        const unsigned some = first_lanes(next - vector * lanes) & ~first_lanes(i % lanes);
        left_[vector] &= static_cast<std::uint8_t>(~some);
        i = next;
    }
    return range.length() > 0;
}

// Where the segments will be once the list is packed; false if one is too short.
template <std::size_t W, bool H> bool ListSearch<W, H>::follow(const Frame &parent, Frame &child) {
    std::uint32_t vector = 0, before = 0; // placements left in the vectors before
    const auto becomes = [&](std::uint32_t place) {
        for (; vector < place / lanes; ++vector)
            before += count_lanes(left_[vector]);
        const unsigned some = left_[vector] & first_lanes(place % lanes);
        return before + count_lanes(some);
    };
    for (std::size_t k = 0; k < copies_.size(); ++k) {
        const Range &its = parent.segments[k];
        child.segments[k].start = becomes(its.start);
        child.segments[k].end = becomes(its.end);
        if (child.segments[k].length() < need_[k])
            return false;
    }
    return true;
}

// Holes: optional cells that nothing covers any more stay empty. Too many, and the node is dead;
// just as many as may be, and all others must be covered.
template <std::size_t W, bool H> bool ListSearch<W, H>::settle(Frame &f) {
    if (!any(f.bare))
        return true;
    const std::uint64_t empty = weight(without(f.bare, f.covered));
    if (empty > cover_.holes)
        return false;
    if (empty == cover_.holes) {
        for (std::size_t w = 0; w < W + H; ++w) {
            f.open[w] |= f.bare[w] & f.covered[w];
            f.bare[w] &= ~f.covered[w];
        }
    }
    return true;
}

// Decide how to divide what a node can become, and list the options.
template <std::size_t W, bool H> std::uint32_t ListSearch<W, H>::expand(std::size_t depth) {
    Frame &f = frames_[depth];
    f.count = 0;
    f.ordered = none;
    Columns columns{};
    const unsigned few = any(f.open) ? f.list.fewest(f.open, columns) : none;
    const bool must_cover = any(common(f.open, cells_));
    Range best{0, none};
    std::uint32_t its_column = none;
    for (std::size_t k = 0; k < copies_.size(); ++k) {
        const bool eligible = must_cover ? need_[k] == 1 && room_[k] == 1 : need_[k] > 0;
        if (eligible && f.segments[k].length() < best.length()) {
            best = f.segments[k];
            its_column = column_[copies_[k]];
        }
    }
    // Among equals a cell comes before a piece and the first before the others; but where all have
    // four or more, a piece with four comes before a cell. Saved states depend on it.
    if (few == 4 && any(without(columns, cells_)))
        columns = without(columns, cells_);
    const std::uint32_t column = first_of(columns);
    const bool earlier = column < cover_.cells() ? few == 4 : its_column <= column;
    const bool by_copies =
        best.length() < few || (best.length() == few && earlier && its_column != none);
    if (by_copies) {
        f.ordered = best.start;
        for (std::uint32_t i = best.start; i < best.end; ++i)
            f.options[f.count++] = i;
    } else if (few != none) {
        f.list.find(column, few, f.options.data());
        f.count = few;
    } else {
        f.ordered = 0;
        if (weight(f.bare) <= cover_.holes)
            f.options[f.count++] = complete;
        for (std::uint32_t i = 0; i < f.list.size; ++i)
            f.options[f.count++] = i;
    }
    return f.count;
}

template <std::size_t W, bool H>
TreeSearch::Outcome ListSearch<W, H>::descend(std::size_t depth, std::uint32_t number) {
    if (frames_.size() <= depth + 1)
        frame(depth + 1);
    Frame &f = frames_[depth], &child = frames_[depth + 1];
    const std::uint32_t option = f.options[number];
    if (option == complete)
        return Outcome::complete;
    f.chosen = f.list[option];
    child.open = without(f.open, f.chosen);
    child.bare = without(f.bare, f.chosen);
    f.chosen_copy = none;
    for (std::uint32_t k = 0; k < copies_.size(); ++k)
        if (f.segments[k].start <= option && option < f.segments[k].end) {
            f.chosen_copy = k;
            const bool needed = need_[k] > 0;
            need_[k] -= needed;
            needed_ -= needed;
            --room_[k];
        }
    Outcome outcome = Outcome::dead;
    if (!any(child.bare) && !any(common(child.open, cells_))) {
        if (needed_ == 0 && !any(child.open))
            outcome = Outcome::last;
    } else {
        const Range gone = f.ordered == none ? Range{} : Range{f.ordered, option + 1};
        if (depth < deepest_dead_ && !dead_.empty() && skip_dead(child.open))
            return Outcome::dead;
        if (filter(f, child, gone) && settle(child))
            outcome = Outcome::alive;
    }
    if (outcome != Outcome::alive)
        ascend(depth);
    return outcome;
}

template <std::size_t W, bool H> bool ListSearch<W, H>::skip_dead(const Columns &open) {
    const Dead &known = dead(open);
    ++lookups_;
    if (known.first != open.front() || known.last != open.back() || !skip(known.nodes))
        return false;
    skipped_ += known.nodes;
    return true;
}

template <std::size_t W, bool H>
void ListSearch<W, H>::remember_dead(std::size_t depth, std::uint64_t nodes) {
    if (dead_.empty() && state.nodes < short_search)
        return;
    if (lookups_ > fair_trial && lookups_ > lookups_for_a_node * skipped_) {
        deepest_dead_ = 0;
        dead_ = {};
        return;
    }
    dead_.resize(std::size_t{1} << dead_bits);
    const Columns &open = frames_[depth].open;
    if (const auto few = static_cast<std::uint32_t>(nodes); few == nodes)
        dead(open) = {open.front(), static_cast<decltype(Dead::last)>(open.back()), few};
}

// Take back the copy that the option at this depth used.
template <std::size_t W, bool H> void ListSearch<W, H>::ascend(std::size_t depth) {
    const std::uint32_t k = frames_[depth].chosen_copy;
    if (k == none)
        return;
    const std::uint32_t piece = copies_[k];
    ++room_[k];
    const std::uint32_t used = cover_.most[piece] - room_[k];
    const std::uint32_t need = used < cover_.least[piece] ? cover_.least[piece] - used : 0;
    needed_ += need - need_[k];
    need_[k] = need;
}

template <std::size_t W, bool H> bool ListSearch<W, H>::begin() {
    Frame &root = frame(0);
    root.open = root.bare = {};
    for (std::size_t c = 0; c < cover_.cells(); ++c)
        if (!cover_.optional[c] || cover_.weight[c])
            (cover_.optional[c] ? root.bare : root.open)[c / 64] |= std::uint64_t{1} << c % 64;
    need_.clear();
    room_.clear();
    needed_ = 0;
    root.list.size = 0;
    for (std::uint32_t p = 0; p < cover_.pieces(); ++p) {
        const std::uint32_t start = root.list.size, column = column_[p];
        for (std::size_t i = 0; i < cover_.placements(); ++i) {
            if (cover_.piece[i] != p || cover_.most[p] == 0)
                continue;
            const Key key = key_of(i);
            if (names_[key].front() != cover_.name[i])
                continue; // differs only in colour from one already there
            root.list.push_back(key.mask);
        }
        const std::uint32_t end = root.list.size;
        if (endless_[p])
            continue;
        if (cover_.most[p] > 1) {
            root.segments[need_.size()] = {start, end};
            need_.push_back(cover_.least[p]);
            room_.push_back(cover_.most[p]);
            needed_ += cover_.least[p];
            if (end - start < cover_.least[p])
                return false;
        } else if (cover_.least[p] > 0) {
            root.open[column / 64] |= std::uint64_t{1} << column % 64;
        }
    }
    root.covered = root.list.united();
    return !any(without(root.open, root.covered)) && settle(root);
}

template <std::size_t W, bool H>
std::unique_ptr<Search> make_list_search(const Cover &cover, const Symmetry *symmetry) {
    return std::make_unique<ListSearch<W, H>>(cover, symmetry);
}

} // namespace kumitate::KUMITATE_ISA
