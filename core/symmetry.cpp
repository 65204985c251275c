#include "symmetry.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace kumitate {

namespace {

// Choosing by samples what to break the symmetry by: a sample costs as much as some 20 options of
// the search, and all of them a twentieth of it, but at most a second or so. What a sample costs at
// most is told by the words of all placements and the pieces on its way; where that is too much for
// the first samples, the rule decides.
constexpr unsigned first_samples = 100;
constexpr double options_per_sample = 20, options_for_samples = 0.05, most_samples = 50'000,
                 most_words = 4e9;
constexpr std::size_t finalists = 3;
constexpr double clear_margin = 0.85;

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

} // namespace

// Placements by what they look like; the sum of a hash of each cell needs no order.
class Directory {
  public:
    explicit Directory(const Problem &problem) : problem_(problem) {
        for (const Cell &cell : problem.goal.cells)
            salt_.push_back(hash_of(cell));
        shows_.assign(problem.optional.size(), 0);
        for (std::uint32_t name = 0; name < problem.rules.piece.size(); ++name)
            names_.add(key(name, nullptr), name, [](std::uint32_t) { return false; });
    }

    // The placement that a map makes of one: of its own piece, or of that one's partner; or `none`.
    std::uint32_t image(std::uint32_t name, const std::uint32_t *goes_to) {
        const std::uint32_t piece = problem_.rules.piece[name];
        return names_.find(key(name, goes_to), [&](std::uint32_t other) {
            const std::uint32_t its = problem_.rules.piece[other];
            return (its == piece || its == partner(piece)) && looks_like(other, name, goes_to);
        });
    }

  private:
    const Problem &problem_;
    std::vector<std::uint32_t> partners_; // for each piece, once one is asked for
    Numbers names_;
    std::vector<std::uint64_t> salt_;  // for each cell
    std::vector<std::uint64_t> shows_; // for each cell, while a placement is compared; else 0

    std::uint32_t partner(std::uint32_t piece) {
        if (partners_.empty())
            partners_ = mirror_partners(problem_);
        return partners_[piece];
    }

    const std::vector<std::uint64_t> &kinds(std::uint32_t name) const {
        return problem_.kinds[problem_.orientation[name]];
    }

    // Whether a placement lies just where the map puts the other.
    bool looks_like(std::uint32_t candidate, std::uint32_t name, const std::uint32_t *goes_to) {
        const auto &mine = problem_.ways[candidate].covers, &its = problem_.ways[name].covers;
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
        const auto &covers = problem_.ways[name].covers;
        for (std::size_t i = 0; i < covers.size(); ++i)
            sum += salt_[goes_to ? goes_to[covers[i]] : covers[i]] * (2 * kinds(name)[i] + 1);
        return sum;
    }
};

namespace {

// What the maps of a goal make of placements. Of all the maps few are looked up: what a product
// does is known when its factors are, unless a placement becomes one of another piece, or nothing,
// on the way. And a piece whose mirror image one reflection does not find, none finds.
class Images {
  public:
    Images(const Problem &problem, std::span<const GoalMap> maps)
        : problem_(problem), maps_(maps), directory_(problem), names_(problem.ways.size()),
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
        std::vector<std::uint32_t> product(problem_.optional.size());
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
    const Problem &problem_;
    const std::span<const GoalMap> maps_;
    Directory directory_;
    const std::size_t names_;
    std::vector<std::uint32_t> rows_;
    std::vector<std::uint8_t> lost_; // for each piece, whether reflections make nothing of it

    std::uint32_t *row(std::size_t map) { return rows_.data() + map * names_; }

    // The row of the map that is first one, then the other; `made` may be the other.
    void multiply(std::size_t one, std::size_t other, std::size_t made) {
        for (std::size_t o = 0; o < problem_.turn.size(); ++o) {
            const std::uint32_t first = problem_.starts[o], end = problem_.starts[o + 1];
            if (first == end)
                continue;
            const std::uint32_t halfway = made == other ? none : row(one)[first];
            const std::uint32_t image = halfway == none ? none : row(other)[halfway];
            if (image == none || problem_.rules.piece[image] != problem_.rules.piece[first])
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
        const bool reflects = maps_[map].turn >= problem_.rotations;
        std::uint8_t &lost = lost_[problem_.rules.piece[first]];
        const std::uint32_t image =
            reflects && lost ? none : directory_.image(first, goes_to.data());
        if (image == none) {
            lost = lost || reflects;
            std::fill(row(map) + first, row(map) + end, none);
            return;
        }
        const auto &covers = problem_.ways[first].covers;
        const auto leads = static_cast<std::size_t>(
            std::find_if(covers.begin(), covers.end(),
                         [&](std::uint32_t cell) {
                             return goes_to[cell] == problem_.ways[image].covers[0];
                         }) -
            covers.begin());
        KUMITATE_EXPECT(leads < covers.size(), "an image covers what its placement is mapped to");
        const std::uint32_t there = problem_.orientation[image];
        const auto low = problem_.ways.begin() + problem_.starts[there];
        const auto high = problem_.ways.begin() + problem_.starts[there + 1];
        for (std::uint32_t name = first; name < end; ++name)
            row(map)[name] = static_cast<std::uint32_t>(
                std::lower_bound(
                    low, high, goes_to[problem_.ways[name].covers[leads]],
                    [](const Way &way, std::uint32_t cell) { return way.covers[0] < cell; }) -
                problem_.ways.begin());
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
    if (maps.size() < 2) // the identity at most
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
                const std::uint32_t image = symmetry.images[g * symmetry.names + name];
                KUMITATE_EXPECT(image != none, "a safe symmetry has an image of every placement");
                return before(image, name);
            }))
            least.push_back(name);
    return least;
}

} // namespace

std::vector<Breaker> breakers(const Problem &problem, const Symmetry &symmetry) {
    std::vector<Breaker> found;
    if (symmetry.safe.empty())
        return found;
    std::vector<std::vector<std::uint32_t>> of_piece(problem.rules.least.size()),
        of_cell(problem.optional.size());
    std::vector<std::vector<std::size_t>> keep_cell(problem.optional.size()); // safe maps that do
    for (std::size_t g = 0; g < symmetry.safe.size(); ++g)
        for (std::uint32_t cell = 0; symmetry.safe[g] && cell < keep_cell.size(); ++cell)
            if (!problem.optional[cell] && symmetry.goes_to[g][cell] == cell)
                keep_cell[cell].push_back(g);
    for (std::uint32_t name = 0; name < symmetry.names; ++name) {
        if (problem.rules.forbidden[name])
            continue;
        of_piece[problem.rules.piece[name]].push_back(name);
        for (std::uint32_t cell : problem.ways[name].covers)
            if (!keep_cell[cell].empty())
                of_cell[cell].push_back(name);
    }
    const auto consider = [&](std::vector<std::uint32_t> &all, std::span<const std::size_t> maps) {
        if (all.empty() || maps.empty())
            return;
        Breaker breaker{{}, representatives(problem, symmetry, all, maps)};
        breaker.all = std::move(all);
        found.push_back(std::move(breaker));
    };
    for (std::uint32_t p = 0; p < problem.rules.least.size(); ++p) {
        if (problem.rules.least[p] != 1 || problem.rules.most[p] != 1)
            continue;
        std::vector<std::size_t> keep_piece;
        for (std::size_t g = 0; g < symmetry.safe.size(); ++g) {
            const std::uint32_t *row = symmetry.images.data() + g * symmetry.names;
            if (symmetry.safe[g] &&
                std::all_of(of_piece[p].begin(), of_piece[p].end(), [&](std::uint32_t name) {
                    return problem.rules.piece[row[name]] == p;
                }))
                keep_piece.push_back(g);
        }
        consider(of_piece[p], keep_piece);
    }
    for (std::uint32_t cell = 0; cell < problem.optional.size(); ++cell)
        consider(of_cell[cell], keep_cell[cell]);
    return found;
}

namespace {

// What gains nearly the most, and then has the fewest to begin with: W for the 3x4x5 pentominoes,
// with 2.5 M nodes, where P gains a little more but needs 3.5 M. None if nothing gains.
const Breaker *best_by_rule(const std::vector<Breaker> &found) {
    double most = 1;
    for (const Breaker &breaker : found)
        most = std::max(most, breaker.gain());
    const Breaker *best = nullptr;
    for (const Breaker &breaker : found)
        if (breaker.gain() > 1 && breaker.gain() >= 0.9 * most &&
            (!best || breaker.kept.size() < best->kept.size()))
            best = &breaker;
    return best;
}

double words_per_sample(const Problem &problem) {
    std::size_t smallest = problem.goal.cells.size();
    for (const Shape &shape : problem.shapes)
        smallest = std::min(smallest, shape.cells.size());
    const auto cells = static_cast<double>(problem.goal.cells.size());
    return static_cast<double>(problem.ways.size()) * (cells / 64 + 1) *
           (cells / static_cast<double>(std::max<std::size_t>(smallest, 1)) + 1);
}

} // namespace

void break_by(const Breaker &breaker, Symmetry &symmetry) {
    symmetry.broken.assign(symmetry.names, 0);
    for (std::uint32_t name : breaker.all)
        symmetry.broken[name] = 1;
    for (std::uint32_t name : breaker.kept)
        symmetry.broken[name] = 0;
}

double break_symmetry(const std::vector<Breaker> &choices, Symmetry &symmetry) {
    const Breaker *best = best_by_rule(choices);
    if (!best)
        return 1;
    break_by(*best, symmetry);
    return best->gain();
}

bool break_symmetry_better(const Problem &problem, const std::vector<Breaker> &choices,
                           Symmetry &symmetry) {
    const Breaker *const rule = best_by_rule(choices), *best = rule;
    if (!rule)
        return false;
    const auto size_by = [&](const Breaker &breaker, unsigned samples) {
        break_by(breaker, symmetry);
        const Cover cover = make_cover(problem, &symmetry);
        return make_search(cover, nullptr)->estimate_size(samples);
    };
    const double most = std::min(most_samples, most_words / words_per_sample(problem));
    const double size = most < 200 * first_samples ? 0 : size_by(*rule, first_samples);
    const double affordable = std::min(size * options_for_samples / options_per_sample, most);
    std::vector<std::pair<double, const Breaker *>> others;
    const auto each = static_cast<unsigned>(affordable / 2 / static_cast<double>(choices.size()));
    if (each >= first_samples) {
        for (const Breaker &breaker : choices)
            if (&breaker != rule && breaker.gain() > 1)
                others.emplace_back(size_by(breaker, each), &breaker);
        std::stable_sort(others.begin(), others.end(),
                         [](const auto &a, const auto &b) { return a.first < b.first; });
        others.resize(std::min<std::size_t>(others.size(), finalists));
        const auto more = static_cast<unsigned>(affordable / 2 / (finalists + 1));
        double least = clear_margin * size_by(*rule, more);
        for (const auto &[estimate, breaker] : others)
            if (const double its = size_by(*breaker, more); its < least) {
                least = its;
                best = breaker;
            }
    }
    break_by(*best, symmetry);
    return best != rule;
}

Thorough::Thorough(const Problem &problem, bool reflections)
    : problem_(problem),
      turns_{problem.turns.data(), reflections ? problem.turns.size() : problem.rotations},
      own_(goal_maps(problem.goal, problem.labels, turns_)),
      directory_(std::make_unique<Directory>(problem)) {}

Thorough::~Thorough() = default;

bool Thorough::stands_for_its_class(std::span<const std::uint32_t> assembly) {
    const Goal &goal = problem_.goal;
    std::vector<std::uint32_t> covered;
    for (std::uint32_t name : assembly)
        require(name < problem_.ways.size(), "an assembly has placements that there are");
    for (std::uint32_t name : assembly)
        covered.insert(covered.end(), problem_.ways[name].covers.begin(),
                       problem_.ways[name].covers.end());
    const auto fixed = std::count(problem_.optional.begin(), problem_.optional.end(), 0);
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
        if (!keeps(problem_.rules, image))
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
                const std::uint32_t at = find(goal, turned[i] + by);
                goes_to[covered[i]] = at;
                on_fixed += !problem_.optional[at];
            }
            if (on_fixed == fixed)
                consider(own != own_.end() && own->goes_to[covered[0]] == goes_to[covered[0]]);
        }
    }
    return least == least_own;
}

} // namespace kumitate
