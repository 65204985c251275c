#include "cover.hpp"
#include "contract.hpp"

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
#endif

namespace {

const InstructionSet sets[] = {
#ifdef KUMITATE_X86
    {"v4", __builtin_cpu_supports("x86-64-v4") != 0},
    {"v3", __builtin_cpu_supports("x86-64-v3") != 0},
#endif
    {"plain", true},
};

constexpr decltype(&plain::make_list_search) makers[] = {
#ifdef KUMITATE_X86
    v4::make_list_search,
    v3::make_list_search,
#endif
    plain::make_list_search,
};
static_assert(std::size(sets) == std::size(makers));

std::atomic<const InstructionSet *> chosen{
    std::find_if(std::begin(sets), std::end(sets), [](const auto &set) { return set.here; })};

constexpr std::size_t most_cells = 512;       // that the list core's masks hold
constexpr std::size_t most_listed = 1u << 24; // placements that it can count in 24 planes

// Beyond this many comparisons (some 60 ms) looking for useless placements does not pay.
constexpr std::uint64_t most_pairs = 6'000'000;

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

std::unique_ptr<Search> make_search(const Cover &cover, const Symmetry *symmetry) {
    if (cover.cells() > most_cells || cover.placements() >= most_listed)
        return make_sparse_search(cover, symmetry);
    return makers[chosen.load() - sets](cover, symmetry);
}

bool keeps(const Rules &rules, std::span<const std::uint32_t> names) {
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
    std::vector<std::uint32_t> least = assembly, image(assembly.size());
    for (std::size_t g = 0; g < symmetry.safe.size(); ++g) {
        const std::uint32_t *row = symmetry.images.data() + g * symmetry.names;
        bool exists = symmetry.turns[g];
        for (std::size_t i = 0; i < assembly.size() && exists; ++i) {
            image[i] = row[assembly[i]];
            exists = image[i] != none;
        }
        if (!exists)
            continue;
        std::sort(image.begin(), image.end());
        if (image < least && (symmetry.safe[g] || keeps(symmetry.rules, image)))
            least = image;
    }
    assembly = std::move(least);
}

namespace {

using Bits = std::vector<std::uint64_t>;

// Cells that the same placements cover are one; a fixed one if any of them is. Cells that nothing
// covers go, at the expense of the holes. False if a fixed cell is among those.
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

// The placements beside which every fixed cell can still be covered and every needed piece placed.
std::vector<std::uint8_t> useful(const Cover &cover) {
    const std::size_t n = cover.placements(), words = (cover.cells() + 63) / 64;
    Bits masks(n * words, 0), fixed(words, 0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::uint32_t cell : cover.cells_of(i))
            masks[i * words + cell / 64] |= std::uint64_t{1} << cell % 64;
    for (std::size_t c = 0; c < cover.cells(); ++c)
        if (!cover.optional[c])
            fixed[c / 64] |= std::uint64_t{1} << c % 64;
    std::vector<std::uint8_t> keep(n, 1);
    Bits covered(words);
    std::vector<std::uint32_t> count(cover.pieces());
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t *mine = masks.data() + i * words;
        std::copy(mine, mine + words, covered.begin());
        std::fill(count.begin(), count.end(), 0);
        ++count[cover.piece[i]];
        for (std::size_t j = 0; j < n; ++j) {
            const std::uint64_t *its = masks.data() + j * words;
            std::uint64_t meets = 0;
            for (std::size_t w = 0; w < words; ++w)
                meets |= mine[w] & its[w];
            if (meets || !keep[j] ||
                (cover.piece[j] == cover.piece[i] && cover.most[cover.piece[i]] == 1))
                continue;
            ++count[cover.piece[j]];
            for (std::size_t w = 0; w < words; ++w)
                covered[w] |= its[w];
        }
        for (std::size_t w = 0; w < words; ++w)
            keep[i] = keep[i] && !(fixed[w] & ~covered[w]);
        for (std::size_t p = 0; p < cover.pieces(); ++p)
            keep[i] = keep[i] && count[p] >= cover.least[p];
    }
    return keep;
}

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

bool worth_reducing(const Cover &cover) {
    const std::uint64_t n = cover.placements(), words = (cover.cells() + 63) / 64;
    if (n * n * words > most_pairs)
        return cover.cells() > most_cells;
    const std::atomic<bool> never{false};
    const std::unique_ptr<Search> trial = make_search(cover, nullptr);
    trial->run(cover.placements(), never, nullptr, 0);
    return !trial->position().done;
}

Reduced reduce(const Cover &cover) {
    Reduced reduced{cover, true};
    while (true) {
        if (!merge_cells(reduced.cover))
            return {cover, false};
        const std::uint64_t n = reduced.cover.placements();
        const std::uint64_t words = (reduced.cover.cells() + 63) / 64;
        if (n * n * words > most_pairs)
            return reduced;
        const auto keep = useful(reduced.cover);
        if (std::all_of(keep.begin(), keep.end(), [](std::uint8_t k) { return k; }))
            return reduced;
        keep_only(reduced.cover, keep);
    }
}

} // namespace kumitate
