#include "problem.hpp"
#include "contract.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

namespace kumitate {

namespace {

std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

} // namespace

// For each piece those that look like its mirror image, in order; none if it is its own.
std::vector<std::vector<std::uint32_t>> mirror_images(const Problem &problem) {
    const std::span<const Turn> turns{problem.turns};
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> pieces; // by their looks
    for (std::uint32_t p = 0; p < problem.looks.size(); ++p)
        for (const auto &[look, turn] : problem.looks[p])
            pieces[look].push_back(p);
    std::vector<std::vector<std::uint32_t>> found(problem.shapes.size());
    for (std::uint32_t p = 0; p < found.size(); ++p) {
        Shape image{{}, problem.shapes[p].kinds};
        for (const Turn &turn : turns.subspan(problem.rotations)) {
            if (!turn_cells(turn, problem.shapes[p].cells, image.cells) || image.cells.empty())
                continue;
            const auto alike = pieces.find(look_of(image.cells, image.kinds));
            if (alike == pieces.end())
                continue;
            for (std::uint32_t q : alike->second)
                if (is_among(problem.looks[q], problem.shapes[q], turns.first(problem.rotations),
                             image))
                    found[p].push_back(q);
            break;
        }
        if (std::find(found[p].begin(), found[p].end(), p) != found[p].end())
            found[p].clear();
    }
    return found;
}

// For each piece the other one that a reflection makes of it, or `none`. Where copies are distinct
// there may be several of either hand. They are paired in the order of entry, those used equally
// often first; one that is never used is left out, since no assembly becomes another by it.
std::vector<std::uint32_t> mirror_partners(const Problem &problem) {
    const auto images = mirror_images(problem);
    const Rules &rules = problem.rules;
    std::vector<std::uint32_t> partner(images.size(), none);
    for (const bool equally : {true, false})
        for (std::uint32_t p = 0; p < partner.size(); ++p)
            for (std::uint32_t q : images[p]) {
                const bool equal =
                    rules.least[p] == rules.least[q] && rules.most[p] == rules.most[q];
                if (partner[p] == none && partner[q] == none && rules.most[p] > 0 &&
                    rules.most[q] > 0 && (equal || !equally)) {
                    partner[p] = q;
                    partner[q] = p;
                }
            }
    return partner;
}

// Placements by what they look like; the sum of a hash of each cell needs no order.
class Directory {
  public:
    explicit Directory(const Problem &problem)
        : question_(problem), partner_(mirror_partners(problem)) {
        names_.reserve(2 * problem.rules.piece.size());
        for (std::size_t cell = 0; cell < problem.optional.size(); ++cell)
            salt_.push_back(mix(cell + 1));
        shows_.assign(problem.optional.size(), 0);
        for (std::uint32_t name = 0; name < problem.rules.piece.size(); ++name)
            names_.emplace(key(name, nullptr), name);
    }

    // The placement that a map makes of one: of its own piece, or of that one's partner; or `none`.
    std::uint32_t image(std::uint32_t name, const std::uint32_t *goes_to) {
        const auto [first, last] = names_.equal_range(key(name, goes_to));
        const std::uint32_t piece = question_.rules.piece[name];
        for (auto at = first; at != last; ++at) {
            const std::uint32_t its = question_.rules.piece[at->second];
            if ((its == piece || its == partner_[piece]) && looks_like(at->second, name, goes_to))
                return at->second;
        }
        return none;
    }

  private:
    const Problem &question_;
    const std::vector<std::uint32_t> partner_; // for each piece
    std::unordered_multimap<std::uint64_t, std::uint32_t> names_;
    std::vector<std::uint64_t> salt_;  // for each cell
    std::vector<std::uint64_t> shows_; // for each cell, while a placement is compared; else 0

    const std::vector<std::uint64_t> &kinds(std::uint32_t name) const {
        return question_.kinds[question_.orientation[name]];
    }

    // Whether a placement lies just where the map puts the other.
    bool looks_like(std::uint32_t candidate, std::uint32_t name, const std::uint32_t *goes_to) {
        const auto &mine = question_.ways[candidate].covers, &its = question_.ways[name].covers;
        if (mine.size() != its.size())
            return false;
        for (std::size_t i = 0; i < mine.size(); ++i)
            shows_[mine[i]] = kinds(candidate)[i];
        bool same = true;
        for (std::size_t i = 0; i < its.size(); ++i)
            same = same && shows_[goes_to[its[i]]] == kinds(name)[i];
        for (std::uint32_t cell : mine)
            shows_[cell] = 0;
        return same;
    }

    std::uint64_t key(std::uint32_t name, const std::uint32_t *goes_to) const {
        std::uint64_t sum = 0;
        const auto &covers = question_.ways[name].covers;
        for (std::size_t i = 0; i < covers.size(); ++i)
            sum += salt_[goes_to ? goes_to[covers[i]] : covers[i]] * (2 * kinds(name)[i] + 1);
        return sum;
    }
};

std::uint32_t add_piece(Problem &problem, std::span<const Cell> shape,
                        std::span<const std::uint64_t> kinds, std::uint32_t least,
                        std::uint32_t most, bool may_be_copy) {
    const auto piece = static_cast<std::uint32_t>(problem.looks.size());
    const std::span<const Turn> rotations{problem.turns.data(), problem.rotations};
    Shape mine{{shape.begin(), shape.end()}, {kinds.begin(), kinds.end()}};
    for (std::uint32_t other = 0; may_be_copy && other < piece; ++other)
        if (is_among(problem.looks[other], problem.shapes[other], rotations, mine)) {
            const auto sum = [](std::uint64_t a, std::uint64_t b) {
                return to_32_bits(a + b, "copies of a piece");
            };
            problem.rules.least[other] = sum(problem.rules.least[other], least);
            problem.rules.most[other] = sum(problem.rules.most[other], most);
            return other;
        }
    problem.rules.least.push_back(least);
    problem.rules.most.push_back(most);
    problem.looks.emplace_back();
    problem.shapes.push_back(std::move(mine));
    for (Orientation &found :
         orientations(problem.goal, rotations, shape, kinds, problem.looks.back())) {
        const auto orientation = static_cast<std::uint32_t>(problem.turn.size());
        problem.turn.push_back(found.turn);
        problem.kinds.push_back(std::move(found.kinds));
        for (Way &way : found.ways) {
            problem.rules.piece.push_back(piece);
            problem.orientation.push_back(orientation);
            problem.ways.push_back(std::move(way));
            problem.rules.forbidden.push_back(0);
        }
        problem.starts.push_back(to_32_bits(problem.ways.size(), "placements"));
    }
    return piece;
}

namespace {

// What the maps of a goal make of placements. Of all the maps few are looked up: what a product
// does is known when its factors are, unless a placement becomes one of another piece, or nothing,
// on the way. And a piece whose mirror image one reflection does not find, none finds.
class Images {
  public:
    Images(const Problem &problem, std::span<const GoalMap> maps)
        : question_(problem), maps_(maps), directory_(problem), names_(problem.ways.size()),
          rows_(maps.size() * names_), lost_(problem.rules.least.size(), 0) {}

    // For each map a row: the image of each placement, or `none`.
    std::vector<std::uint32_t> make() {
        std::map<std::vector<std::uint32_t>, std::size_t> number;
        for (std::size_t map = 0; map < maps_.size(); ++map)
            number.emplace(maps_[map].goes_to, map);
        std::iota(row(0), row(0) + names_, 0); // the identity
        std::vector<std::size_t> known{0}, factors;
        std::vector<std::uint8_t> is_known(maps_.size(), 0);
        is_known[0] = 1;
        std::vector<std::uint32_t> product(question_.optional.size());
        for (std::size_t factor = 1; factor < maps_.size(); ++factor) {
            if (is_known[factor])
                continue;
            multiply(0, factor, factor);
            factors.push_back(factor);
            for (std::size_t k = 0; k < known.size(); ++k)
                for (std::size_t by : factors) {
                    for (std::size_t cell = 0; cell < product.size(); ++cell)
                        product[cell] = maps_[by].goes_to[maps_[known[k]].goes_to[cell]];
                    const std::size_t made = number.at(product);
                    if (is_known[made])
                        continue;
                    is_known[made] = 1;
                    known.push_back(made);
                    if (made != by)
                        multiply(known[k], by, made);
                }
        }
        return std::move(rows_);
    }

  private:
    const Problem &question_;
    const std::span<const GoalMap> maps_;
    Directory directory_;
    const std::size_t names_;
    std::vector<std::uint32_t> rows_;
    std::vector<std::uint8_t> lost_; // for each piece, whether reflections make nothing of it

    std::uint32_t *row(std::size_t map) { return rows_.data() + map * names_; }

    // The row of the map that is first one, then the other; `made` may be the other.
    void multiply(std::size_t one, std::size_t other, std::size_t made) {
        for (std::size_t o = 0; o < question_.turn.size(); ++o) {
            const std::uint32_t first = question_.starts[o], end = question_.starts[o + 1];
            if (first == end)
                continue;
            const std::uint32_t halfway = made == other ? none : row(one)[first];
            const std::uint32_t image = halfway == none ? none : row(other)[halfway];
            if (image == none || question_.rules.piece[image] != question_.rules.piece[first])
                look_up(made, first, end);
            else
                for (std::uint32_t name = first; name < end; ++name)
                    row(made)[name] = row(other)[row(one)[name]];
        }
    }

    // All placements of an orientation come to lie in one orientation, with the same cell first, so
    // one of them is looked up and the others follow.
    void look_up(std::size_t map, std::uint32_t first, std::uint32_t end) {
        const auto &goes_to = maps_[map].goes_to;
        const bool reflects = maps_[map].turn >= question_.rotations;
        std::uint8_t &lost = lost_[question_.rules.piece[first]];
        const std::uint32_t image =
            reflects && lost ? none : directory_.image(first, goes_to.data());
        if (image == none) {
            lost = lost || reflects;
            std::fill(row(map) + first, row(map) + end, none);
            return;
        }
        const auto &covers = question_.ways[first].covers;
        const auto leads = static_cast<std::size_t>(
            std::find_if(covers.begin(), covers.end(),
                         [&](std::uint32_t cell) {
                             return goes_to[cell] == question_.ways[image].covers[0];
                         }) -
            covers.begin());
        const std::uint32_t there = question_.orientation[image];
        const auto low = question_.ways.begin() + question_.starts[there];
        const auto high = question_.ways.begin() + question_.starts[there + 1];
        for (std::uint32_t name = first; name < end; ++name)
            row(map)[name] = static_cast<std::uint32_t>(
                std::lower_bound(
                    low, high, goes_to[question_.ways[name].covers[leads]],
                    [](const Way &way, std::uint32_t cell) { return way.covers[0] < cell; }) -
                question_.ways.begin());
    }
};

} // namespace

Symmetry make_symmetry(const Problem &problem, bool reflections) {
    Symmetry symmetry;
    const auto names = static_cast<std::uint32_t>(problem.rules.piece.size());
    symmetry.names = names;
    symmetry.broken.assign(names, 0);
    symmetry.rules = problem.rules;
    const std::span<const Turn> turns{problem.turns.data(),
                                      reflections ? problem.turns.size() : problem.rotations};
    std::vector<GoalMap> maps = goal_maps(problem.goal, problem.labels, turns);
    if (maps.empty())
        return symmetry;
    symmetry.images = Images(problem, maps).make();
    symmetry.images.erase(symmetry.images.begin(), symmetry.images.begin() + names);
    for (std::size_t g = 1; g < maps.size(); ++g) { // the first is the identity
        symmetry.turns.push_back(maps[g].turn < problem.rotations);
        // A map is safe if whatever it makes of an assembly is one again.
        bool safe = true;
        std::vector<std::uint32_t> becomes(problem.rules.least.size(), none);
        const std::uint32_t *row = symmetry.images.data() + (g - 1) * names;
        for (std::uint32_t name = 0; name < names; ++name) {
            const std::uint32_t image = row[name];
            safe = safe && image != none &&
                   !problem.rules.forbidden[name] == !problem.rules.forbidden[image];
            if (image != none)
                becomes[problem.rules.piece[name]] = problem.rules.piece[image];
        }
        for (std::size_t p = 0; p < becomes.size(); ++p)
            if (becomes[p] != none)
                safe = safe && problem.rules.least[p] == problem.rules.least[becomes[p]] &&
                       problem.rules.most[p] == problem.rules.most[becomes[p]];
        for (std::uint32_t pin : problem.rules.pinned)
            safe = safe && std::find(problem.rules.pinned.begin(), problem.rules.pinned.end(),
                                     row[pin]) != problem.rules.pinned.end();
        symmetry.safe.push_back(safe);
        symmetry.goes_to.push_back(std::move(maps[g].goes_to));
    }
    return symmetry;
}

namespace {

// One placement of each orbit under some of the symmetries: the one with the least cells, so that
// the representatives crowd in one corner of the goal (3x4x5 pentominoes: 22 % fewer nodes than by
// the order of turns).
std::vector<std::uint32_t> representatives(const Problem &problem, const Symmetry &symmetry,
                                           std::span<const std::uint32_t> names,
                                           std::span<const std::size_t> maps) {
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const auto &cells_a = problem.ways[a].covers, &cells_b = problem.ways[b].covers;
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

std::vector<Breaker> breakers(const Problem &problem, const Symmetry &symmetry) {
    std::vector<Breaker> found;
    const std::size_t maps = symmetry.safe.size();
    std::vector<std::vector<std::uint32_t>> of_piece(problem.rules.least.size()),
        of_cell(problem.optional.size());
    for (std::uint32_t name = 0; name < symmetry.names; ++name) {
        if (problem.rules.forbidden[name])
            continue;
        of_piece[problem.rules.piece[name]].push_back(name);
        for (std::uint32_t cell : problem.ways[name].covers)
            of_cell[cell].push_back(name);
    }
    const auto consider = [&](std::vector<std::uint32_t> &all, auto &&keeps) {
        std::vector<std::size_t> usable;
        for (std::size_t g = 0; g < maps; ++g)
            if (symmetry.safe[g] && keeps(g))
                usable.push_back(g);
        if (all.empty() || usable.empty())
            return;
        Breaker breaker{{}, representatives(problem, symmetry, all, usable)};
        breaker.all = std::move(all);
        found.push_back(std::move(breaker));
    };
    for (std::uint32_t p = 0; p < problem.rules.least.size(); ++p)
        if (problem.rules.least[p] == 1 && problem.rules.most[p] == 1)
            consider(of_piece[p], [&](std::size_t g) {
                const std::uint32_t *row = symmetry.images.data() + g * symmetry.names;
                return std::all_of(of_piece[p].begin(), of_piece[p].end(), [&](std::uint32_t name) {
                    return problem.rules.piece[row[name]] == p;
                });
            });
    for (std::uint32_t cell = 0; cell < problem.optional.size(); ++cell)
        if (!problem.optional[cell])
            consider(of_cell[cell],
                     [&](std::size_t g) { return symmetry.goes_to[g][cell] == cell; });
    return found;
}

} // namespace

double break_symmetry(const Problem &problem, Symmetry &symmetry) {
    const std::vector<Breaker> found = breakers(problem, symmetry);
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

Cover make_cover(const Problem &problem, const Symmetry *symmetry) {
    Cover cover;
    cover.optional = problem.optional;
    cover.weight.assign(problem.optional.size(), 1);
    cover.least = problem.rules.least;
    cover.most = problem.rules.most;
    cover.holes = problem.holes;
    constexpr std::uint32_t clash = none - 1; // of two pins on one cell: nothing may cover it
    std::vector<std::uint32_t> pin_at(problem.optional.size(), none);
    for (std::uint32_t pin : problem.rules.pinned)
        for (std::uint32_t cell : problem.ways[pin].covers) {
            cover.optional[cell] = 0;
            pin_at[cell] = pin_at[cell] == none ? pin : clash;
        }
    for (std::uint32_t name = 0; name < problem.rules.piece.size(); ++name) {
        if (problem.rules.forbidden[name] || (symmetry && symmetry->broken[name]))
            continue;
        const auto &covers = problem.ways[name].covers;
        const bool free = std::all_of(covers.begin(), covers.end(), [&](std::uint32_t cell) {
            return pin_at[cell] == none || pin_at[cell] == name;
        });
        if (!free)
            continue;
        cover.piece.push_back(problem.rules.piece[name]);
        cover.name.push_back(name);
        cover.covers.insert(cover.covers.end(), covers.begin(), covers.end());
        cover.starts.push_back(to_32_bits(cover.covers.size(), "cells of placements"));
    }
    return cover;
}

std::string fault_of(const Problem &problem, std::span<const std::uint32_t> names,
                     std::uint64_t holes) {
    std::vector<std::uint32_t> sorted(names.begin(), names.end());
    std::sort(sorted.begin(), sorted.end());
    if (!sorted.empty() && sorted.back() >= problem.ways.size())
        return "there is no placement " + std::to_string(sorted.back());
    std::vector<std::uint8_t> covered(problem.optional.size(), 0);
    for (std::uint32_t name : sorted)
        for (std::uint32_t cell : problem.ways[name].covers)
            if (covered[cell]++)
                return "two pieces cover cell " + std::to_string(cell);
    for (std::size_t cell = 0; cell < covered.size(); ++cell)
        if (!covered[cell]) {
            if (!problem.optional[cell])
                return "nothing covers cell " + std::to_string(cell);
            if (holes-- == 0)
                return "too many cells are empty";
        }
    return keeps(problem.rules, sorted) ? "" : "a count, a pin or a ban is broken";
}

void require_assemblies(const Problem &problem, std::span<const std::uint32_t> rows) {
    for (std::size_t at = 0; at < rows.size(); at += 1 + rows[at]) {
        const std::string fault = fault_of(problem, rows.subspan(at + 1, rows[at]), problem.holes);
        if (!fault.empty())
            throw Broken("a search found an assembly that is none: " + fault);
    }
}

std::vector<std::uint32_t> along(const Goal &goal) {
    std::array<std::size_t, 3> axes{0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(),
                     [&](std::size_t a, std::size_t b) { return goal.size[a] > goal.size[b]; });
    std::vector<std::uint32_t> order(goal.cells.size()), place(goal.cells.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](std::uint32_t cell) {
        const Cell &c = goal.cells[cell];
        const std::int32_t at[3] = {c.x, c.y, c.z};
        return std::array{at[axes[0]], at[axes[1]], at[axes[2]], c.tile};
    };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    for (std::uint32_t i = 0; i < order.size(); ++i)
        place[order[i]] = i;
    return place;
}

namespace {

// Whether no cell comes twice.
bool disjoint(std::vector<std::uint32_t> cells) {
    std::sort(cells.begin(), cells.end());
    return std::adjacent_find(cells.begin(), cells.end()) == cells.end();
}

// The filling whose covers are the assemblies that a symmetry leaves as they are: `becomes` is what
// it makes of each placement, `goes_to` of each cell.
Filling filling(const Problem &problem, const Cover &cover, auto &&becomes, auto &&goes_to) {
    const std::vector<std::uint32_t> place = along(problem.goal);
    const std::size_t kinds = cover.pieces();
    Filling filling{static_cast<std::uint32_t>(cover.cells()), cover.least, cover.most, {}};
    filling.least.push_back(0); // the last kind is a hole
    filling.most.push_back(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(cover.holes, cover.cells())));
    for (std::size_t p = 0; p < kinds; ++p) // no more than fit, so that they fit a few bits
        filling.most[p] = std::min(filling.most[p], filling.cells);
    const auto add = [&](auto &&next, std::uint32_t first, auto &&lay) {
        Block block{{}, std::vector<std::uint32_t>(kinds + 1, 0)};
        std::uint32_t at = first;
        do {
            if (at < first)
                return; // this orbit was laid already
            lay(at, block);
            at = next(at);
        } while (at != first);
        for (std::uint32_t &cell : block.cells)
            cell = place[cell];
        if (disjoint(block.cells))
            filling.blocks.push_back(std::move(block));
    };
    for (std::uint32_t name : cover.name)
        add(becomes, name, [&](std::uint32_t at, Block &block) {
            const auto &covers = problem.ways[at].covers;
            block.cells.insert(block.cells.end(), covers.begin(), covers.end());
            ++block.uses[problem.rules.piece[at]];
        });
    for (std::uint32_t cell = 0; cell < cover.cells(); ++cell)
        if (cover.optional[cell])
            add(goes_to, cell, [&](std::uint32_t at, Block &block) {
                block.cells.push_back(at);
                ++block.uses[kinds];
            });
    return filling;
}

} // namespace

std::vector<Filling> fillings(const Problem &problem, const Symmetry *symmetry) {
    if (problem.rules.least.size() >= most_kinds ||
        (symmetry && !std::all_of(symmetry->safe.begin(), symmetry->safe.end(),
                                  [](std::uint8_t safe) { return safe; })))
        return {};
    const Cover cover = make_cover(problem, nullptr);
    const auto itself = [](std::uint32_t at) { return at; };
    std::vector<Filling> found{filling(problem, cover, itself, itself)};
    for (std::size_t g = 0; symmetry && g < symmetry->safe.size(); ++g)
        found.push_back(filling(
            problem, cover,
            [&](std::uint32_t name) { return symmetry->images[g * symmetry->names + name]; },
            [&](std::uint32_t cell) { return symmetry->goes_to[g][cell]; }));
    return found;
}

Thorough::Thorough(const Problem &problem, bool reflections)
    : question_(problem),
      turns_{problem.turns.data(), reflections ? problem.turns.size() : problem.rotations},
      own_(goal_maps(problem.goal, problem.labels, turns_)),
      directory_(std::make_unique<Directory>(problem)) {}

Thorough::~Thorough() = default;

bool Thorough::stands_for_its_class(std::span<const std::uint32_t> assembly) {
    const Goal &goal = question_.goal;
    std::vector<std::uint32_t> covered;
    for (std::uint32_t name : assembly)
        covered.insert(covered.end(), question_.ways[name].covers.begin(),
                       question_.ways[name].covers.end());
    const auto fixed = std::count(question_.optional.begin(), question_.optional.end(), 0);
    std::vector<Cell> cells, turned;
    for (std::uint32_t cell : covered)
        cells.push_back(goal.cells[cell]);

    std::vector<std::uint32_t> least, least_own, image(assembly.size());
    std::vector<std::uint32_t> goes_to(goal.cells.size());
    const auto consider = [&](bool is_own) {
        for (std::size_t i = 0; i < assembly.size(); ++i) {
            image[i] = directory_->image(assembly[i], goes_to.data());
            if (image[i] == none)
                return;
        }
        std::sort(image.begin(), image.end());
        if (!keeps(question_.rules, image))
            return;
        if (least.empty() || image < least)
            least = image;
        if (is_own && (least_own.empty() || image < least_own))
            least_own = image;
    };
    for (std::uint32_t t = 0; t < turns_.size() && !cells.empty(); ++t) {
        if (!turn_cells(turns_[t], cells, turned))
            continue;
        const auto own = std::find_if(own_.begin(), own_.end(),
                                      [&](const GoalMap &map) { return map.turn == t; });
        // Where the whole fits and leaves no fixed cell bare.
        for (const Shift &by :
             fits(goal, turned, std::vector<std::uint64_t>(cells.size(), ~0ull))) {
            std::ptrdiff_t on_fixed = 0;
            for (std::size_t i = 0; i < turned.size(); ++i) {
                const auto at = static_cast<std::uint32_t>(find(goal, turned[i] + by));
                goes_to[covered[i]] = at;
                on_fixed += !question_.optional[at];
            }
            if (on_fixed == fixed)
                consider(own != own_.end() && own->goes_to[covered[0]] == goes_to[covered[0]]);
        }
    }
    return least == least_own;
}

} // namespace kumitate
