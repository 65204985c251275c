#include "cover.hpp"
#include "processor.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace kumitate {

#define KUMITATE_DECLARE(isa)                                                                      \
    namespace isa {                                                                                \
    std::unique_ptr<Search> make_list_search(const Cover &, const Symmetry *);                     \
    }
KUMITATE_DECLARE(plain)
#ifdef KUMITATE_X86
KUMITATE_DECLARE(v3)
KUMITATE_DECLARE(v4)
#elif defined(KUMITATE_ARM)
KUMITATE_DECLARE(neon)
#endif

namespace {

const InstructionSet sets[] = {
#ifdef KUMITATE_X86
    {"v4", has_v4()},
    {"v3", has_v3()},
#elif defined(KUMITATE_ARM)
    {"neon", true},
#endif
    {"plain", true},
};

constexpr decltype(&plain::make_list_search) makers[] = {
#ifdef KUMITATE_X86
    v4::make_list_search,
    v3::make_list_search,
#elif defined(KUMITATE_ARM)
    neon::make_list_search,
#endif
    plain::make_list_search,
};
static_assert(std::size(sets) == std::size(makers));

std::atomic<const InstructionSet *> chosen{
    std::find_if(std::begin(sets), std::end(sets), [](const auto &set) { return set.here; })};

#ifdef KUMITATE_LEAN
constexpr std::size_t most_columns = 128; // that the list core's masks hold
#else
constexpr std::size_t most_columns = 512;
#endif
constexpr std::uint64_t cells_per_node = 8;   // of reducing, for a node of a sparse search
constexpr std::size_t most_listed = 1u << 24; // placements that it can count in 24 planes

} // namespace

std::span<const InstructionSet> instruction_sets() {
    return sets;
}

const InstructionSet &find(std::span<const InstructionSet> known, const std::string &name) {
    std::string names;
    for (const InstructionSet &set : known) {
        if (set.name == name && set.here)
            return set;
        if (set.name == name)
            throw Refusal("this machine does not have instruction set " + name);
        names += names.empty() ? set.name : std::string(", ") + set.name;
    }
    throw Refusal("instruction set " + name + " is unknown; there are " + names);
}

const char *instruction_set() {
    return chosen.load()->name;
}

void use_instruction_set(const std::string &name) {
    chosen = &find(sets, name);
}

Search::~Search() = default;

std::size_t count_columns(const Cover &cover) {
    const auto once = [](std::uint32_t most) { return most <= 1; };
    return cover.cells() +
           static_cast<std::size_t>(std::count_if(cover.most.begin(), cover.most.end(), once));
}

static bool are_sound_pairs(const Cover &cover) {
    bool sound = cover.paired % 2 == 0 && cover.paired <= cover.cells();
    for (std::uint32_t cell = 0; sound && cell < cover.paired; ++cell)
        sound = cover.optional[cell] && cover.weight[cell] == 0;
    return sound;
}

static bool are_sound_further(const Cover &cover) {
    const auto &starts = cover.further_starts;
    if (starts.empty())
        return cover.further.empty();
    return starts.size() == cover.placements() + 1 && starts[0] == 0 &&
           starts.back() == cover.further.size() && std::is_sorted(starts.begin(), starts.end()) &&
           std::all_of(cover.further.begin(), cover.further.end(),
                       [&](std::uint32_t piece) { return piece < cover.pieces(); });
}

bool is_sound(const Cover &cover) {
    const auto below = [](const std::vector<std::uint32_t> &numbers, std::size_t most) {
        return std::all_of(numbers.begin(), numbers.end(), [=](auto n) { return n < most; });
    };
    return cover.weight.size() == cover.cells() && cover.most.size() == cover.pieces() &&
           cover.name.size() == cover.placements() &&
           cover.starts.size() == cover.placements() + 1 && cover.starts[0] == 0 &&
           cover.starts.back() == cover.covers.size() &&
           std::is_sorted(cover.starts.begin(), cover.starts.end()) &&
           below(cover.piece, cover.pieces()) && below(cover.covers, cover.cells()) &&
           are_sound_pairs(cover) && are_sound_further(cover);
}

std::unique_ptr<Search> make_search(const Cover &cover, const Symmetry *symmetry) {
    KUMITATE_EXPECT(is_sound(cover), "a search is of a sound cover");
    if (count_columns(cover) > most_columns || cover.placements() >= most_listed ||
        !cover.further.empty())
        return make_sparse_search(cover, symmetry);
    return makers[chosen.load() - sets](cover, symmetry);
}

bool keeps(const Rules &rules, std::span<const std::uint32_t> names) {
    KUMITATE_EXPECT(std::is_sorted(names.begin(), names.end()), "names are sorted");
    std::vector<std::uint32_t> used(rules.least.size(), 0);
    for (std::uint32_t name : names) {
        if (rules.forbidden[name])
            return false;
        ++used[rules.piece[name]];
    }
    for (std::size_t p = 0; p < used.size(); ++p)
        if (used[p] < rules.least[p] || used[p] > rules.most[p])
            return false;
    return std::all_of(rules.pinned.begin(), rules.pinned.end(), [&](std::uint32_t pin) {
        return std::binary_search(names.begin(), names.end(), pin);
    });
}

std::uint64_t class_size(const Symmetry &symmetry, std::span<const std::uint32_t> assembly) {
    KUMITATE_EXPECT(std::is_sorted(assembly.begin(), assembly.end()), "names are sorted");
    if (assembly.empty())
        return 1;
    std::uint64_t valid = 1, same = 1; // images that are assemblies, and that are this one
    std::uint32_t image[64];
    std::vector<std::uint32_t> longer(assembly.size() > 64 ? assembly.size() : 0);
    std::uint32_t *const begin = longer.empty() ? image : longer.data();
    std::uint32_t *const end = begin + assembly.size();
    for (std::size_t g = 0; g < symmetry.safe.size(); ++g) {
        const std::uint32_t *row = symmetry.images.data() + g * symmetry.names;
        bool exists = true, findable = true;
        for (std::size_t i = 0; i < assembly.size() && exists; ++i) {
            begin[i] = row[assembly[i]];
            exists = begin[i] != none;
            findable = findable && exists && !symmetry.broken[begin[i]];
            if (!findable && symmetry.safe[g])
                break;
        }
        if (findable && symmetry.safe[g]) { // most are decided by their first names
            const std::uint32_t first = *std::min_element(begin, end);
            if (first < assembly[0])
                return 0;
            if (first > assembly[0]) {
                ++valid;
                continue;
            }
        }
        if (exists && (findable || !symmetry.safe[g]))
            std::sort(begin, end);
        if (!exists || (!symmetry.safe[g] && !keeps(symmetry.rules, {begin, end})))
            continue;
        ++valid;
        if (!findable)
            continue;
        const auto [mine, its] = std::mismatch(begin, end, assembly.begin());
        if (mine == end)
            ++same;
        else if (*mine < *its)
            return 0;
    }
    return valid / same;
}

void turn_to_front(const Symmetry &symmetry, std::vector<std::uint32_t> &assembly) {
    if (assembly.empty())
        return;
    std::vector<std::uint32_t> least = assembly, image(assembly.size());
    for (std::size_t g = 0; g < symmetry.safe.size(); ++g) {
        const std::uint32_t *row = symmetry.images.data() + g * symmetry.names;
        bool exists = symmetry.turns[g];
        for (std::size_t i = 0; i < assembly.size() && exists; ++i) {
            image[i] = row[assembly[i]];
            exists = image[i] != none;
        }
        if (!exists || *std::min_element(image.begin(), image.end()) > least[0])
            continue;
        std::sort(image.begin(), image.end());
        if (image < least && (symmetry.safe[g] || keeps(symmetry.rules, image)))
            least = image;
    }
    assembly = std::move(least);
}

bool merge_cells(Cover &cover) {
    const std::size_t cells = cover.cells();
    std::vector<std::vector<std::uint32_t>> column(cells);
    for (std::uint32_t i = 0; i < cover.placements(); ++i)
        for (std::uint32_t cell : cover.cells_of(i))
            column[cell].push_back(i);
    std::map<std::vector<std::uint32_t>, std::uint32_t> first;
    std::vector<std::uint32_t> becomes(cells, none);
    std::vector<std::uint8_t> optional;
    std::vector<std::uint32_t> weight;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        if (column[cell].empty()) {
            if (!cover.optional[cell] || cover.weight[cell] > cover.holes)
                return false;
            cover.holes -= cover.weight[cell];
            continue;
        }
        const auto fresh = static_cast<std::uint32_t>(optional.size());
        const auto [at, is_new] = first.try_emplace(std::move(column[cell]), fresh);
        if (is_new) {
            optional.push_back(1);
            weight.push_back(0);
        }
        becomes[cell] = at->second;
        optional[at->second] = optional[at->second] && cover.optional[cell];
        weight[at->second] += cover.weight[cell];
    }
    std::vector<std::uint32_t> starts{0}, covers;
    for (std::size_t i = 0; i < cover.placements(); ++i) {
        std::vector<std::uint32_t> mine;
        for (std::uint32_t cell : cover.cells_of(i))
            mine.push_back(becomes[cell]);
        std::sort(mine.begin(), mine.end());
        mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
        covers.insert(covers.end(), mine.begin(), mine.end());
        starts.push_back(to_32_bits(covers.size(), "cells of placements"));
    }
    cover.optional = std::move(optional);
    cover.weight = std::move(weight);
    cover.starts = std::move(starts);
    cover.covers = std::move(covers);
    return true;
}

namespace {

// Which placements leave every other fixed cell and every needed piece a partner: a placement
// that does not meet them and whose piece they do not use up. One partner is proof enough, and the
// one that proved it for the last placement mostly does so again. So a useful placement costs about
// one comparison for each cell; only a useless one is compared with all that cover one cell.
class Partners {
  public:
    explicit Partners(const Cover &cover)
        : cover_(cover), span_(cover.placements()), keep_(cover.placements(), 1),
          on_cell_(cover.cells()), of_piece_(cover.pieces()), partner_(cover.cells(), 0) {
        for (std::uint32_t i = 0; i < cover.placements(); ++i) {
            const auto cells = cover.cells_of(i);
            const auto [low, high] = std::minmax_element(cells.begin(), cells.end());
            span_[i] = {masks_.size(), *low / 64, *high / 64 + 1};
            masks_.resize(masks_.size() + *high / 64 + 1 - *low / 64, 0);
            for (std::uint32_t cell : cells) {
                masks_[span_[i].at + cell / 64 - *low / 64] |= std::uint64_t{1} << cell % 64;
                on_cell_[cell].push_back(i);
            }
            of_piece_[cover.piece[i]].push_back(i);
        }
    }

    std::vector<std::uint8_t> useful() {
        for (std::uint32_t i = 0; i < cover_.placements(); ++i)
            keep_[i] = leaves_cells(i) && leaves_pieces(i);
        return std::move(keep_);
    }

  private:
    struct Span { // words `first` to `end` of a placement's mask, from masks_[at] on
        std::size_t at;
        std::uint32_t first, end;
    };

    bool leaves_cells(std::uint32_t i) {
        const auto mine = cover_.cells_of(i);
        std::size_t next = 0; // of mine, which are in order
        for (std::uint32_t cell = 0; cell < cover_.cells(); ++cell) {
            if (next < mine.size() && mine[next] == cell)
                ++next;
            else if (!cover_.optional[cell] && !leaves_cell(i, cell))
                return false;
        }
        return true;
    }

    bool leaves_cell(std::uint32_t i, std::uint32_t cell) {
        auto &others = on_cell_[cell];
        std::uint32_t &known = partner_[cell];
        if (known < others.size() && fit(i, others[known]))
            return true;
        for (known = 0; known < others.size(); ++known)
            if (fit(i, others[known]))
                return true;
        return false;
    }

    bool leaves_pieces(std::uint32_t i) const {
        for (std::size_t p = 0; p < cover_.pieces(); ++p) {
            std::uint32_t missing = cover_.least[p];
            missing -= missing && cover_.piece[i] == p;
            for (std::size_t k = 0; missing && k < of_piece_[p].size(); ++k)
                missing -= fit(i, of_piece_[p][k]);
            if (missing)
                return false;
        }
        return true;
    }

    // Whether both can be placed.
    bool fit(std::uint32_t i, std::uint32_t j) const {
        if (!keep_[j] || (cover_.piece[i] == cover_.piece[j] && cover_.most[cover_.piece[i]] == 1))
            return false;
        const Span &mine = span_[i], &its = span_[j];
        const std::uint32_t first = std::max(mine.first, its.first);
        const std::uint32_t end = std::min(mine.end, its.end);
        for (std::uint32_t w = first; w < end; ++w)
            if (masks_[mine.at + w - mine.first] & masks_[its.at + w - its.first])
                return false;
        return true;
    }

    const Cover &cover_;
    std::vector<std::uint64_t> masks_;
    std::vector<Span> span_;
    std::vector<std::uint8_t> keep_;
    std::vector<std::vector<std::uint32_t>> on_cell_, of_piece_;
    std::vector<std::uint32_t> partner_; // for each cell: where in on_cell_ the last partner is
};

void keep_only(Cover &cover, const std::vector<std::uint8_t> &keep) {
    Cover kept = cover;
    kept.piece.clear();
    kept.name.clear();
    kept.starts = {0};
    kept.covers.clear();
    for (std::size_t i = 0; i < cover.placements(); ++i) {
        if (!keep[i])
            continue;
        const auto cells = cover.cells_of(i);
        kept.piece.push_back(cover.piece[i]);
        kept.name.push_back(cover.name[i]);
        kept.covers.insert(kept.covers.end(), cells.begin(), cells.end());
        kept.starts.push_back(to_32_bits(kept.covers.size(), "cells of placements"));
    }
    cover = std::move(kept);
}

} // namespace

std::uint64_t cost_of_reducing(const Cover &cover) {
    // Reducing compares a placement with about one for each cell; a sparse node looks at them all.
    return count_columns(cover) <= most_columns ? cover.placements()
                                                : cover.cells() / cells_per_node;
}

Look look(const Cover &cover, std::uint64_t nodes, std::size_t room) {
    const std::atomic<bool> never{false};
    const std::unique_ptr<Search> search = make_search(cover, nullptr);
    const State &now = search->position();
    std::vector<std::uint32_t> found;
    search->run(nodes, never, &found, room);
    if (now.done)
        return {true, std::move(found)};
    if (now.nodes < nodes) // there is no room for more
        search->run(nodes - now.nodes, never, nullptr, 0);
    return {now.done, std::nullopt};
}

Reduced reduce(const Cover &cover) {
    require(cover.paired == 0 && cover.further.empty(),
            "what is reduced has pieces and cells only");
    Reduced reduced{cover, true};
    while (true) {
        if (!merge_cells(reduced.cover))
            return {cover, false};
        const auto keep = Partners(reduced.cover).useful();
        if (std::all_of(keep.begin(), keep.end(), [](std::uint8_t k) { return k; }))
            return reduced;
        keep_only(reduced.cover, keep);
    }
}

} // namespace kumitate
