#include "flood.hpp"

#include <cmath>
#include <utility>

namespace kumitate {

namespace {

constexpr double slack = 1e-9; // of floating point, in cells

// The whole number between two that is divisible by the largest power of two.
std::int32_t roundest(std::int32_t low, std::int32_t high) {
    for (std::int32_t step = 1 << 30; step > 1; step >>= 1)
        if (const std::int32_t number = -floor_div(-low, step) * step; number <= high)
            return number;
    return low;
}

// The same in the middle half.
std::int32_t round_middle(std::int32_t low, std::int32_t high) {
    const std::int32_t margin = (high - low) / 4;
    return roundest(low + margin, high - margin);
}

} // namespace

struct Flood::Angle {
    double cos, sin;
};

Flood::Angle Flood::angle_at(std::int32_t k) { // in the first quadrant
    const double t = k / double{quarter}, one = 1 + t * t;
    return {(1 - t * t) / one, 2 * t / one};
}

// a cos + b sin + c
struct Flood::Wave {
    double a, b, c;
    double at(const Angle &angle) const { return a * angle.cos + b * angle.sin + c; }
    double slope(const Angle &angle) const { return b * angle.cos - a * angle.sin; }
    double most(const Angle &from, const Angle &to) const {
        if (slope(from) > 0 && slope(to) < 0)
            return std::hypot(a, b) + c;
        return std::max(at(from), at(to));
    }
    double least(const Angle &from, const Angle &to) const {
        if (slope(from) < 0 && slope(to) > 0)
            return c - std::hypot(a, b);
        return std::min(at(from), at(to));
    }
};

// One of the eight conditions under which two rectangles overlap, as in route.cpp, for a centre of
// the moving set at (x, y). Its number: along x, y, the moving one's width, its height; twice for
// the two sides.
Flood::Wave Flood::condition(std::size_t number, const Flat &m, const Flat &s, double x, double y) {
    const double side = number & 1 ? -1 : 1;
    const double mx = side * m.x, my = side * m.y, sx = side * (s.x - x), sy = side * (s.y - y);
    switch (number / 2) {
    case 0:
        return {m.wide - mx, m.high + my, s.wide + sx};
    case 1:
        return {m.high - my, m.wide - mx, s.high + sy};
    case 2:
        return {s.wide + sx, s.high + sy, m.wide - mx};
    default:
        return {s.high + sy, s.wide - sx, m.high - my};
    }
}

Flood::Flood(const Scene &scene, std::int32_t tolerance, double clearance, std::int32_t low_turn,
             std::int32_t high_turn, const Corner &goal)
    : clearance_(clearance), swing_(0.8 * scene.radius) {
    const auto cells = [&](const Rectangle &r) {
        const auto number = [](std::int32_t grains) { return grains / double{cell_grains}; };
        return Flat{number(r.x), number(r.y), number(r.wide - tolerance),
                    number(r.high - tolerance)};
    };
    const Corner start = corner_at(start_of(scene));
    PoseBox all{start, start};
    for (std::size_t d = 0; d < 2; ++d) {
        const auto include = [&](std::int32_t at) {
            all.low[d] = std::min(all.low[d], at), all.high[d] = std::max(all.high[d], at);
        };
        include(goal[d]);
        for (const Meeting &pair : scene.meetings) {
            const std::int32_t middle = d == 0 ? pair.stays.x : pair.stays.y,
                               half = d == 0 ? pair.stays.wide : pair.stays.high;
            constexpr std::int32_t quarters = half_cell_grains / 2; // of a cell
            include((middle - half) / quarters * (fine / 4));
            include((middle + half) / quarters * (fine / 4));
        }
        const std::int32_t ring = (scene.radius + 2) * (fine / 2); // is free
        all.low[d] -= ring, all.high[d] += ring;
    }
    all.low[2] = low_turn * quarter, all.high[2] = high_turn * quarter;
    for (const Meeting &pair : scene.meetings) {
        pairs_.push_back(all.end++);
        stays_.push_back(cells(pair.stays));
        for (std::int32_t q = 0; q < 4; ++q)
            moves_[static_cast<std::size_t>(q)].push_back(cells(turned(pair.moves, q)));
    }
    boxes_.push_back(all);
    classify(0, clearance_);
}

std::uint32_t Flood::free_box(const Corner &at) {
    Boxes made;
    std::uint32_t box = 0;
    while (true) {
        while (boxes_[box].child != none) {
            box = boxes_[box].child;
            if (!boxes_[box].contains(at))
                ++box;
        }
        if (boxes_[box].state != PoseBox::mixed || !cut(box, clearance_))
            break;
        for (std::uint32_t i = 0; i < 2; ++i)
            made.push_back(boxes_[box].child + i);
    }
    settle_leaves(made);
    return boxes_[box].state == PoseBox::free ? box : none;
}

void Flood::reach(std::uint32_t first) {
    Boxes waiting{first};
    boxes_[first].reached = true;
    while (!waiting.empty()) {
        const std::uint32_t box = waiting.back();
        waiting.pop_back();
        fresh_.push_back(box);
        each_neighbour(box, [&](std::uint32_t other) {
            PoseBox &there = boxes_[other];
            if (there.state == PoseBox::free && !there.reached) {
                there.reached = true;
                waiting.push_back(other);
            } else if (there.state == PoseBox::mixed && !there.queued)
                enqueue(other);
        });
    }
}

Flood::Boxes Flood::fresh() {
    return std::exchange(fresh_, {});
}

bool Flood::advance() {
    while (!shore_.empty()) {
        const std::uint32_t box = shore_.top().second;
        shore_.pop();
        if (boxes_[box].child == none) {
            widen({box});
            return true;
        }
    }
    return false;
}

void Flood::widen(Boxes channel, std::size_t times) {
    for (Boxes halves; times > 0; --times, channel = std::exchange(halves, {}))
        for (const std::uint32_t box : channel) {
            if (boxes_[box].state != PoseBox::mixed || boxes_[box].child != none)
                continue;
            if (!cut(box, clearance_)) {
                stuck_ = true;
                continue;
            }
            for (const std::uint32_t half : {boxes_[box].child, boxes_[box].child + 1}) {
                settle(half);
                halves.push_back(half);
            }
        }
}

std::uint32_t Flood::make_tube(const Boxes &channel) {
    ++tubes_;
    for (const std::uint32_t box : channel)
        boxes_[box].tube = tubes_;
    return tubes_;
}

void Flood::follow(const Boxes &channel, Corner from, const Corner &to, Route &route) const {
    const auto go = [&](const Corner &there) {
        if (there[0] != from[0] || there[1] != from[1])
            route.push_back(pose_at({there[0], there[1], from[2]}));
        if (there[2] != from[2])
            route.push_back(pose_at(there));
        from = there;
    };
    for (std::size_t i = 0; i + 1 < channel.size(); ++i) {
        const PoseBox &box = boxes_[channel[i]], &next = boxes_[channel[i + 1]];
        Corner door;
        for (std::size_t d = 0; d < 3; ++d) {
            const std::int32_t low = std::max(box.low[d], next.low[d]),
                               high = std::min(box.high[d], next.high[d]),
                               margin = (high - low) / 4;
            const bool well_inside = from[d] >= low + margin && from[d] <= high - margin;
            door[d] = well_inside ? from[d] : round_middle(low, high);
        }
        go(door);
    }
    go(to);
}

double Flood::distance(const PoseBox &box, const Corner &at) const {
    double most = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        const std::int32_t parts = std::max({box.low[d] - at[d], at[d] - box.high[d], 0});
        most = std::max(most, parts / double{fine} * (d == 2 ? swing_ : 1));
    }
    return most;
}

template <class Call> void Flood::each_near(const Corner &at, Call &&call) {
    each_within(0, [&](const PoseBox &box) { return distance(box, at) > near; }, call);
}

void Flood::grade(const Corner &at) {
    Boxes waiting, made;
    each_near(at, [&](std::uint32_t box) { waiting.push_back(box); });
    constexpr double finest = 1. / 256;
    while (!waiting.empty()) {
        const std::uint32_t box = waiting.back();
        waiting.pop_back();
        const PoseBox &here = boxes_[box];
        const double far = distance(here, at);
        if (here.state == PoseBox::free || far > near ||
            width(here, here.cut) <= std::max(far / 4, finest) || !cut(box, 0))
            continue;
        for (std::uint32_t i = 0; i < 2; ++i) {
            waiting.push_back(boxes_[box].child + i);
            made.push_back(boxes_[box].child + i);
        }
    }
    settle_leaves(made);
}

void Flood::settle_leaves(const Boxes &some) {
    for (const std::uint32_t box : some)
        if (boxes_[box].child == none)
            settle(box);
}

Flood::Boxes Flood::free_near(const Corner &at) {
    std::vector<std::pair<double, std::uint32_t>> found;
    each_near(at, [&](std::uint32_t box) {
        if (boxes_[box].state == PoseBox::free)
            found.emplace_back(distance(boxes_[box], at), box);
    });
    std::sort(found.begin(), found.end());
    Boxes boxes;
    for (const auto &[far, box] : found)
        boxes.push_back(box);
    return boxes;
}

Corner Flood::middle(std::uint32_t box) const {
    Corner at;
    for (std::size_t d = 0; d < 3; ++d)
        at[d] = round_middle(boxes_[box].low[d], boxes_[box].high[d]);
    return at;
}

int Flood::faces_touched(const PoseBox &a, const PoseBox &b) {
    int faces = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        const std::int32_t low = std::max(a.low[d], b.low[d]),
                           high = std::min(a.high[d], b.high[d]);
        if (low > high)
            return 3;
        faces += low == high;
    }
    return faces;
}

double Flood::width(const PoseBox &box, std::size_t side) const {
    return (box.high[side] - box.low[side]) / double{fine} * (side == 2 ? swing_ : 1);
}

void Flood::enqueue(std::uint32_t box) {
    boxes_[box].queued = true;
    const PoseBox &here = boxes_[box];
    shore_.emplace(std::max({width(here, 0), width(here, 1), width(here, 2)}), box);
}

// A new leaf: is it at the shore, or even under water?
void Flood::settle(std::uint32_t box) {
    const PoseBox::State state = boxes_[box].state;
    if (state == PoseBox::closed || boxes_[box].reached || boxes_[box].queued)
        return;
    bool wet = false;
    each_neighbour(box, [&](std::uint32_t other) { wet = wet || boxes_[other].reached; });
    if (wet && state == PoseBox::free)
        reach(box);
    else if (wet)
        enqueue(box);
}

bool Flood::cut(std::uint32_t box, double clearance) {
    const PoseBox whole = boxes_[box];
    const std::size_t d = whole.cut;
    const std::int32_t width = whole.high[d] - whole.low[d];
    if (width < 2)
        return false;
    const std::int32_t quadrant = floor_div(whole.low[2], quarter);
    const bool several = whole.high[2] > (quadrant + 1) * quarter;
    const std::int32_t at =
        several ? (quadrant + 1) * quarter
                : roundest(whole.low[d] + (width + 3) / 4, whole.high[d] - (width + 3) / 4);
    Boxes around;
    each_neighbour(box, [&](std::uint32_t other) { around.push_back(other); });
    const auto child = static_cast<std::uint32_t>(boxes_.size());
    boxes_[box].child = child;
    for (const bool upper : {false, true}) {
        PoseBox half{whole.low, whole.high, none, whole.first, whole.end};
        (upper ? half.low : half.high)[d] = at;
        half.tube = whole.tube;
        half.near_first = static_cast<std::uint32_t>(nearby_.size());
        nearby_.push_back(upper ? child : child + 1);
        for (const std::uint32_t other : around)
            if (faces_touched(half, boxes_[other]) == 1)
                nearby_.push_back(other);
        half.near_end = static_cast<std::uint32_t>(nearby_.size());
        boxes_.push_back(half);
        classify(upper ? child + 1 : child, clearance);
    }
    return true;
}

// Finds which pairs may overlap in a box, its state, and across which side to cut it.
void Flood::classify(std::uint32_t number, double clearance) {
    PoseBox &box = boxes_[number];
    const std::int32_t quadrant = floor_div(box.low[2], quarter);
    if (box.high[2] > (quadrant + 1) * quarter) {
        box.cut = 2;
        return;
    }
    const std::int32_t k0 = box.low[2] - quadrant * quarter, k1 = box.high[2] - quadrant * quarter;
    const Angle from = angle_at(k0), to = angle_at(k1), middle = angle_at((k0 + k1) / 2);
    const double x0 = box.low[0] / double{fine}, x1 = box.high[0] / double{fine},
                 y0 = box.low[1] / double{fine}, y1 = box.high[1] / double{fine};
    const double x = (x0 + x1) / 2, y = (y0 + y1) / 2;
    const double t = (k0 + k1) / 2. / quarter,
                 radians = 2 * (k1 - k0) / double{quarter} / (1 + t * t);
    const auto &moves = moves_[static_cast<std::size_t>((quadrant % 4 + 4) % 4)];
    const std::uint32_t first = box.first, end = box.end;
    const auto kept = static_cast<std::uint32_t>(pairs_.size());
    double deepest = -1e300;
    for (std::uint32_t i = first; i < end && box.state != PoseBox::closed; ++i) {
        const std::uint32_t pair = pairs_[i];
        const Flat &m = moves[pair], &s = stays_[pair];
        // A condition at the corner of the box where it is largest, or least, at every angle.
        const auto extreme = [&](std::size_t n, bool largest) {
            const bool low = largest == !(n & 1), low_x = n / 2 == 3 ? !low : low;
            return condition(n, m, s, low_x ? x0 : x1, low ? y0 : y1);
        };
        std::array<double, 8> here;
        for (std::size_t n = 0; n < 8; ++n)
            here[n] = condition(n, m, s, x, y).at(middle);
        bool apart = false;
        for (std::size_t n = 0; n < 8 && !apart; ++n)
            apart = here[n] < 0 && extreme(n, true).most(from, to) < slack / 1000;
        if (apart)
            continue;
        pairs_.push_back(pair);
        auto decides =
            static_cast<std::size_t>(std::min_element(here.begin(), here.end()) - here.begin());
        const double depth = here[decides];
        if (depth > -clearance) {
            double bound = 1e300;
            std::size_t least = 0;
            for (std::size_t n = 0; n < 8; ++n)
                if (const double low = extreme(n, false).least(from, to); low < bound)
                    bound = low, least = n;
            if (bound > slack - clearance)
                box.state = PoseBox::closed;
            if (depth > -clearance / 2)
                decides = least;
        }
        if (depth <= deepest && box.state != PoseBox::closed)
            continue;
        deepest = depth;
        // How much the condition that decides changes along each side.
        const Wave wave = condition(decides, m, s, x, y);
        const std::array<double, 4> by_x{1, 0, middle.cos, middle.sin},
            by_y{0, 1, middle.sin, middle.cos};
        const std::array<double, 3> change{
            by_x[decides / 2] * (x1 - x0), by_y[decides / 2] * (y1 - y0),
            (std::abs(wave.slope(middle)) + std::hypot(wave.a, wave.b) * radians / 8) * radians};
        box.cut = static_cast<std::uint8_t>(std::max_element(change.begin(), change.end()) -
                                            change.begin());
    }
    if (box.state == PoseBox::closed) { // keeps all its pairs, for `grade`
        pairs_.resize(kept);
        return;
    }
    box.first = kept;
    box.end = static_cast<std::uint32_t>(pairs_.size());
    if (box.first == box.end)
        box.state = PoseBox::free;
}

} // namespace kumitate
