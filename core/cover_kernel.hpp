// The list core. One node of the search is a set of cells still open and a list of placements that
// still fit, as bit masks of W words, grouped by piece:
//
//     depth d      | A A A A A | B B B | C C C C |      words of the masks, one array for each word
//                        choose this B
//     depth d+1    | A A   A   |       | C     C |      those that do not meet it, packed
//
// A child filters its parent's list by one AND per word, so there is nothing to undo on the way
// back up: the parent's list still lies below it, as it was. While filtering, the placements are
// added up in bit slices, 64 columns at once: `once` has a bit for each cell that one survivor or
// more covers, `twice` two or more, and so on. From those follow dead cells (open but not once),
// forced cells (not twice) and the cells with the fewest options; only if all have four or more
// must they be counted exactly, in slices too.
//
// Completions of a node are sets of placements from its list. They are divided, never doubled:
// - by the placement that covers a cell which must be covered, the one with the fewest;
// - or by the first placement of a piece that is needed; later children lose the earlier ones;
// - or, when nothing is needed any more, the set is complete as it is, or goes on by its first
//   placement of all.
#pragma once

#include "search_tree.hpp"
#include "simd.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <unordered_map>

namespace kumitate::KUMITATE_ISA {

template <std::size_t W> using Mask = std::array<std::uint64_t, W>;

template <std::size_t W> bool any(const Mask<W> &a) {
    std::uint64_t bits = 0;
    for (std::uint64_t word : a)
        bits |= word;
    return bits != 0;
}

template <std::size_t W> Mask<W> without(Mask<W> a, const Mask<W> &b) {
    for (std::size_t w = 0; w < W; ++w)
        a[w] &= ~b[w];
    return a;
}

template <std::size_t W> class ListSearch final : public TreeSearch {
    struct Segment {
        std::uint32_t piece, start, length;
    };

    // Cells that at least so many placements of a list cover.
    struct Counts {
        Mask<W> once, twice, thrice, often;
    };

    struct Option {
        std::uint32_t segment, index;
    };
    static constexpr Option complete{none, 0}; // take the set as it is

    struct Frame {
        std::vector<std::uint64_t> words; // W arrays of `capacity`
        std::vector<Segment> segments;
        std::uint32_t size = 0; // of the list, gaps included
        Mask<W> open;           // cells that must be covered
        Mask<W> bare;           // optional cells that are not covered
        Counts counts;
        std::vector<Option> options;
        bool by_piece = false; // divided by a piece, or by all: earlier options are lost to later
        bool by_all = false;
        Mask<W> chosen; // the option that the next depth is about
        std::uint32_t chosen_piece = 0;
    };

  public:
    ListSearch(const Cover &cover, const Symmetry *symmetry);

  protected:
    bool begin() override;
    std::uint32_t expand(std::size_t depth) override;
    Outcome descend(std::size_t depth, std::uint32_t number) override;
    void ascend(std::size_t depth) override;
    const Names &names(std::size_t depth) const override {
        const Frame &f = frames_[depth];
        return names_.find({f.chosen_piece, f.chosen})->second;
    }

  private:
    const Cover &cover_;
    std::uint32_t capacity_;
    std::vector<Frame> frames_;
    std::vector<std::uint32_t> need_, room_; // of each piece, at the current depth
    std::uint64_t needed_ = 0;               // sum of need_
    bool weighted_ = false;

    // From a piece and a mask to its placements (several only if colours tell them apart).
    struct Key {
        std::uint32_t piece;
        Mask<W> mask;
        bool operator==(const Key &) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key &key) const {
            std::uint64_t h = key.piece + 0x9e3779b97f4a7c15u;
            for (std::uint64_t word : key.mask)
                h = (h ^ word) * 0xff51afd7ed558ccdu, h ^= h >> 29;
            return static_cast<std::size_t>(h);
        }
    };
    std::unordered_map<Key, Names, Hash> names_;

    Frame &frame(std::size_t depth);
    std::uint64_t *word(Frame &f, std::size_t w) { return f.words.data() + w * capacity_; }
    bool filter(Frame &parent, Frame &child, const Mask<W> &mask, std::uint32_t segment,
                std::uint32_t from, bool drop_before);
    bool settle(Frame &f);
    void list_covering(Frame &f, const Mask<W> &cells, unsigned count);
    unsigned fewest(Frame &f, Mask<W> &cells, unsigned limit);
    std::uint64_t weight(const Mask<W> &cells) const;
};

template <std::size_t W>
ListSearch<W>::ListSearch(const Cover &cover, const Symmetry *symmetry)
    : TreeSearch(symmetry), cover_(cover) {
    // Lists are read and written whole vectors at a time, so a little beyond their end.
    capacity_ = static_cast<std::uint32_t>(cover.placements() + 2 * Words::lanes + 8);
    for (std::size_t i = 0; i < cover.placements(); ++i) {
        Key key{cover.piece[i], {}};
        for (std::uint32_t cell : cover.cells_of(i))
            key.mask[cell / 64] |= std::uint64_t{1} << cell % 64;
        names_[key].push_back(cover.name[i]);
    }
    for (std::size_t c = 0; c < cover.cells(); ++c)
        weighted_ = weighted_ || (cover.optional[c] && cover.weight[c] != 1);
    start();
}

template <std::size_t W> typename ListSearch<W>::Frame &ListSearch<W>::frame(std::size_t depth) {
    while (frames_.size() <= depth) {
        frames_.emplace_back();
        frames_.back().words.assign(std::size_t{W} * capacity_, 0);
    }
    return frames_[depth];
}

template <std::size_t W> std::uint64_t ListSearch<W>::weight(const Mask<W> &cells) const {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < W; ++w) {
        if (!weighted_) {
            sum += static_cast<std::uint64_t>(std::popcount(cells[w]));
            continue;
        }
        for (std::uint64_t bits = cells[w]; bits; bits &= bits - 1)
            sum += cover_.weight[64 * w + static_cast<unsigned>(std::countr_zero(bits))];
    }
    return sum;
}

// Counts of two lists together: a column that one has i times and the other j has i + j.
template <std::size_t W> struct Slices {
    Words once[W], twice[W], thrice[W], often[W];

    void clear() {
        for (std::size_t w = 0; w < W; ++w)
            once[w] = twice[w] = thrice[w] = often[w] = Words::zero();
    }
    void add(std::size_t w, Words v) {
        often[w] = often[w] | (thrice[w] & v);
        thrice[w] = thrice[w] | (twice[w] & v);
        twice[w] = twice[w] | (once[w] & v);
        once[w] = once[w] | v;
    }
    template <unsigned by> void fold_by(std::size_t w) {
        const Words a = once[w], b = twice[w], c = thrice[w], d = often[w];
        const Words e = a.template turned<by>(), f = b.template turned<by>(),
                    g = c.template turned<by>(), h = d.template turned<by>();
        once[w] = a | e;
        twice[w] = b | f | (a & e);
        thrice[w] = c | g | (b & e) | (a & f);
        often[w] = d | h | (c & e) | (b & f) | (a & g);
    }
    void fold(std::size_t w) {
        if constexpr (Words::lanes >= 8)
            fold_by<4>(w);
        if constexpr (Words::lanes >= 4)
            fold_by<2>(w);
        if constexpr (Words::lanes >= 2)
            fold_by<1>(w);
    }
};

// The OR of all lanes.
inline std::uint64_t united(Words v) {
    if constexpr (Words::lanes >= 8)
        v = v | v.template turned<4>();
    if constexpr (Words::lanes >= 4)
        v = v | v.template turned<2>();
    if constexpr (Words::lanes >= 2)
        v = v | v.template turned<1>();
    return v.first();
}

// The child's list: the parent's placements that do not meet the mask, of pieces with room. The
// segment of the chosen placement starts at `from`, and with `drop_before` those before it are
// gone. False if a piece cannot be had as often as needed or an open cell cannot be covered.
template <std::size_t W>
bool ListSearch<W>::filter(Frame &parent, Frame &child, const Mask<W> &mask, std::uint32_t segment,
                           std::uint32_t from, bool drop_before) {
    Words chosen[W];
    const std::uint64_t *in[W];
    std::uint64_t *out[W];
    for (std::size_t w = 0; w < W; ++w) {
        chosen[w] = Words::all(mask[w]);
        in[w] = word(parent, w);
        out[w] = word(child, w);
    }
    Slices<W> slices;
    slices.clear();
    child.segments.clear();
    std::uint32_t end = 0;
    for (std::uint32_t s = drop_before ? segment : 0; s < parent.segments.size(); ++s) {
        auto [piece, start, length] = parent.segments[s];
        if (room_[piece] == 0)
            continue;
        if (s == segment) {
            start += from;
            length -= from;
        }
        const std::uint32_t begin = end;
        for (std::uint32_t i = 0; i < length; i += Words::lanes) {
            Words v[W];
            v[0] = Words::load(in[0] + start + i);
            Words meets = v[0] & chosen[0];
            for (std::size_t w = 1; w < W; ++w) {
                v[w] = Words::load(in[w] + start + i);
                meets = meets | (v[w] & chosen[w]);
            }
            const unsigned fits = meets.zeros(first_lanes(length - i));
            for (std::size_t w = 0; w < W; ++w) {
                v[w].pack(out[w] + end, fits);
                slices.add(w, v[w].keep(fits));
            }
            end += static_cast<std::uint32_t>(std::popcount(fits));
        }
        if (end - begin < need_[piece])
            return false;
        if (end > begin)
            child.segments.push_back({piece, begin, end - begin});
    }
    child.size = end;
    for (std::size_t w = 0; w < W; ++w) {
        child.counts.once[w] = united(slices.once[w]);
        if (child.open[w] & ~child.counts.once[w])
            return false;
    }
    for (std::size_t w = 0; w < W; ++w) {
        slices.fold(w);
        child.counts.twice[w] = slices.twice[w].first();
        child.counts.thrice[w] = slices.thrice[w].first();
        child.counts.often[w] = slices.often[w].first();
    }
    return true;
}

// Holes: optional cells that nothing covers any more stay empty. Too many, and the node is dead;
// just as many as may be, and all others must be covered.
template <std::size_t W> bool ListSearch<W>::settle(Frame &f) {
    if (!any(f.bare))
        return true;
    const std::uint64_t empty = weight(without(f.bare, f.counts.once));
    if (empty > cover_.holes)
        return false;
    if (empty == cover_.holes) {
        for (std::size_t w = 0; w < W; ++w) {
            f.open[w] |= f.bare[w] & f.counts.once[w];
            f.bare[w] &= ~f.counts.once[w];
        }
    }
    return true;
}

// The open cells with the fewest options, and how many those are, if fewer than `limit`; counted in
// bit slices: plane j of a column has bit j of its count.
template <std::size_t W> unsigned ListSearch<W>::fewest(Frame &f, Mask<W> &cells, unsigned limit) {
    const Counts &counts = f.counts;
    for (unsigned few = 1; few <= 3; ++few) {
        const Mask<W> &more = few == 1 ? counts.twice : few == 2 ? counts.thrice : counts.often;
        cells = without(f.open, more);
        if (any(cells))
            return few;
    }
    if (limit <= 4)
        return limit;
    constexpr unsigned most_planes = 24;
    Mask<W> planes[most_planes];
    unsigned top = 0;
    const unsigned vectors = (f.size + Words::lanes - 1) / Words::lanes;
    const unsigned width = static_cast<unsigned>(std::bit_width(vectors));
    for (std::size_t w = 0; w < W; ++w) {
        Words plane[most_planes];
        for (unsigned j = 0; j < width; ++j)
            plane[j] = Words::zero();
        const std::uint64_t *list = word(f, w);
        for (std::uint32_t i = 0; i < f.size; i += Words::lanes) {
            Words carry = Words::load(list + i).keep(first_lanes(f.size - i));
            for (unsigned j = 0; j < width; ++j) {
                const Words next = plane[j] & carry;
                plane[j] = plane[j] ^ carry;
                carry = next;
                if (j >= 1 && carry.empty())
                    break;
            }
        }
        unsigned planes_used = width;
        const auto fold = [&]<unsigned by>() {
            Words carry = Words::zero();
            for (unsigned j = 0; j < planes_used; ++j) {
                const Words other = plane[j].template turned<by>();
                const Words sum = plane[j] ^ other;
                const Words next = (plane[j] & other) | (sum & carry);
                plane[j] = sum ^ carry;
                carry = next;
            }
            plane[planes_used++] = carry;
        };
        if constexpr (Words::lanes >= 8)
            fold.template operator()<4>();
        if constexpr (Words::lanes >= 4)
            fold.template operator()<2>();
        if constexpr (Words::lanes >= 2)
            fold.template operator()<1>();
        for (unsigned j = 0; j < planes_used; ++j)
            planes[j][w] = plane[j].first();
        top = planes_used;
    }
    cells = f.open;
    unsigned count = 0;
    for (unsigned j = top; j-- > 0;) {
        const Mask<W> lower = without(cells, planes[j]);
        if (any(lower))
            cells = lower;
        else
            count |= 1u << j;
    }
    return count;
}

// The options that cover the first of some cells; there are `count`.
template <std::size_t W>
void ListSearch<W>::list_covering(Frame &f, const Mask<W> &cells, unsigned count) {
    std::size_t w = 0;
    while (!cells[w])
        ++w;
    const Words bit = Words::all(cells[w] & -cells[w]);
    const std::uint64_t *list = word(f, w);
    std::uint32_t s = 0;
    for (std::uint32_t i = 0; f.options.size() < count; i += Words::lanes) {
        const unsigned lanes = first_lanes(f.size - i);
        unsigned covering = lanes & ~(Words::load(list + i) & bit).zeros(lanes);
        for (; covering; covering &= covering - 1) {
            const std::uint32_t at = i + static_cast<std::uint32_t>(std::countr_zero(covering));
            while (at >= f.segments[s].start + f.segments[s].length)
                ++s;
            f.options.push_back({s, at - f.segments[s].start});
        }
    }
}

// Decide how to divide what a node can become, and list the options.
template <std::size_t W> std::uint32_t ListSearch<W>::expand(std::size_t depth) {
    Frame &f = frames_[depth];
    f.by_piece = f.by_all = false;
    f.options.clear();
    const bool must_cover = any(f.open);
    std::uint32_t best = none, best_length = none;
    for (std::uint32_t s = 0; s < f.segments.size(); ++s) {
        const Segment &segment = f.segments[s];
        const std::uint32_t need = need_[segment.piece];
        const bool eligible = must_cover ? need == 1 && room_[segment.piece] == 1 : need > 0;
        if (eligible && segment.length < best_length) {
            best = s;
            best_length = segment.length;
        }
    }
    if (must_cover) {
        Mask<W> cells;
        const unsigned few = fewest(f, cells, best_length);
        if (any(cells) && few <= best_length) {
            list_covering(f, cells, few);
            return few;
        }
    }
    if (best != none) {
        f.by_piece = true;
        for (std::uint32_t i = 0; i < best_length; ++i)
            f.options.push_back({best, i});
        return best_length;
    }
    if (needed_ > 0)
        return 0; // a needed piece has no placement left
    f.by_all = true;
    if (weight(f.bare) <= cover_.holes)
        f.options.push_back(complete);
    for (std::uint32_t s = 0; s < f.segments.size(); ++s)
        for (std::uint32_t i = 0; i < f.segments[s].length; ++i)
            f.options.push_back({s, i});
    return static_cast<std::uint32_t>(f.options.size());
}

template <std::size_t W>
TreeSearch::Outcome ListSearch<W>::descend(std::size_t depth, std::uint32_t number) {
    frame(depth + 1);
    Frame &f = frames_[depth], &child = frames_[depth + 1];
    const Option option = f.options[number];
    if (option.segment == none)
        return Outcome::complete;
    const Segment &segment = f.segments[option.segment];
    for (std::size_t w = 0; w < W; ++w)
        f.chosen[w] = word(f, w)[segment.start + option.index];
    f.chosen_piece = segment.piece;
    child.open = without(f.open, f.chosen);
    child.bare = without(f.bare, f.chosen);
    const bool needed = need_[f.chosen_piece] > 0;
    need_[f.chosen_piece] -= needed;
    needed_ -= needed;
    --room_[f.chosen_piece];
    Outcome outcome = Outcome::dead;
    if (!any(child.open) && !any(child.bare)) {
        if (needed_ == 0)
            outcome = Outcome::last;
    } else {
        const bool ordered = f.by_piece || f.by_all;
        const std::uint32_t from = ordered ? option.index + 1 : 0;
        if (filter(f, child, f.chosen, option.segment, from, f.by_all) && settle(child))
            outcome = Outcome::alive;
    }
    if (outcome != Outcome::alive)
        ascend(depth);
    return outcome;
}

// Take back the piece that the option at this depth used.
template <std::size_t W> void ListSearch<W>::ascend(std::size_t depth) {
    const std::uint32_t piece = frames_[depth].chosen_piece;
    ++room_[piece];
    const std::uint32_t used = cover_.most[piece] - room_[piece];
    const std::uint32_t need = used < cover_.least[piece] ? cover_.least[piece] - used : 0;
    needed_ += need - need_[piece];
    need_[piece] = need;
}

template <std::size_t W> bool ListSearch<W>::begin() {
    need_ = cover_.least;
    room_ = cover_.most;
    needed_ = 0;
    for (std::uint32_t n : need_)
        needed_ += n;
    Frame &root = frame(0);
    root.open = root.bare = {};
    for (std::size_t c = 0; c < cover_.cells(); ++c)
        (cover_.optional[c] ? root.bare : root.open)[c / 64] |= std::uint64_t{1} << c % 64;
    // The whole list lies at depth 1 for a moment, and is filtered by nothing into depth 0.
    Frame &all = frame(1);
    Frame &first = frames_[0];
    all.segments.clear();
    std::uint32_t end = 0;
    for (std::uint32_t p = 0; p < cover_.pieces(); ++p) {
        const std::uint32_t begin = end;
        for (std::size_t i = 0; i < cover_.placements(); ++i) {
            if (cover_.piece[i] != p)
                continue;
            Mask<W> mask{};
            for (std::uint32_t cell : cover_.cells_of(i))
                mask[cell / 64] |= std::uint64_t{1} << cell % 64;
            if (names_[{p, mask}].front() != cover_.name[i])
                continue; // differs only in colour from one already there
            for (std::size_t w = 0; w < W; ++w)
                word(all, w)[end] = mask[w];
            ++end;
        }
        all.segments.push_back({p, begin, end - begin});
    }
    return filter(all, first, {}, none, 0, false) && settle(first);
}

template <std::size_t W>
std::unique_ptr<Search> make_list_search(const Cover &cover, const Symmetry *symmetry) {
    return std::make_unique<ListSearch<W>>(cover, symmetry);
}

} // namespace kumitate::KUMITATE_ISA
