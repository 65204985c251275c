// From a goal and pieces to classes of assemblies: as many as there are orbits of a plain list of
// all assemblies under all maps of the goal onto itself, whichever way symmetry is broken.

#include "../symmetry.hpp"
#include "check.hpp"
#include "random_cover.hpp"

#include <map>

using namespace kumitate;

// The four quarter turns in the plane, then their mirror images.
static std::vector<Turn> plane_turns() {
    std::vector<Turn> turns;
    for (const std::int32_t mirror : {1, -1})
        for (const auto &[c, s] : {std::pair{1, 0}, {0, 1}, {-1, 0}, {0, -1}})
            turns.push_back({{mirror * c, -s * mirror, 0, s, c, 0, 0, 0, 1}, 1, {0}, {{0, 0, 0}}});
    return turns;
}

static Problem problem_of(const std::vector<Cell> &goal,
                          const std::vector<std::uint8_t> &optional) {
    Problem problem;
    problem.goal = make_goal(goal, std::vector<std::uint64_t>(goal.size(), 1));
    problem.labels.assign(optional.begin(), optional.end());
    problem.optional = optional;
    problem.turns = plane_turns();
    problem.rotations = 4;
    problem.holes = 0;
    return problem;
}

// An assembly by what it looks like: the cells of each piece.
using Pattern = std::set<std::set<std::pair<int, int>>>;

static std::set<Pattern> patterns_of(const Problem &problem, const Assemblies &assemblies) {
    std::set<Pattern> patterns;
    for (const auto &names : assemblies) {
        Pattern pattern;
        for (std::uint32_t name : names) {
            std::set<std::pair<int, int>> cells;
            for (std::uint32_t cell : problem.ways[name].covers)
                cells.insert({problem.goal.cells[cell].x, problem.goal.cells[cell].y});
            pattern.insert(cells);
        }
        patterns.insert(pattern);
    }
    return patterns;
}

// The maps of the goal, fixed cells on fixed ones, as functions of a cell.
struct Plainly {
    Turn turn;
    int x, y;
    std::pair<int, int> operator()(std::pair<int, int> at) const {
        const auto &m = turn.matrix;
        return {m[0] * at.first + m[1] * at.second + x, m[3] * at.first + m[4] * at.second + y};
    }
};

static std::vector<Plainly> maps_of(const Problem &problem, std::size_t turns) {
    std::map<std::pair<int, int>, std::uint8_t> goal;
    for (std::size_t i = 0; i < problem.goal.cells.size(); ++i)
        goal[{problem.goal.cells[i].x, problem.goal.cells[i].y}] = problem.optional[i];
    std::vector<Plainly> maps;
    for (std::size_t t = 0; t < turns; ++t)
        for (int x = -4; x <= 4; ++x) // goals are three cells wide and high at most
            for (int y = -4; y <= 4; ++y) {
                const Plainly map{problem.turns[t], x, y};
                if (std::all_of(goal.begin(), goal.end(), [&](const auto &cell) {
                        const auto there = goal.find(map(cell.first));
                        return there != goal.end() && there->second == cell.second;
                    }))
                    maps.push_back(map);
            }
    return maps;
}

static std::size_t orbits(const std::set<Pattern> &all, const std::vector<Plainly> &maps) {
    std::set<Pattern> seen;
    std::size_t count = 0;
    for (const Pattern &pattern : all) {
        if (seen.count(pattern))
            continue;
        ++count;
        std::vector<Pattern> todo{pattern};
        seen.insert(pattern);
        while (!todo.empty()) {
            const Pattern here = todo.back();
            todo.pop_back();
            for (const Plainly &map : maps) {
                Pattern image;
                for (const auto &piece : here) {
                    std::set<std::pair<int, int>> cells;
                    for (const auto &cell : piece)
                        cells.insert(map(cell));
                    image.insert(cells);
                }
                if (all.count(image) && seen.insert(image).second)
                    todo.push_back(image);
            }
        }
    }
    return count;
}

static State searched(const Cover &cover, const Symmetry *symmetry) {
    const std::atomic<bool> never{false};
    const auto search = make_search(cover, symmetry);
    search->run(~std::uint64_t{0} / 2, never, nullptr, 0);
    return search->position();
}

static void as_many_classes_as_orbits() {
    const std::vector<std::vector<Cell>> shapes{
        {{0, 0, 0, 0}},
        {{0, 0, 0, 0}, {1, 0, 0, 0}},
        {{0, 0, 0, 0}, {1, 0, 0, 0}, {1, 1, 0, 0}},
        {{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 0}, {2, 1, 0, 0}}, // chiral in the plane,
        {{0, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 0}}, // and its mirror image
    };
    std::mt19937 random(12);
    const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    int symmetric = 0, banned = 0, choice = 0;
    for (int round = 0; round < 1500; ++round) {
        std::vector<Cell> goal;
        std::vector<std::uint8_t> optional;
        const int width = 2 + static_cast<int>(below(2)), height = 2 + static_cast<int>(below(2));
        for (int x = 0; x < width; ++x)
            for (int y = 0; y < height; ++y)
                if (round % 2 || below(5)) {
                    goal.push_back({x, y, 0, 0});
                    optional.push_back(below(round % 4 ? 20 : 3) == 0);
                }
        if (goal.empty())
            continue;
        Problem problem = problem_of(goal, optional);
        for (std::uint32_t entries = 1 + below(4); entries > 0; --entries) {
            const std::vector<Cell> &shape = shapes[below(5)];
            const std::uint32_t least = below(2);
            add_piece(problem, shape, std::vector<std::uint64_t>(shape.size(), 1), least,
                      least + below(3), true);
        }
        problem.holes = below(4);
        const std::size_t ways = problem.ways.size();
        if (ways == 0 || ways > 18)
            continue;
        if (below(3) == 0) {
            problem.rules.forbidden[below(static_cast<unsigned>(ways))] = 1;
            ++banned;
        }
        const Cover cover = make_cover(problem, nullptr);
        const std::size_t forbidden = static_cast<std::size_t>(
            std::count(problem.rules.forbidden.begin(), problem.rules.forbidden.end(), 1));
        expect(cover.placements() == ways - forbidden, "all placements but the forbidden");
        const Assemblies assemblies = plain_search(cover);
        const std::set<Pattern> patterns = patterns_of(problem, assemblies);
        expect(patterns.size() == assemblies.size(), "no two look the same");
        for (const bool reflections : {false, true}) {
            const auto maps = maps_of(problem, reflections ? 8 : 4);
            const std::size_t expected = orbits(patterns, maps);
            Symmetry symmetry = make_symmetry(problem, reflections);
            const auto check = [&] {
                const State state = searched(make_cover(problem, &symmetry), &symmetry);
                expect(state.found == expected, "one of each class");
                expect(state.all == assemblies.size(), "and the classes add up to all");
            };
            check();
            const std::vector<Breaker> choices = breakers(problem, symmetry);
            for (const Breaker &breaker : choices) { // whichever of them is chosen
                break_by(breaker, symmetry);
                check();
            }
            choice += expected > 0 && choices.size() > 1;
            symmetric += maps.size() > 1 && expected > 0 && expected < assemblies.size();
        }
    }
    expect(symmetric > 100 && banned > 100 && choice > 40,
           "enough of them have symmetry, bans, and a choice of what breaks the symmetry");
}

static void copies_are_one_piece() {
    const std::vector<Cell> bar{{0, 0, 0, 0}, {1, 0, 0, 0}}, upright{{5, 5, 0, 0}, {5, 6, 0, 0}};
    const std::vector<std::uint64_t> kinds(2, 1);
    Problem problem = problem_of({{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}},
                                 std::vector<std::uint8_t>(4, 0));
    expect(add_piece(problem, bar, kinds, 1, 2, true) == 0, "the first");
    expect(add_piece(problem, upright, kinds, 1, 3, true) == 0, "is the other, turned");
    expect(problem.rules.least[0] == 2 && problem.rules.most[0] == 5, "bounds add up");
    expect(add_piece(problem, upright, kinds, 1, 1, false) == 1, "unless they differ");
    bool refused = false;
    try {
        add_piece(problem, bar, kinds, 0, 0xfffffffe, true);
    } catch (const std::runtime_error &) {
        refused = true;
    }
    expect(refused, "but not beyond 32 bits");
    expect(problem.rules.most[0] == 5, "which changes nothing");
}

// Symmetries that move two placements round: an assembly of one has an image, of both has none.
static void sizes_of_classes() {
    Symmetry symmetry;
    symmetry.names = 3;
    symmetry.images = {1, 0, 2};
    symmetry.goes_to = {{}};
    symmetry.turns = symmetry.safe = {1};
    symmetry.broken = {0, 0, 0};
    using Names = std::vector<std::uint32_t>;
    expect(class_size(symmetry, Names{0}) == 2, "it stands for two");
    expect(class_size(symmetry, Names{1}) == 0, "for which the other stands");
    expect(class_size(symmetry, Names{0, 1}) == 1, "alone");
    expect(class_size(symmetry, Names{2}) == 1, "it stays");
    Names turned{1, 2};
    turn_to_front(symmetry, turned);
    expect(turned == Names{0, 2}, "turned to the front");
    symmetry.broken = {1, 0, 0};
    expect(class_size(symmetry, Names{1}) == 2, "the other cannot be found");
    symmetry.broken = {0, 0, 0};
    symmetry.safe = {0};
    symmetry.rules = {{0, 1, 2}, {1, 0, 0}, {0, 0, 0}, {1, 1, 1}, {}};
    expect(class_size(symmetry, Names{1}) == 1, "its image is forbidden");
    symmetry.images = {1, none, 2};
    expect(class_size(symmetry, Names{1}) == 1, "it has no image");
}

// Of a 2 x 3 board the three rows come one after the other.
static void cells_are_numbered_along_the_longest_side() {
    const std::vector<Cell> board{{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 2, 0, 0},
                                  {1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 0, 0}};
    const std::vector<std::uint32_t> places =
        along(make_goal(board, std::vector<std::uint64_t>(6, 1)));
    expect(places == std::vector<std::uint32_t>{0, 2, 4, 1, 3, 5}, "row by row, each cell once");
}

void test_problem() {
    cells_are_numbered_along_the_longest_side();
    copies_are_one_piece();
    sizes_of_classes();
    as_many_classes_as_orbits();
}
