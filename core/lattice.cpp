#include "lattice.hpp"

namespace kumitate {

// At (a, b) from the pivot, a point moves along (-b, a): turning counter-clockwise, a face that
// touches another on its right must be above the pivot, and so on.
bool Lattice::may_turn_at(std::int32_t x, std::int32_t y, std::int32_t quarters) const {
    const std::int32_t half = grains(scene_);
    constexpr std::int32_t far = 1 << 30;
    struct Window {
        std::int32_t left = -far, right = far, bottom = -far, top = far;
        bool open() const { return left <= right && bottom <= top; }
    } forth, back;
    for (const auto &[moves, s] : scene_.meetings) {
        Rectangle m = turned(moves, quarters);
        m.x += half * x, m.y += half * y;
        const std::int32_t low_x = std::max(m.x - m.wide, s.x - s.wide),
                           high_x = std::min(m.x + m.wide, s.x + s.wide),
                           low_y = std::max(m.y - m.high, s.y - s.high),
                           high_y = std::min(m.y + m.high, s.y + s.high);
        if (low_x == high_x && low_y < high_y) {
            if (m.x < s.x) { // on the right
                forth.top = std::min(forth.top, low_y);
                back.bottom = std::max(back.bottom, high_y);
            } else {
                forth.bottom = std::max(forth.bottom, high_y);
                back.top = std::min(back.top, low_y);
            }
        }
        if (low_y == high_y && low_x < high_x) {
            if (m.y < s.y) { // above
                forth.left = std::max(forth.left, high_x);
                back.right = std::min(back.right, low_x);
            } else {
                forth.right = std::min(forth.right, low_x);
                back.left = std::max(back.left, high_x);
            }
        }
    }
    return forth.open() || back.open();
}

bool Lattice::may_turn(std::vector<Landing> &stops) const {
    // Half units, so that there is a place between any two at which faces meet.
    const Pose start = start_of(scene_);
    using Place = std::pair<std::int32_t, std::int32_t>;
    std::vector<Place> places{
        {static_cast<std::int32_t>(start.x), static_cast<std::int32_t>(start.y)}};
    std::set<Place> known{places[0]};
    const std::int32_t half = grains(scene_);
    const Rectangle m = moves_.rectangle(), s = stays_.rectangle();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto [x, y] = places[i];
        if (may_turn_at(x, y, 0) || std::abs(m.x + half * x - s.x) >= m.wide + s.wide ||
            std::abs(m.y + half * y - s.y) >= m.high + s.high)
            return true;
        for (const auto &[dx, dy] : {Place{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
            if (const Place next{x + dx, y + dy};
                !known.contains(next) && fits_at(next.first, next.second, 0)) {
                known.insert(next);
                places.push_back(next);
            }
    }
    for (const auto &[x, y] : places)
        if (const auto dx = x - places[0].first, dy = y - places[0].second;
            dx % 2 == 0 && dy % 2 == 0)
            stops.push_back({{0, dx / 2, dy / 2}, {}});
    return false;
}

} // namespace kumitate
