#include "question.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace kumiki {

namespace {

std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

// Placements by what they look like; the sum of a hash of each cell needs no order.
class Directory {
  public:
    explicit Directory(const Question &question) : question_(question) {
        names_.reserve(2 * question.piece.size());
        for (std::uint32_t name = 0; name < question.piece.size(); ++name)
            names_.emplace(key(name, nullptr), name);
    }

    // The placement that a map makes of one, or `none`. Among pieces of one shape, its own is
    // taken.
    std::uint32_t image(std::uint32_t name, const std::uint32_t *goes_to) const {
        const auto [first, last] = names_.equal_range(key(name, goes_to));
        std::uint32_t found = none;
        for (auto at = first; at != last; ++at) {
            if (!looks_like(at->second, name, goes_to))
                continue;
            if (question_.piece[at->second] == question_.piece[name])
                return at->second;
            found = std::min(found, at->second);
        }
        return found;
    }

  private:
    const Question &question_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> names_;

    // Whether a placement lies just where the map puts the other. Its cells are in order, as the
    // goal's are.
    bool looks_like(std::uint32_t candidate, std::uint32_t name,
                    const std::uint32_t *goes_to) const {
        const auto &mine = question_.ways[candidate].covers, &its = question_.ways[name].covers;
        if (mine.size() != its.size())
            return false;
        for (std::size_t i = 0; i < its.size(); ++i) {
            const auto at = std::lower_bound(mine.begin(), mine.end(), goes_to[its[i]]);
            if (at == mine.end() || *at != goes_to[its[i]] ||
                question_.kinds[candidate][static_cast<std::size_t>(at - mine.begin())] !=
                    question_.kinds[name][i])
                return false;
        }
        return true;
    }

    std::uint64_t key(std::uint32_t name, const std::uint32_t *goes_to) const {
        std::uint64_t sum = 0;
        const auto &covers = question_.ways[name].covers;
        for (std::size_t i = 0; i < covers.size(); ++i) {
            const std::uint64_t cell = goes_to ? goes_to[covers[i]] : covers[i];
            sum +=
                mix(cell * 64 + static_cast<unsigned>(std::countr_zero(question_.kinds[name][i])));
        }
        return sum;
    }
};

} // namespace

void add_piece(Question &question, std::span<const Cell> shape,
               std::span<const std::uint64_t> kinds, std::uint32_t least, std::uint32_t most) {
    const auto piece = static_cast<std::uint32_t>(question.least.size());
    question.least.push_back(least);
    question.most.push_back(most);
    const std::span<const Turn> rotations{question.turns.data(), question.rotations};
    std::vector<Cell> turned;
    for (Way &way : ways(question.goal, rotations, shape, kinds)) {
        // `ways` sorts the turned cells; their kinds must follow them.
        turn_cells(question.turns[way.turn], shape, turned);
        std::vector<std::uint64_t> shown(kinds.begin(), kinds.end());
        for (std::size_t i = 0; i < turned.size(); ++i) {
            const auto at = static_cast<std::uint32_t>(find(question.goal, turned[i] + way.shift));
            const auto place = std::find(way.covers.begin(), way.covers.end(), at);
            shown[static_cast<std::size_t>(place - way.covers.begin())] = kinds[i];
        }
        question.piece.push_back(piece);
        question.ways.push_back(std::move(way));
        question.kinds.push_back(std::move(shown));
        question.forbidden.push_back(0);
    }
}

Symmetry make_symmetry(const Question &question, bool reflections) {
    Symmetry symmetry;
    const auto names = static_cast<std::uint32_t>(question.piece.size());
    symmetry.names = names;
    symmetry.broken.assign(names, 0);
    symmetry.piece = question.piece;
    symmetry.least = question.least;
    symmetry.most = question.most;
    symmetry.pinned = question.pinned;
    symmetry.forbidden = question.forbidden;
    const Directory directory(question);
    const std::span<const Turn> turns{question.turns.data(),
                                      reflections ? question.turns.size() : question.rotations};
    for (const GoalMap &map : goal_maps(question.goal, question.labels, turns)) {
        if (map.turn == 0)
            continue; // the identity
        symmetry.goes_to.push_back(map.goes_to);
        // A map is safe if whatever it makes of an assembly is one again.
        bool safe = true;
        std::vector<std::uint32_t> becomes(question.least.size(), none);
        for (std::uint32_t name = 0; name < names; ++name) {
            const std::uint32_t image = directory.image(name, map.goes_to.data());
            symmetry.images.push_back(image);
            safe = safe && image != none && !question.forbidden[name] == !question.forbidden[image];
            if (image != none)
                becomes[question.piece[name]] = question.piece[image];
        }
        for (std::size_t p = 0; p < becomes.size(); ++p)
            if (becomes[p] != none)
                safe = safe && question.least[p] == question.least[becomes[p]] &&
                       question.most[p] == question.most[becomes[p]];
        const std::uint32_t *row = symmetry.images.data() + symmetry.images.size() - names;
        for (std::uint32_t pin : question.pinned)
            safe = safe && std::find(question.pinned.begin(), question.pinned.end(), row[pin]) !=
                               question.pinned.end();
        symmetry.safe.push_back(safe);
    }
    return symmetry;
}

namespace {

// One placement of each orbit under some of the symmetries: the one with the least cells, so that
// the representatives crowd in one corner of the goal (3x4x5 pentominoes: 22 % fewer nodes than by
// the order of turns).
std::vector<std::uint32_t> representatives(const Question &question, const Symmetry &symmetry,
                                           std::span<const std::uint32_t> names,
                                           std::span<const std::size_t> maps) {
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const auto &cells_a = question.ways[a].covers, &cells_b = question.ways[b].covers;
        return cells_a != cells_b ? cells_a < cells_b : a < b;
    };
    std::vector<std::uint32_t> least;
    for (std::uint32_t name : names)
        if (std::none_of(maps.begin(), maps.end(), [&](std::size_t g) {
                return before(symmetry.images[g * symmetry.names + name], name);
            }))
            least.push_back(name);
    return least;
}

// Placements of which an assembly has just one, and those of them that are enough.
struct Breaker {
    std::vector<std::uint32_t> all, kept;
    double gain() const {
        return static_cast<double>(all.size()) / static_cast<double>(kept.size());
    }
};

std::vector<Breaker> breakers(const Question &question, const Symmetry &symmetry) {
    std::vector<Breaker> found;
    const std::size_t maps = symmetry.safe.size();
    const auto consider = [&](auto &&belongs, auto &&keeps) {
        std::vector<std::uint32_t> all;
        for (std::uint32_t name = 0; name < symmetry.names; ++name)
            if (!question.forbidden[name] && belongs(name))
                all.push_back(name);
        std::vector<std::size_t> usable;
        for (std::size_t g = 0; g < maps; ++g)
            if (symmetry.safe[g] && keeps(g, all))
                usable.push_back(g);
        if (!all.empty() && !usable.empty())
            found.push_back({all, representatives(question, symmetry, all, usable)});
    };
    for (std::uint32_t p = 0; p < question.least.size(); ++p)
        if (question.least[p] == 1 && question.most[p] == 1)
            consider([&](std::uint32_t name) { return question.piece[name] == p; },
                     [&](std::size_t g, const std::vector<std::uint32_t> &all) {
                         return std::all_of(all.begin(), all.end(), [&](std::uint32_t name) {
                             return question.piece[symmetry.images[g * symmetry.names + name]] == p;
                         });
                     });
    for (std::uint32_t cell = 0; cell < question.optional.size(); ++cell) {
        const auto stays = [&](std::size_t g) { return symmetry.goes_to[g][cell] == cell; };
        bool some = false;
        for (std::size_t g = 0; g < maps; ++g)
            some = some || stays(g);
        if (some && !question.optional[cell])
            consider(
                [&](std::uint32_t name) {
                    const auto &covers = question.ways[name].covers;
                    return std::find(covers.begin(), covers.end(), cell) != covers.end();
                },
                [&](std::size_t g, const std::vector<std::uint32_t> &) { return stays(g); });
    }
    return found;
}

} // namespace

double break_symmetry(const Question &question, Symmetry &symmetry) {
    const std::vector<Breaker> found = breakers(question, symmetry);
    double most = 1;
    for (const Breaker &breaker : found)
        most = std::max(most, breaker.gain());
    // Nearly the most gain, and then the fewest to begin with: W for the 3x4x5 pentominoes, with
    // 2.5 M nodes, where P gains a little more but needs 3.5 M.
    const Breaker *best = nullptr;
    for (const Breaker &breaker : found)
        if (breaker.gain() > 1 && breaker.gain() >= 0.9 * most &&
            (!best || breaker.kept.size() < best->kept.size()))
            best = &breaker;
    if (!best)
        return 1;
    for (std::uint32_t name : best->all)
        symmetry.broken[name] = 1;
    for (std::uint32_t name : best->kept)
        symmetry.broken[name] = 0;
    return best->gain();
}

Cover make_cover(const Question &question, const Symmetry *symmetry) {
    Cover cover;
    cover.optional = question.optional;
    cover.weight.assign(question.optional.size(), 1);
    cover.least = question.least;
    cover.most = question.most;
    cover.holes = question.holes;
    std::vector<std::uint32_t> pin_at(question.optional.size(), none);
    for (std::uint32_t pin : question.pinned)
        for (std::uint32_t cell : question.ways[pin].covers) {
            cover.optional[cell] = 0;
            pin_at[cell] = pin;
        }
    for (std::uint32_t name = 0; name < question.piece.size(); ++name) {
        if (question.forbidden[name] || (symmetry && symmetry->broken[name]))
            continue;
        const auto &covers = question.ways[name].covers;
        const bool free = std::all_of(covers.begin(), covers.end(), [&](std::uint32_t cell) {
            return pin_at[cell] == none || pin_at[cell] == name;
        });
        if (!free)
            continue;
        cover.piece.push_back(question.piece[name]);
        cover.name.push_back(name);
        cover.covers.insert(cover.covers.end(), covers.begin(), covers.end());
        cover.starts.push_back(static_cast<std::uint32_t>(cover.covers.size()));
    }
    return cover;
}

} // namespace kumiki
