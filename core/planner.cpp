#include "planner.hpp"

#include "flood.hpp"
#include "leaving.hpp"

#include <map>

namespace kumitate {

namespace {

bool is_free(const PoseBox &box) {
    return box.state == PoseBox::free;
}

class Planner {
  public:
    Planner(const Scene &scene, const Question &question)
        : scene_(scene), question_(question), start_(corner_at(start_of(scene))),
          base_(corner_at(lattice_pose(scene, question.quarters, 0, 0))),
          unit_(fine / scene.units) {
        if (question.goal)
            for (std::size_t d = 0; d < 2; ++d)
                base_[d] += (*question.goal)[d] * unit_;
    }

    Plan plan() {
        const std::int32_t tolerance = question_.tolerance, clearance = question_.clearance;
        if (go_directly(2 * scene_.radius))
            return plan_;
        if (tolerance >= clearance / 2)
            flood_freely(tolerance);
        else if (flood_freely(tolerance + clearance / 2), plan_.verdict != Verdict::none) {
            if (plan_.verdict == Verdict::found)
                plan_.verdict = Verdict::unclear; // it was good for a larger tolerance only
            plan_.route.clear();
            flood_touching();
            if (plan_.verdict != Verdict::found)
                go_directly(8 * scene_.radius);
        }
        return plan_;
    }

  private:
    const Scene &scene_;
    const Question &question_;
    const Corner start_;
    Corner base_; // the goal, or one of them
    const std::int32_t unit_;
    Plan plan_;

    bool found(Route route, std::int32_t tolerance) {
        route = tightened(scene_, tolerance, route);
        if (route.empty())
            return false;
        plan_.verdict = Verdict::found;
        plan_.route = std::move(route);
        return true;
    }

    // Calls with goals whose centres are in a box or less than so far from it, until true.
    template <class Call> bool any_goal(const PoseBox &box, std::int32_t far, Call &&call) const {
        Corner low = base_, high = base_; // of the goals in question
        for (std::size_t d = 0; d < 2; ++d) {
            const std::int32_t from = box.low[d] - far, to = box.high[d] + far;
            if (!question_.goal) {
                low[d] -= floor_div(base_[d] - from, unit_) * unit_;
                high[d] = to;
            } else if (base_[d] < from || base_[d] > to)
                return false;
        }
        for (std::int32_t y = low[1]; y <= high[1]; y += unit_)
            for (std::int32_t x = low[0]; x <= high[0]; x += unit_)
                if (const Corner goal{x, y, base_[2]}; goal != start_ && call(goal))
                    return true;
        return false;
    }

    bool has_goal(const PoseBox &box) const {
        return box.low[2] <= base_[2] && base_[2] <= box.high[2] &&
               any_goal(box, 0, [](const Corner &) { return true; });
    }

    // Perhaps one leg is enough, to a goal that is not farther away than this many half cells.
    bool go_directly(std::int32_t far) {
        const auto leg = [&](const Corner &goal) {
            return found({pose_at(start_), pose_at(goal)}, question_.tolerance);
        };
        return question_.goal ? leg(base_) : any_goal({start_, start_}, far * (fine / 2), leg);
    }

    Flood make_flood(std::int32_t tolerance) const {
        const std::int32_t low = std::min(question_.quarters, 0) - 1,
                           high = std::max(question_.quarters, 0) + 1;
        return {scene_, tolerance, question_.clearance / double{cell_grains}, low, high, base_};
    }

    // Where start and goal have room to spare.
    void flood_freely(std::int32_t tolerance) {
        Flood flood = make_flood(tolerance);
        const std::uint32_t first = flood.free_box(start_);
        if (first == none)
            throw Refusal("pieces overlap before they move; move them apart");
        if (question_.goal)
            flood.free_box(base_);
        flood.reach(first);
        const auto arrived = [&] {
            for (const std::uint32_t last : flood.fresh())
                if (has_goal(flood[last])) {
                    const auto channel = flood.channel(
                        {first}, is_free, [&](const PoseBox &box) { return &box == &flood[last]; });
                    return any_goal(flood[last], 0, [&](const Corner &goal) {
                        Route route{pose_at(start_)};
                        flood.follow(channel, start_, goal, route);
                        return found(std::move(route), tolerance);
                    });
                }
            return false;
        };
        const auto goes_on = [&] {
            return plan_.verdict != Verdict::found && !arrived() && flood.size() <= question_.boxes;
        };
        const bool more =
            flood.seek(first, 200, [&](const PoseBox &box) { return has_goal(box); }, goes_on);
        plan_.boxes += flood.size();
        if (plan_.verdict == Verdict::found)
            return;
        plan_.verdict = more ? Verdict::limit : flood.stuck() ? Verdict::unclear : Verdict::none;
        if (plan_.verdict == Verdict::none)
            plan_.none_at = tolerance - question_.clearance / 2;
    }

    // Where start and goal touch what stays: exact legs lead to boxes near them.
    void flood_touching() {
        const std::int32_t tolerance = question_.tolerance;
        Flood flood = make_flood(tolerance);
        Flood::Boxes first;
        std::map<std::uint32_t, Route> origins; // of boxes: how it came there
        for (const Gate &gate : gates(scene_, tolerance, flood, pose_at(start_)))
            if (const std::uint32_t box = flood.free_box(gate.inside); !flood[box].reached) {
                first.push_back(box);
                origins[box] = gate.route;
                flood.reach(box);
            }
        std::map<Corner, std::vector<Gate>> goals; // near which it has been
        const auto land = [&](const std::vector<Gate> &some) {
            return std::any_of(some.begin(), some.end(), [&](const Gate &gate) {
                const std::uint32_t last = flood.free_box(gate.inside);
                if (!flood[last].reached)
                    return false;
                const auto channel = flood.channel(
                    first, is_free, [&](const PoseBox &box) { return &box == &flood[last]; });
                Route route = origins.at(channel.front());
                flood.follow(channel, corner_at(route.back()), gate.inside, route);
                const Route back = reversed(gate.route);
                route.insert(route.end(), back.begin(), back.end());
                return found(std::move(route), tolerance);
            });
        };
        const auto arrived = [&] {
            for (const std::uint32_t last : flood.fresh()) {
                const PoseBox box = flood[last];
                if (any_goal(box, fine / 2, [&](const Corner &goal) {
                        const Pose pose = pose_at(goal);
                        if (flood.distance(box, goal) > Flood::near || goals.contains(goal) ||
                            hits(scene_, tolerance, pose, pose))
                            return false;
                        return land(goals[goal] = gates(scene_, tolerance, flood, pose));
                    }))
                    return true;
            }
            return false;
        };
        bool more = true;
        while (!arrived() && more && flood.size() <= question_.boxes)
            more = flood.advance();
        plan_.boxes += flood.size();
        if (plan_.verdict != Verdict::found &&
            std::none_of(goals.begin(), goals.end(),
                         [&](const auto &goal) { return land(goal.second); }) &&
            more)
            plan_.verdict = Verdict::limit;
    }
};

} // namespace

Plan find_route(const Scene &scene, const Question &question) {
    if (question.tolerance < 0 || question.tolerance >= half_cell_grains)
        throw Refusal("a tolerance must be at least 0 and less than half a cell");
    if (question.clearance < 2 || question.clearance % 2 != 0 || question.clearance >= cell_grains)
        throw Refusal("a clearance must be a thousandth of a cell or more, and less than a cell");
    if (std::abs(question.quarters) > 3)
        throw Refusal("a route must turn pieces by less than a full turn");
    constexpr std::int32_t far = 2 * farthest_cell;
    if (question.goal)
        for (const std::int32_t shift : *question.goal)
            if (shift > far || shift < -far)
                throw Refusal("a goal lies more than 2048 cells away; choose a nearer one");
    return Planner(scene, question).plan();
}

Least least_tolerance(const Scene &scene, Question question) {
    question.tolerance = 0;
    Least least{0, find_route(scene, question)};
    if (least.plan.verdict == Verdict::found || least.plan.verdict == Verdict::limit)
        return least;
    const std::int32_t none_at = least.plan.verdict == Verdict::none ? 0 : -1;
    least.tolerance = half_cell_grains;
    narrow(scene, question, none_at, least);
    if (least.plan.verdict != Verdict::found)
        least.tolerance = 0;
    return least;
}

bool narrow(const Scene &scene, Question question, std::int32_t none_at, Least &least) {
    Plan &best = least.plan;
    std::int32_t &found_at = least.tolerance;
    while (found_at - std::max(none_at, 0) > 2) {
        const std::int32_t width = found_at - std::max(none_at, 0), third = width / 3;
        question.tolerance = found_at - third;
        question.clearance = 2 * (width - 2 * third);
        Plan plan = find_route(scene, question);
        plan.boxes += best.boxes;
        if (plan.verdict == Verdict::found) {
            found_at = question.tolerance;
            best = std::move(plan);
        } else if (plan.verdict == Verdict::none) {
            none_at = plan.none_at;
            best.boxes = plan.boxes;
            if (best.verdict != Verdict::found)
                best.verdict = Verdict::none;
        } else {
            if (best.verdict != Verdict::found)
                best = std::move(plan);
            return false;
        }
        best.none_at = none_at;
    }
    best.none_at = none_at;
    return true;
}

} // namespace kumitate
