#include "items.hpp"

#include <algorithm>
#include <bit>

namespace kumitate {

namespace {

constexpr std::uint64_t most_compared = 1u << 26; // options with items, to reduce: some 0.1 s
constexpr std::uint64_t few_nodes = 30;           // to look at what cannot be reduced
constexpr std::size_t most_kept = 1u << 12;       // numbers in answers that are known at once
constexpr std::uint32_t widest_frontier = 40;     // items; beyond, states are hardly ever shared

// How often options cover an item: in how many colours, and whether without one.
struct Use {
    std::uint32_t options = 0, colours = 0;
    bool bare = false;
};

// What an item becomes.
struct Role {
    enum Kind { nothing, cell, pairs, piece } kind = nothing;
    std::uint32_t first = 0; // cell of it, or the piece
    std::uint32_t bits = 0;  // of its colours
};

bool is_cell(const ItemProblem &problem, std::uint32_t item) {
    return problem.most[item] == 1;
}

std::vector<Use> uses_of(const ItemProblem &problem) {
    std::vector<Use> uses(problem.least.size());
    for (std::size_t at = 0; at < problem.items.size(); ++at) {
        Use &use = uses[problem.items[at]];
        ++use.options;
        use.colours = std::max(use.colours, problem.colours[at]);
        use.bare |= problem.colours[at] == 0;
    }
    return uses;
}

// Cells in pairs come first. An item in one colour only needs none: it always agrees.
std::vector<Role> roles_of(const ItemProblem &problem, Cover &cover) {
    const std::vector<Use> uses = uses_of(problem);
    std::vector<Role> roles(uses.size());
    const auto add_cell = [&](bool optional) {
        cover.optional.push_back(optional);
        cover.weight.push_back(optional ? 0 : 1);
        return static_cast<std::uint32_t>(cover.cells() - 1);
    };
    for (std::size_t item = 0; item < uses.size(); ++item) {
        const auto &[options, colours, bare] = uses[item];
        if (colours < 2 && !(colours == 1 && bare))
            continue;
        const auto bits = std::max(1u, static_cast<std::uint32_t>(std::bit_width(colours - 1)));
        roles[item] = {Role::pairs, cover.paired, bits};
        cover.paired += 2 * bits;
        while (cover.cells() < cover.paired)
            add_cell(true);
    }
    for (std::uint32_t item = 0; item < uses.size(); ++item) {
        if (uses[item].colours > 0)
            continue;
        if (is_cell(problem, item)) {
            roles[item] = {Role::cell, add_cell(problem.least[item] == 0), 0};
        } else if (problem.least[item] > 0 || problem.most[item] < uses[item].options) {
            roles[item] = {Role::piece, static_cast<std::uint32_t>(cover.pieces()), 0};
            cover.least.push_back(problem.least[item]);
            cover.most.push_back(std::min(problem.most[item], uses[item].options));
        }
    }
    return roles;
}

} // namespace

bool is_sound(const ItemProblem &problem) {
    const std::size_t items = problem.least.size();
    return problem.most.size() == items && problem.colours.size() == problem.items.size() &&
           problem.starts[0] == 0 && problem.starts.back() == problem.items.size() &&
           std::is_sorted(problem.starts.begin(), problem.starts.end()) &&
           std::all_of(problem.items.begin(), problem.items.end(),
                       [&](std::uint32_t item) { return item < items; });
}

Cover make_cover(const ItemProblem &problem) {
    require(is_sound(problem), "options are of items that there are");
    Cover cover;
    const std::vector<Role> roles = roles_of(problem, cover);
    const auto free = static_cast<std::uint32_t>(cover.pieces()); // of which all others are
    cover.least.push_back(0);
    cover.most.push_back(to_32_bits(std::max<std::size_t>(problem.options(), 2), "options"));
    cover.further_starts.push_back(0);
    for (std::uint32_t option = 0; option < problem.options(); ++option) {
        std::uint32_t its = free;
        bool fixed = false;
        for (std::uint32_t at = problem.starts[option]; at < problem.starts[option + 1]; ++at) {
            const Role &role = roles[problem.items[at]];
            const std::uint32_t colour = problem.colours[at];
            if (role.kind == Role::cell) {
                cover.covers.push_back(role.first);
                fixed = fixed || !cover.optional[role.first];
            } else if (role.kind == Role::pairs && colour == 0) {
                cover.covers.insert(cover.covers.end(), {role.first, role.first + 1});
            } else if (role.kind == Role::pairs) {
                for (std::uint32_t bit = 0; bit < role.bits; ++bit)
                    cover.covers.push_back(role.first + 2 * bit + ((colour - 1) >> bit & 1));
            } else if (role.kind == Role::piece) {
                if (its == free)
                    its = role.first;
                else
                    cover.further.push_back(role.first);
            }
        }
        if (!fixed) {
            cover.covers.push_back(static_cast<std::uint32_t>(cover.cells()));
            cover.optional.push_back(1);
            cover.weight.push_back(1);
            ++cover.holes;
        }
        std::sort(cover.covers.begin() + cover.starts.back(), cover.covers.end());
        cover.piece.push_back(its);
        cover.name.push_back(option);
        cover.starts.push_back(to_32_bits(cover.covers.size(), "items of options"));
        cover.further_starts.push_back(to_32_bits(cover.further.size(), "items of options"));
    }
    if (cover.further.empty())
        cover.further_starts.clear();
    return cover;
}

Start start_on(const ItemProblem &problem) {
    Start start{make_cover(problem)};
    const Cover &cover = start.cover;
    std::vector<std::uint32_t> options(problem.least.size(), 0); // that cover each item
    for (std::uint32_t item : problem.items)
        ++options[item];
    for (std::size_t item = 0; item < options.size(); ++item)
        if (options[item] < problem.least[item])
            return {std::move(start.cover), false, std::vector<std::uint32_t>{}};
    if (cover.placements() * cover.cells() > most_compared)
        return start;
    const bool reducible = cover.paired == 0 && cover.further.empty();
    Look first = look(cover, reducible ? cost_of_reducing(cover) : few_nodes, most_kept);
    start.answers = std::move(first.answers);
    if (reducible && !first.over) {
        Reduced made = reduce(cover);
        start.cover = std::move(made.cover);
        start.possible = made.possible;
        if (!made.possible)
            start.answers.emplace();
    }
    return start;
}

Judge::Judge(const ItemProblem &problem)
    : problem_(problem), uses_(problem.least.size(), 0), colour_(problem.least.size(), 0),
      chosen_(problem.options(), 0) {
    for (std::uint32_t item = 0; item < problem.least.size(); ++item)
        if (problem.least[item] > 0)
            needed_.push_back(item);
}

std::string Judge::fault(std::span<const std::uint32_t> options) {
    std::string found;
    std::size_t judged = 0; // and to be forgotten again
    for (; judged < options.size() && found.empty(); ++judged) {
        const std::uint32_t option = options[judged];
        if (option >= problem_.options()) {
            found = "there is no option " + std::to_string(option);
            break;
        }
        if (chosen_[option]++)
            found = "an option is chosen twice";
        for (std::uint32_t at = problem_.starts[option]; at < problem_.starts[option + 1]; ++at) {
            const std::uint32_t item = problem_.items[at], colour = problem_.colours[at];
            if (uses_[item] && colour && colour == colour_[item])
                continue;
            ++uses_[item];
            colour_[item] = colour;
        }
    }
    const auto check = [&](std::uint32_t item, bool right) {
        if (!right && found.empty())
            found = "item " + std::to_string(item) + " is covered " + std::to_string(uses_[item]) +
                    " times";
    };
    for (std::uint32_t item : needed_)
        check(item, uses_[item] >= problem_.least[item]);
    for (std::uint32_t option : options.first(judged))
        for (std::uint32_t item : problem_.items_of(option))
            check(item, uses_[item] <= problem_.most[item]);
    for (std::uint32_t option : options.first(judged)) {
        chosen_[option] = 0;
        for (std::uint32_t item : problem_.items_of(option))
            uses_[item] = 0;
    }
    return found;
}

// How many items are reached by what lies before them, at most: each from the first item of an
// option that covers it, up to itself.
static std::uint32_t width_of(const Filling &filling) {
    std::vector<std::uint32_t> from(filling.cells);
    for (std::uint32_t cell = 0; cell < filling.cells; ++cell)
        from[cell] = cell;
    for (const Block &block : filling.blocks) {
        const std::uint32_t first = *std::min_element(block.cells.begin(), block.cells.end());
        for (std::uint32_t cell : block.cells)
            from[cell] = std::min(from[cell], first);
    }
    std::vector<std::uint32_t> begins(filling.cells, 0);
    for (std::uint32_t first : from)
        ++begins[first];
    std::uint32_t open = 0, widest = 0;
    for (std::uint32_t cell = 0; cell < filling.cells; ++cell) {
        open += begins[cell];
        widest = std::max(widest, open);
        --open; // this one is behind
    }
    return widest;
}

std::vector<Filling> fillings(const ItemProblem &problem) {
    if (std::any_of(problem.colours.begin(), problem.colours.end(), [](auto c) { return c; }))
        return {};
    Filling filling{0, {}, {}, {}};
    std::vector<std::uint32_t> becomes;
    for (std::uint32_t item = 0; item < problem.least.size(); ++item) {
        if (is_cell(problem, item)) {
            becomes.push_back(filling.cells++);
            continue;
        }
        becomes.push_back(static_cast<std::uint32_t>(filling.least.size()));
        filling.least.push_back(problem.least[item]);
        filling.most.push_back(problem.most[item]);
    }
    const std::size_t kinds = filling.least.size();
    if (kinds > most_kinds)
        return {};
    for (std::size_t option = 0; option < problem.options(); ++option) {
        Block block{{}, std::vector<std::uint32_t>(kinds, 0)};
        for (std::uint32_t item : problem.items_of(option))
            if (is_cell(problem, item))
                block.cells.push_back(becomes[item]);
            else
                ++block.uses[becomes[item]];
        if (block.cells.empty())
            return {};
        filling.blocks.push_back(std::move(block));
    }
    for (std::uint32_t item = 0; item < problem.least.size(); ++item)
        if (is_cell(problem, item) && problem.least[item] == 0) // it may stay empty
            filling.blocks.push_back({{becomes[item]}, std::vector<std::uint32_t>(kinds, 0)});
    if (width_of(filling) > widest_frontier)
        return {};
    return {std::move(filling)};
}

} // namespace kumitate
