// Long numbers against those of 128 bits; legs against many poses on them; and routes in rooms.

#include "../long.hpp"
#include "../reach.hpp"
#include "check.hpp"

#include <cmath>
#include <numbers>
#include <random>

using namespace kumitate;

static void long_numbers_are_numbers() {
    std::mt19937_64 random(3);
    const auto draw = [&] { return static_cast<std::int64_t>(random()) >> random() % 64; };
    for (int round = 0; round < 2000; ++round) {
        const Int128 a = draw(), b = draw(), c = draw();
        expect((Long(a) * Long(b) + Long(c) - Long(a * b + c)).sign() == 0, "sums and products");
        expect(Long(a).sign() == (a > 0) - (a < 0), "signs");
        const Long ab = Long(a) * Long(b), square = ab * ab * ab * ab; // 504 bits at most
        expect(square.sign() == (a * b != 0), "large squares are positive");
        expect((square * ab - ab * square).sign() == 0, "products commute");
        expect((-square).sign() == -square.sign(), "negation");
    }
}

static FlatPiece block(std::int32_t u, std::int32_t v, std::int32_t wide, std::int32_t high) {
    FlatPiece cells;
    for (std::int32_t i = 0; i < wide; ++i)
        for (std::int32_t j = 0; j < high; ++j)
            cells.push_back({0, u + i, v + j});
    return cells;
}

static FlatPiece room(std::int32_t wide, std::int32_t high) {
    FlatPiece cells;
    for (const FlatCell &cell : block(-1, -1, wide + 2, high + 2))
        if (cell.u < 0 || cell.v < 0 || cell.u >= wide || cell.v >= high)
            cells.push_back(cell);
    return cells;
}

// The least of the conditions under which a pair overlaps, in cells; they do if it is positive.
static double depth(const Meeting &pair, double tolerance, double x, double y, double angle) {
    const double unit = 1.0 / cell_grains, cos = std::cos(angle), sin = std::sin(angle);
    const double mx = pair.moves.x * unit, my = pair.moves.y * unit;
    const double dx = pair.stays.x * unit - x - mx * cos + my * sin,
                 dy = pair.stays.y * unit - y - mx * sin - my * cos;
    const double w = pair.moves.wide * unit - tolerance, h = pair.moves.high * unit - tolerance,
                 sw = pair.stays.wide * unit - tolerance, sh = pair.stays.high * unit - tolerance,
                 c = std::abs(cos), s = std::abs(sin);
    return std::min({sw + w * c + h * s - std::abs(dx), sh + w * s + h * c - std::abs(dy),
                     w + sw * c + sh * s - std::abs(dx * cos + dy * sin),
                     h + sw * s + sh * c - std::abs(dy * cos - dx * sin)});
}

static double angle_of(std::int32_t turn) {
    const double quarters = std::floor(turn / double{quarter}),
                 t = turn / double{quarter} - quarters;
    return quarters * std::numbers::pi / 2 + 2 * std::atan(t);
}

static void legs_hit_what_their_poses_do() {
    std::mt19937 random(4);
    const auto below = [&](std::uint32_t n) { return static_cast<std::int32_t>(random() % n); };
    int hit = 0, missed = 0, hit_on_arc = 0, missed_on_arc = 0;
    for (int round = 0; round < 8000; ++round) {
        const std::vector<FlatPiece> moving{block(0, 0, 1 + below(3), 1 + below(3))},
            staying{block(below(9) - 4, below(9) - 4, 1 + below(3), 1 + below(3))};
        const Scene scene(moving, staying);
        const std::int32_t tolerance = 50 * below(8), quadrant = below(5) - 2;
        const auto pose = [&] {
            const std::int64_t per = 1 + below(9);
            return Pose{below(40) - 20, below(40) - 20, per,
                        quadrant * quarter + (quarter / 8) * below(9)};
        };
        const Pose from = pose();
        Pose to = pose();
        if (to.turn != from.turn && below(2)) {
            to.on_arc = true;
            to.about_x = below(40) - 20, to.about_y = below(40) - 20;
        }
        const double a = angle_of(from.turn), by = angle_of(to.turn) - a;
        const double x0 = double(from.x) / double(from.per), y0 = double(from.y) / double(from.per),
                     dx = double(to.x) / double(to.per) - x0,
                     dy = double(to.y) / double(to.per) - y0;
        double deepest = -1e9;
        for (int i = 0; i <= 400; ++i) {
            const double s = i / 400.0;
            double x = x0 + s * dx, y = y0 + s * dy;
            if (to.on_arc) {
                const double early = std::sin((1 - s) * by) / std::sin(by),
                             late = std::sin(s * by) / std::sin(by),
                             mx = double(to.about_x) / double(to.per),
                             my = double(to.about_y) / double(to.per);
                x = mx + early * (x0 - mx) + late * (x0 + dx - mx);
                y = my + early * (y0 - my) + late * (y0 + dy - my);
            } else if (by != 0) {
                const double cot = 1 / std::tan(by / 2), px = x0 + (dx - cot * dy) / 2,
                             py = y0 + (dy + cot * dx) / 2;
                const double c = std::cos(s * by), n = std::sin(s * by);
                x = px + c * (x0 - px) - n * (y0 - py);
                y = py + n * (x0 - px) + c * (y0 - py);
            }
            for (const Meeting &pair : scene.meetings)
                deepest = std::max(deepest,
                                   depth(pair, tolerance / double{cell_grains}, x, y, a + s * by));
        }
        const bool hits_something = hits(scene, tolerance, from, to);
        expect(to.on_arc == false ||
                   hits_something == hits(scene, tolerance, plainly(to), reversed({from, to})[1]),
               "an arc leads back");
        if (deepest > 1e-9)
            expect(hits_something && ++(to.on_arc ? hit_on_arc : hit),
                   "a leg through something hits it");
        if (deepest < -0.3) // no pose is so far from one of the 400
            expect(!hits_something && ++(to.on_arc ? missed_on_arc : missed),
                   "a leg far from everything hits nothing");
    }
    expect(hit > 300 && missed > 300 && hit_on_arc > 300 && missed_on_arc > 300,
           "all kinds of legs");
}

static void scenes_have_few_rectangles() {
    const auto count = [](const FlatPiece &piece) {
        const std::vector<FlatPiece> moving{piece}, staying{{{0, 9, 9}}};
        return Scene(moving, staying).meetings.size();
    };
    expect(count(block(0, 0, 4, 3)) == 1, "a rectangle is one");
    expect(count({{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {0, 2, 1}}) == 3, "no gap where two join");
    expect(count({{0, 0, 0}, {1, 0, 0}}) == 1, "other layers do not matter");
    expect(count({{0, 0, 0}, {0, 2, 0}}) == 2, "cells apart stay apart");
}

static void legs_may_touch() {
    const std::vector<FlatPiece> square{block(0, 0, 1, 1)}, wall{block(-5, -1, 11, 1)},
        corner{block(-5, -1, 11, 1), block(-5, 0, 1, 1)};
    const Scene scene(square, wall);
    const Pose start = start_of(scene), about_corner = lattice_pose(scene, 1, 0, 0);
    expect(!hits(scene, 0, start, about_corner), "a square rolls over its corner");
    expect(hits(scene, 0, start, lattice_pose(scene, -1, 0, 0)), "but not into the wall");
    expect(!hits(scene, 0, start, {7, 1, 2, 0}), "a square slides along a wall");
    expect(hits(scene, 0, start, {7, 1, 2, 1}), "but not tilted");
    expect(hits(scene, 0, start, {1, 1, 2, 2 * quarter}), "a leg stays in a quadrant");
    expect(!hits(Scene(square, corner), 0, {-5, 3, 2, 0}, {-5, 3, 2, 0}), "touching is allowed");
    expect(hits(scene, 0, start, {(std::int64_t{1} << 62) - 1, 3, (std::int64_t{1} << 61) - 1, 9}),
           "numbers that are too large to decide are refused");
    // The angle of the tangent 1/2 has the cosine 3/5 and the sine 4/5. With a corner on the wall,
    // y = (cos + sin) / 2.
    const Pose on_arc{5, 7, 10, quarter / 2, true, 5, 0};
    expect(!hits(scene, 0, start, on_arc), "a corner slides along a wall while the square turns");
    expect(hits(scene, 0, start, plainly(on_arc)), "about no fixed pivot it can do that");
    expect(hits(scene, 0, start, {5, 7, 10, quarter / 2, true, 5, 2}), "nor on a flatter arc");
    expect(!hits(scene, 0, start, {5, 7, 10, quarter / 2, true, 5, -2}), "but on a steeper one");
    expect(hits(scene, 0, start, {1, 1, 2, 0, true, 1, 1}), "an arc turns");
}

static void rooms_have_known_answers() {
    const std::vector<FlatPiece> bar{block(0, 1, 3, 1)}, small{room(3, 3)}, large{room(4, 4)};
    Question question;
    expect(find_route(Scene(bar, large), question).verdict == Verdict::found, "a bar in 4 x 4");
    const Plan none = find_route(Scene(bar, small), question);
    expect(none.verdict == Verdict::none && none.none_at == 0, "a bar in 3 x 3");
    const Scene scene(bar, small);
    const Least least = least_tolerance(scene, question);
    expect(least.plan.verdict == Verdict::found && least.tolerance == 72 &&
               least.plan.none_at >= 70,
           "a bar in 3 x 3 turns with 0.036");
    for (std::size_t i = 0; i + 1 < least.plan.route.size(); ++i)
        expect(!hits(scene, least.tolerance, least.plan.route[i], least.plan.route[i + 1]),
               "routes are free");
    const std::vector<FlatPiece> square{block(0, 0, 1, 1)}, wall{block(-5, -1, 11, 1)};
    question.goal = {1, 0};
    const Plan lifted = find_route(Scene(square, wall), question);
    expect(lifted.verdict == Verdict::found && lifted.route.size() > 2, "a square beside a wall");
    question.boxes = 10;
    question.tolerance = 60;
    question.goal.reset();
    expect(find_route(scene, question).verdict == Verdict::limit, "a limit");
}

// Three cells around a corner turn in a room of nine, but not about a fixed pivot.
static void reach_stops() {
    std::vector<FlatPiece> elbow{{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, walls{{}};
    for (std::int32_t u = -1; u <= 3; ++u)
        for (std::int32_t v = -1; v <= 3; ++v)
            if (u == -1 || v == -1 || u == 3 || v == 3)
                walls[0].push_back({0, u, v});
    const Scene scene(elbow, walls);
    const Reach hard = reach(scene, 0, 40);
    expect(hard.near.size() == 4 && hard.far.size() == 12 && hard.certain, "an elbow in 3 x 3");
    for (const Landing &landing : hard.far)
        for (std::size_t i = 0; i + 1 < landing.route.size(); ++i)
            expect(!hits(scene, 0, landing.route[i], landing.route[i + 1]), "routes are free");
    // With half cells it can stop in the middle of the room, and turns there about its centre.
    for (auto *pieces : {&elbow, &walls})
        for (FlatCell &cell : (*pieces)[0])
            cell = {2 * cell.layer, 2 * cell.u, 2 * cell.v};
    const Reach fine = reach(Scene(elbow, walls, 2), 0, 40);
    expect(fine.near.size() == 36 && fine.far.empty() && fine.certain, "the same in half cells");
}

void test_routes() {
    reach_stops();
    long_numbers_are_numbers();
    legs_hit_what_their_poses_do();
    scenes_have_few_rectangles();
    legs_may_touch();
    rooms_have_known_answers();
}
