#include "reach.hpp"

#include "lattice.hpp"
#include "leaving.hpp"

#include <map>

namespace kumitate {

namespace {

constexpr std::int32_t most_quarters_here = 3;
constexpr std::int32_t least_clearance = 10; // in grains

class Reacher {
  public:
    Reacher(const Scene &scene, std::int32_t tolerance, std::size_t boxes)
        : scene_(scene), lattice_(scene), tolerance_(tolerance), most_(boxes),
          start_(corner_at(start_of(scene))) {}

    Reach run(std::int32_t clearance) {
        reach_.none_at = std::max(tolerance_ - clearance / 2, 0);
        if (scene_.meetings.empty()) {
            reach_.near.push_back({{0, 0, 0}, {start_of(scene_)}}); // it slides out
            return std::move(reach_);
        }
        if (tolerance_ == 0 && !lattice_.may_turn(reach_.near))
            return std::move(reach_);
        reach_.near.clear();
        const Names names(scene_);
        for (std::int32_t quarters = 0; quarters < 4; ++quarters)
            lattice_.each_inside(quarters, [&](const Stop &stop) {
                if (lattice_.fits(stop) &&
                    (tolerance_ >= Names::most_tolerance || names.allow(stop)))
                    open_.insert(stop);
            });
        walk({{0, 0, 0}, {start_of(scene_)}}, reach_.near, false);
        if (open_.empty())
            return std::move(reach_);
        Landing start = std::move(reach_.near[0]);
        reach_.near.clear();
        known_.clear();
        escaped_ = false;
        walk(std::move(start), reach_.near, true);
        while (!open_.empty()) {
            if (tolerance_ >= clearance / 2) {
                flood_freely(tolerance_, clearance, true);
                break;
            }
            reach_.none_at = tolerance_;
            flood_freely(tolerance_ + clearance / 2, clearance, false);
            open_ = std::exchange(maybe_, {});
            if (!open_.empty())
                flood_touching(clearance);
            const bool finest = clearance / 4 < (tolerance_ == 0 ? least_clearance : 2);
            reach_.certain = reach_.certain && (!finest || open_.empty());
            if (!reach_.certain || finest)
                break;
            clearance = clearance / 8 * 2;
        }
        return std::move(reach_);
    }

  private:
    const Scene &scene_;
    const Lattice lattice_;
    const std::int32_t tolerance_;
    const std::size_t most_;
    const Corner start_;
    Reach reach_;
    // Stops by quarters from 0 to 3.
    std::set<Stop> known_, open_, maybe_; // reached; asked for; reached with more tolerance
    bool escaped_ = false;                // it has been outside

    static Stop plain(Stop stop) {
        stop.quarters = (stop.quarters + 4) % 4;
        return stop;
    }
    Corner corner(const Stop &stop) const { return corner_at(lattice_.pose(stop)); }

    // Lists a stop, and all those that slides and turns lead to from there.
    void walk(Landing first, std::vector<Landing> &list, bool turns = true) {
        std::size_t next = list.size();
        const auto add = [&](const Stop &stop, auto &&route) {
            const bool out = lattice_.outside(stop);
            if (known_.contains(plain(stop)) || (out && escaped_))
                return;
            Route made = route();
            if (made.empty())
                return;
            known_.insert(plain(stop));
            list.push_back({stop, std::move(made)});
            escaped_ = escaped_ || out;
        };
        add(first.stop, [&] { return std::move(first.route); });
        for (; next < list.size(); ++next) {
            const Stop here = list[next].stop;
            if (lattice_.outside(here))
                continue;
            const auto along = [&](std::initializer_list<Pose> poses) {
                Route route = list[next].route;
                route.insert(route.end(), poses);
                return route;
            };
            for (const auto &[du, dv] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
                const Stop there{here.quarters, here.u + du, here.v + dv};
                if (lattice_.fits(there))
                    add(there, [&] { return along({lattice_.pose(there)}); });
            }
            if (!turns)
                continue;
            const Pose from = lattice_.pose(here);
            lattice_.each_pivot(here, [&](std::int32_t x, std::int32_t y) {
                for (const std::int32_t sense : {1, -1}) {
                    const bool odd = (x + y) % 2 != 0;
                    // About such a pivot only a half turn leads to the lattice.
                    const std::int32_t quarters = here.quarters + (odd ? 2 * sense : sense);
                    if (std::abs(quarters) > most_quarters_here)
                        continue;
                    const auto turn = [&](Pose pose) {
                        const std::int64_t dx = pose.x - x, dy = pose.y - y;
                        return Pose{x - sense * dy, y + sense * dx, pose.per,
                                    pose.turn + sense * quarter};
                    };
                    const Pose first_pose = turn(from), last = odd ? turn(first_pose) : first_pose;
                    const Pose base = lattice_.pose({quarters, 0, 0});
                    const Stop there{quarters, static_cast<std::int32_t>((last.x - base.x) / 2),
                                     static_cast<std::int32_t>((last.y - base.y) / 2)};
                    if (!known_.contains(plain(there)) && lattice_.fits(there) &&
                        lattice_.turns(here.quarters, from, x, y, sense, tolerance_) &&
                        (!odd || lattice_.turns(here.quarters + sense, first_pose, x, y, sense,
                                                tolerance_)))
                        add(there, [&] { return odd ? along({first_pose, last}) : along({last}); });
                }
            });
        }
        std::erase_if(open_, [&](const Stop &it) {
            return known_.contains(it) || (escaped_ && lattice_.outside(it));
        });
    }

    // Something was reached; what follows from that.
    void land(const Stop &stop, Route route) { walk({stop, std::move(route)}, reach_.far); }

    // Calls with stops asked for that are in a box or less than so far from it, until true.
    template <class Call> bool any_open(const PoseBox &box, std::int32_t far, Call &&call) const {
        const std::int32_t unit = fine / scene_.units;
        const std::int32_t low = -floor_div(-(box.low[2] - (far ? quarter : 0)), quarter),
                           high = floor_div(box.high[2] + (far ? quarter : 0), quarter);
        for (std::int32_t q = std::max(low, -most_quarters_here);
             q <= std::min(high, most_quarters_here); ++q) {
            const Corner base = corner({q, 0, 0});
            const auto first = [&](std::size_t d) {
                return -floor_div(base[d] - (box.low[d] - far), unit);
            };
            const auto last = [&](std::size_t d) {
                return floor_div(box.high[d] + far - base[d], unit);
            };
            for (std::int32_t v = first(1); v <= last(1); ++v)
                for (std::int32_t u = first(0); u <= last(0); ++u)
                    if (const Stop stop{q, u, v}; open_.contains(plain(stop)) && call(stop))
                        return true;
        }
        return false;
    }
    bool has_open(const PoseBox &box) const {
        return any_open(box, 0, [](const Stop &) { return true; });
    }

    static bool is_free(const PoseBox &box) { return box.state == PoseBox::free; }

    // Where all stops have room to spare: lands on those that are reached, or else notes them.
    void flood_freely(std::int32_t tolerance, std::int32_t clearance, bool lands) {
        Flood flood(scene_, tolerance, clearance / double{cell_grains}, -4, 4, start_);
        const std::uint32_t first = flood.free_box(start_);
        require(first != none, "pieces do not overlap before they move");
        flood.reach(first);
        const auto arrive = [&](std::uint32_t box, const Stop &stop) {
            open_.erase(plain(stop));
            if (!lands) {
                maybe_.insert(plain(stop));
                return;
            }
            const auto channel = flood.channel(
                {first}, is_free, [&](const PoseBox &it) { return &it == &flood[box]; });
            Route route{pose_at(start_)};
            flood.follow(channel, start_, corner(stop), route);
            route = tightened(scene_, tolerance, route);
            if (route.empty())
                reach_.certain = false;
            else
                land(stop, std::move(route));
        };
        const auto arrive_all = [&] {
            for (const std::uint32_t box : flood.fresh()) {
                std::vector<Stop> stops;
                any_open(flood[box], 0, [&](const Stop &stop) {
                    stops.push_back(stop);
                    return false;
                });
                for (const Stop &stop : stops)
                    if (open_.contains(plain(stop)))
                        arrive(box, stop);
            }
        };
        const auto goes_on = [&] {
            arrive_all();
            return !open_.empty() && flood.size() <= most_;
        };
        const bool more =
            flood.seek(first, 100, [&](const PoseBox &box) { return has_open(box); }, goes_on);
        reach_.boxes += flood.size();
        if (!open_.empty() && (more || flood.stuck()))
            reach_.certain = false;
    }

    // Poses at and beside a stop, half a unit away, to which it can slide: those at which the set
    // can begin to turn.
    template <class Call> void each_post(const Stop &stop, Call &&call) const {
        const Pose at = lattice_.pose(stop);
        for (std::int32_t dy = -1; dy <= 1; ++dy)
            for (std::int32_t dx = -1; dx <= 1; ++dx) {
                const Pose post{at.x + dx, at.y + dy, at.per, at.turn};
                const auto x = static_cast<std::int32_t>(post.x),
                           y = static_cast<std::int32_t>(post.y);
                if (tolerance_ == 0 ? lattice_.fits_at(x, y, stop.quarters) &&
                                          lattice_.may_turn_at(x, y, stop.quarters)
                                    : dx == 0 && dy == 0)
                    if (!hits(scene_, tolerance_, at, post))
                        call(post);
            }
    }

    // Where stops touch what stays: exact legs lead from posts to boxes nearby, and back.
    void flood_touching(std::int32_t clearance) {
        constexpr std::size_t most_seeds = 100;
        Flood flood(scene_, tolerance_, clearance / double{cell_grains}, -4, 4, start_);
        std::map<std::uint32_t, Route> origins; // of boxes: how it came there
        Flood::Boxes first;
        std::set<Corner> seeds;
        const auto sow = [&](const Landing &from) {
            each_post(from.stop, [&](const Pose &post) {
                if (seeds.size() == most_seeds || !seeds.insert(corner_at(post)).second)
                    return;
                for (const Gate &gate : gates(scene_, tolerance_, flood, post))
                    if (const std::uint32_t box = flood.free_box(gate.inside);
                        !flood[box].reached) {
                        first.push_back(box);
                        Route &route = origins[box] = from.route;
                        route.insert(route.end(), gate.route.begin(), gate.route.end());
                        flood.reach(box);
                    }
            });
        };
        for (const Landing &landing : reach_.near)
            sow(landing);
        struct Goal {
            Pose post;
            Stop stop;
            bool touched = false;
            std::vector<Gate> gates{};
        };
        std::vector<Goal> goals;
        for (const Stop &stop : open_)
            for (const std::int32_t quarters : {stop.quarters, stop.quarters - 4})
                if (quarters > -4)
                    each_post({quarters, stop.u, stop.v}, [&](const Pose &post) {
                        goals.push_back({post, {quarters, stop.u, stop.v}});
                    });
        const auto try_landing = [&](const Goal &goal) {
            for (const Gate &gate : goal.gates) {
                const std::uint32_t last = flood.free_box(gate.inside);
                if (!flood[last].reached)
                    continue;
                const auto channel = flood.channel(
                    first, is_free, [&](const PoseBox &it) { return &it == &flood[last]; });
                if (channel.empty())
                    continue;
                Route route = origins.at(channel.front());
                flood.follow(channel, corner_at(route.back()), gate.inside, route);
                const Route back = reversed(gate.route);
                route.insert(route.end(), back.begin(), back.end());
                route.push_back(lattice_.pose(goal.stop));
                if (route = tightened(scene_, tolerance_, route); route.empty())
                    continue;
                const std::size_t known = reach_.far.size();
                land(goal.stop, std::move(route));
                for (std::size_t i = known; i < reach_.far.size(); ++i)
                    sow(reach_.far[i]);
                return;
            }
        };
        const auto arrive_all = [&] {
            for (const std::uint32_t last : flood.fresh())
                for (Goal &goal : goals)
                    if (const PoseBox box = flood[last];
                        !goal.touched && flood.distance(box, corner_at(goal.post)) <= Flood::near) {
                        goal.touched = true;
                        goal.gates = gates(scene_, tolerance_, flood, goal.post);
                        if (open_.contains(plain(goal.stop)))
                            try_landing(goal);
                    }
        };
        bool more = !goals.empty();
        for (arrive_all(); more && !open_.empty() && flood.size() <= most_; arrive_all())
            more = flood.advance();
        for (const Goal &goal : goals)
            if (goal.touched && open_.contains(plain(goal.stop)))
                try_landing(goal);
        reach_.boxes += flood.size();
    }
};

} // namespace

Reach reach(const Scene &scene, std::int32_t tolerance, std::int32_t clearance, std::size_t boxes) {
    return Reacher(scene, tolerance, boxes).run(clearance);
}

} // namespace kumitate
