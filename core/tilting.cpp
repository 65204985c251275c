#include "tilting.hpp"

#include "hash.hpp"

#include <deque>

namespace kumitate {

namespace {

constexpr std::size_t most_boxes = 60'000;   // of a flood
constexpr std::size_t most_scenes = 1 << 18; // kept

using Key = std::vector<std::int32_t>;
struct HashKey {
    std::size_t operator()(const Key &key) const {
        std::uint64_t hash = no_words;
        for (const std::int32_t number : key)
            hash = mix(hash, static_cast<std::uint32_t>(number));
        return static_cast<std::size_t>(hash);
    }
};

Shift in_plane(std::size_t axis, std::int32_t u, std::int32_t v) {
    return axis == 0 ? Shift{0, u, v} : axis == 1 ? Shift{v, 0, u} : Shift{u, v, 0};
}

// Bodies across an axis, as seen from a place.
std::vector<FlatPiece> flat(const Bodies &bodies, std::span<const Standpoint> some,
                            std::size_t axis, Shift from) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    const std::int32_t units = bodies.sweeps.parts;
    std::vector<FlatPiece> pieces;
    for (const auto &[body, at] : some) {
        pieces.emplace_back();
        for (const Cell &cell : bodies.all[body].cells) {
            const Shift place = units * place_of(cell) + at - from;
            pieces.back().push_back({place[axis], place[u], place[v]});
        }
    }
    return pieces;
}

} // namespace

struct Tilting::Tables {
    std::unordered_map<Key, Touch, HashKey> touches{};
    std::unordered_map<Key, Known, HashKey> known{};
    std::deque<Reach> reaches{};
    Key key{};
};

Tilting::Tilting(const Bodies &bodies, std::int32_t tolerance, std::int32_t clearance)
    : bodies_(bodies), tolerance_(tolerance), clearance_(clearance),
      tables_(std::make_unique<Tables>()) {}
Tilting::~Tilting() = default;
Tilting::Tilting(Tilting &&) noexcept = default;

const Tilting::Touch &Tilting::touch(std::uint32_t body, std::uint32_t other, Shift offset) {
    Key &key = tables_->key;
    key.assign({static_cast<std::int32_t>(body), static_cast<std::int32_t>(other), offset.x,
                offset.y, offset.z});
    const auto [known, is_new] = tables_->touches.try_emplace(key);
    Touch &touch = known->second;
    if (!is_new)
        return touch;
    for (std::size_t d = 0; d < 6; ++d) {
        touch.low[d].fill(1 << 30);
        touch.high[d].fill(-(1 << 30));
    }
    const std::int32_t units = bodies_.sweeps.parts;
    for (const Cell &a : bodies_.all[body].cells)
        for (const Cell &b : bodies_.all[other].cells) {
            const Shift mine = units * place_of(a), theirs = units * place_of(b) + offset;
            std::array<std::int32_t, 3> low{}, high{};
            std::size_t apart = 3, faces = 0; // the axis along which they touch
            bool far = false;
            for (std::size_t k = 0; k < 3; ++k) {
                low[k] = std::max(mine[k], theirs[k]);
                high[k] = std::min(mine[k], theirs[k]) + units;
                far = far || low[k] > high[k];
                if (low[k] == high[k])
                    apart = k, ++faces;
            }
            if (far || faces != 1)
                continue;
            const std::size_t d = 2 * apart + (theirs[apart] < mine[apart]);
            for (std::size_t k = 0; k < 3; ++k) {
                touch.low[d][k] = std::min(touch.low[d][k], low[k]);
                touch.high[d][k] = std::max(touch.high[d][k], high[k]);
            }
        }
    return touch;
}

void Tilting::forget_much() {
    if (tables_->known.size() > most_scenes || tables_->touches.size() > most_scenes)
        *tables_ = {};
}

const Reach &Tilting::reach_of(const Known &known) const {
    static const Reach unknown{{}, {}, false, 0, 0};
    return known.scene == none ? unknown : tables_->reaches[known.scene];
}

Tilting::Known Tilting::find(std::size_t axis) {
    const std::int32_t units = bodies_.sweeps.parts;
    const Shift base = moving_[0].at;
    // Pieces in none of the layers of the moving set do not matter.
    const auto layers = [&](const Standpoint &it) {
        return std::pair{it.at[axis], it.at[axis] + units * bodies_.all[it.body].sides[axis]};
    };
    auto [low, high] = layers(moving_[0]);
    for (const Standpoint &it : moving_) {
        low = std::min(low, layers(it).first);
        high = std::max(high, layers(it).second);
    }
    std::erase_if(staying_, [&](const Standpoint &it) {
        return layers(it).second <= low || layers(it).first >= high;
    });
    const auto fill = [&](Key &key, Shift from) {
        key.assign({static_cast<std::int32_t>(axis), static_cast<std::int32_t>(moving_.size())});
        for (const auto &[body, at] : moving_)
            for (const std::int32_t number :
                 {static_cast<std::int32_t>(body), at.x - base.x, at.y - base.y, at.z - base.z})
                key.push_back(number);
        for (const auto &[body, at] : staying_)
            for (const std::int32_t number :
                 {static_cast<std::int32_t>(body), at.x - from.x, at.y - from.y, at.z - from.z})
                key.push_back(number);
    };
    fill(tables_->key, base);
    spend(1);
    if (const auto known = tables_->known.find(tables_->key); known != tables_->known.end())
        return known->second;
    if (left_ == 0)
        return {none, 0};
    const auto number = static_cast<std::uint32_t>(tables_->reaches.size());
    Reach &reach = tables_->reaches.emplace_back();
    if (!staying_.empty()) {
        const Scene scene(flat(bodies_, moving_, axis, base), flat(bodies_, staying_, axis, base),
                          units);
        reach = kumitate::reach(scene, 2 * tolerance_, clearance_, most_boxes);
        spend(scene.meetings.size() * scene.meetings.size() / 2'000); // to find those
    } else
        reach.near.push_back({});
    spend(10 + reach.boxes);
    for (std::uint32_t i = 0; i < reach.near.size(); ++i) {
        Landing &it = reach.near[i];
        if (it.stop.quarters == 0) {
            fill(tables_->key, base + in_plane(axis, it.stop.u, it.stop.v));
            tables_->known.try_emplace(tables_->key, Known{number, i});
        }
        if (reach.far.empty())
            it.route = {};
    }
    return {number, 0};
}

// Where the landing is, as seen from the place where the set stands.
static Stop seen_from(const Reach &reach, std::size_t start, std::size_t landing) {
    Stop stop = reach.far[landing].stop;
    stop.u -= reach.near[start].stop.u;
    stop.v -= reach.near[start].stop.v;
    return stop;
}

Tilt Tilting::tilt_of(const Known &known, std::size_t landing, std::size_t axis) const {
    const auto [quarters, u, v] = seen_from(reach_of(known), known.start, landing);
    Tilt tilt{{axis, quarters, {}, 0}, {}, known.scene, known.start, landing};
    if (quarters == 0) {
        tilt.by = in_plane(axis, u, v);
        return tilt;
    }
    // The pivot p, in half units, stays where it is: p = R p + 2 (u, v).
    const Shift base = 2 * moving_[0].at;
    Shift pivot = (quarters + 4) % 4 == 1   ? in_plane(axis, u - v, u + v)
                  : (quarters + 4) % 4 == 2 ? in_plane(axis, u, v)
                                            : in_plane(axis, u + v, v - u);
    pivot = pivot + base;
    tilt.swing.pivot = {axis == 0 ? 0 : pivot.x, axis == 1 ? 0 : pivot.y, axis == 2 ? 0 : pivot.z};
    return tilt;
}

Certificate Tilting::certificate(const Tilt &tilt, bool narrowed) const {
    const std::size_t axis = tilt.swing.axis;
    const std::int32_t units = bodies_.sweeps.parts;
    const Shift base = moving_[0].at;
    const Scene scene(flat(bodies_, moving_, axis, base), flat(bodies_, staying_, axis, base),
                      units);
    const Reach &reach = tables_->reaches.at(tilt.scene);
    const Landing &from = reach.near[tilt.start];
    const Stop goal = seen_from(reach, tilt.start, tilt.landing);
    Route route(from.route.rbegin(), from.route.rend());
    route.insert(route.end(), reach.far[tilt.landing].route.begin(),
                 reach.far[tilt.landing].route.end());
    for (Pose &pose : route) {
        const std::int64_t dx = from.stop.u * pose.per / units, dy = from.stop.v * pose.per / units;
        pose.x -= dx, pose.about_x -= dx;
        pose.y -= dy, pose.about_y -= dy;
    }
    Least least{2 * tolerance_, {}};
    least.plan.verdict = Verdict::found;
    least.plan.route = tightened(scene, least.tolerance, route);
    require(!least.plan.route.empty(), "a route that was found is free");
    if (tolerance_ > 0 && narrowed) {
        const Reach hard = kumitate::reach(scene, 0, clearance_, 4 * most_boxes);
        const Landing *legal = nullptr;
        for (const auto *list : {&hard.near, &hard.far})
            for (const Landing &it : *list)
                if (it.stop.u == goal.u && it.stop.v == goal.v && !it.route.empty() &&
                    (it.stop.quarters - goal.quarters) % 4 == 0)
                    legal = &it;
        if (legal)
            least = {0, {Verdict::found, tightened(scene, 0, legal->route), -1, 0}};
        else
            narrow(scene,
                   {goal.quarters, 0, clearance_, 4 * most_boxes, std::array{goal.u, goal.v}},
                   hard.certain ? 0 : -1, least);
    }
    Certificate made{(least.tolerance + 1) / 2, least.plan.route.back().turn / quarter, {}};
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const Pose &pose : least.plan.route) {
        const std::int64_t dx = base[u] * pose.per / units, dy = base[v] * pose.per / units;
        const auto number = [](std::int64_t of) { return static_cast<std::int32_t>(of); };
        made.route.push_back({number(pose.x + dx), number(pose.y + dy), number(pose.per), pose.turn,
                              quarter, pose.on_arc, number(pose.about_x + dx),
                              number(pose.about_y + dy)});
    }
    return made;
}

} // namespace kumitate
