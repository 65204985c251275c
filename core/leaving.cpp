#include "leaving.hpp"

#include <optional>
#include <set>

namespace kumitate {

namespace {

constexpr std::int64_t far = std::int64_t{1} << 40;

struct Vector {
    std::int64_t x, y;
};

Vector turned_back(Vector v, std::size_t quarters) {
    for (; quarters > 0; --quarters)
        v = {v.y, -v.x};
    return v;
}

// A side of a rectangle that moves, and one of a rectangle that stays, on the same line; seen so
// that it is on the right.
struct Touch {
    std::size_t side;                // quarters from the right: above, on the left, below
    std::int64_t distance;           // of the line from the centre
    std::int64_t corner;             // the height of the one that hits first
    bool corner_moves, corner_stays; // whose it is

    // How much slower the centre moves to the right than it may.
    std::int64_t slack(Vector v, std::int32_t sense) const {
        return sense * (corner - turned_back(v, side).x);
    }
    // The most that its way may bend to the right if it moves just as fast as it may.
    std::int64_t most_bend(Vector v) const {
        const std::int64_t across = turned_back(v, side).y;
        return std::max(corner_moves ? distance : -far,
                        corner_stays ? -distance - 2 * across : -far);
    }
};

// Two rectangles that touch: along one line, or at a corner, where the one line or the other must
// keep them apart.
using Contact = std::vector<Touch>;

std::vector<Contact> contacts_at(const Scene &scene, const Pose &post, std::int32_t sense) {
    const std::int64_t x = post.x * cell_grains / post.per, y = post.y * cell_grains / post.per;
    std::vector<Contact> contacts;
    for (const auto &[moves, stays] : scene.meetings) {
        Contact contact;
        for (std::size_t side = 0; side < 4; ++side) {
            const std::int32_t back = -static_cast<std::int32_t>(side);
            const Rectangle seen{static_cast<std::int32_t>(stays.x - x),
                                 static_cast<std::int32_t>(stays.y - y), stays.wide, stays.high};
            const Rectangle m = turned(moves, post.turn / quarter + back), s = turned(seen, back);
            const std::int32_t m_low = m.y - m.high, m_high = m.y + m.high, s_low = s.y - s.high,
                               s_high = s.y + s.high;
            if (m.x + m.wide != s.x - s.wide || m_low > s_high || s_low > m_high)
                continue;
            if (sense > 0)
                contact.push_back(
                    {side, m.x + m.wide, std::max(m_low, s_low), m_low >= s_low, s_low >= m_low});
            else
                contact.push_back({side, m.x + m.wide, std::min(m_high, s_high), m_high <= s_high,
                                   s_high <= m_high});
        }
        if (!contact.empty())
            contacts.push_back(contact);
    }
    return contacts;
}

// Numbers at which something changes: those and some between and beyond them.
constexpr std::int64_t beyond = cell_grains / 4;
std::vector<std::int64_t> among(const std::set<std::int64_t> &numbers, std::int64_t otherwise) {
    if (numbers.empty())
        return {otherwise};
    std::vector<std::int64_t> all{*numbers.begin() - beyond};
    for (const std::int64_t number : numbers) {
        if (all.size() > 1)
            all.push_back((all.back() + number) / 2);
        all.push_back(number);
    }
    all.push_back(all.back() + beyond);
    return all;
}

struct Choice {
    int tight; // how many contacts it just allows
    Vector by;
};

// All choices that are allowed, those that leave most room first.
template <class Allows>
std::vector<Choice> choices(const std::array<std::set<std::int64_t>, 2> &numbers, Vector otherwise,
                            Allows &&allows) {
    std::vector<Choice> made;
    for (const std::int64_t x : among(numbers[0], otherwise.x))
        for (const std::int64_t y : among(numbers[1], otherwise.y))
            if (const int tight = allows(Vector{x, y}); tight >= 0)
                made.push_back({tight, {x, y}});
    std::stable_sort(made.begin(), made.end(),
                     [](const Choice &a, const Choice &b) { return a.tight < b.tight; });
    return made;
}

// The end of an arc of a moving set that begins to turn at a post.
Pose arc_end(const Pose &post, std::int32_t sense, std::int32_t halvings, Vector v, Vector w) {
    // The half angle has the tangent 1 / n, so that its turn is a quarter, halved this many times.
    const std::int64_t n = sense > 0 ? 1 << halvings : (2 << halvings) - 1, one = n * n + 1;
    constexpr std::int64_t parts = 8, grains = cell_grains / parts; // all are multiples of these
    const std::int64_t x = post.x * parts / post.per, y = post.y * parts / post.per;
    const Vector by{2 * (v.x * n * sense + w.x) / grains, 2 * (v.y * n * sense + w.y) / grains};
    return {x * one + by.x,
            y * one + by.y,
            parts * one,
            post.turn + sense * (quarter >> halvings),
            true,
            (x + w.x / grains) * one,
            (y + w.y / grains) * one};
}

// Poses in free boxes beside the end of an arc, to which the set can slide.
std::optional<Corner> inside(const Scene &scene, Flood &flood, const Pose &end) {
    const Corner at = corner_at(end);
    for (const std::int32_t far : {0, fine / 32, fine / 8})
        for (const auto &[dx, dy] :
             {std::pair{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}}) {
            const Corner there{at[0] + dx * far, at[1] + dy * far, at[2]};
            if (!hits(scene, 0, end, pose_at(there)) && flood.free_box(there) != none)
                return there;
            if (far == 0)
                break;
        }
    return {};
}

std::vector<Gate> on_arcs(const Scene &scene, Flood &flood, const Pose &post) {
    std::vector<Gate> found;
    for (const std::int32_t sense : {1, -1}) {
        const std::vector<Contact> contacts = contacts_at(scene, post, sense);
        // How many contacts are tight, or -1 if some two rectangles collide.
        const auto count_tight = [&](auto &&slack) {
            int tight = 0;
            for (const Contact &contact : contacts) {
                std::int64_t most = -far;
                for (const Touch &touch : contact)
                    most = std::max(most, slack(touch));
                if (most < 0)
                    return -1;
                tight += most == 0;
            }
            return tight;
        };
        const auto numbers = [&](auto &&bound) {
            std::array<std::set<std::int64_t>, 2> all;
            for (const Contact &contact : contacts)
                for (const Touch &touch : contact)
                    if (const std::optional<std::int64_t> most = bound(touch))
                        all[touch.side % 2].insert(touch.side < 2 ? *most : -*most);
            return all;
        };
        const std::vector<Choice> speeds =
            choices(numbers([](const Touch &touch) { return std::optional(touch.corner); }), {0, 0},
                    [&](Vector v) {
                        return count_tight([&](const Touch &it) { return it.slack(v, sense); });
                    });
        const auto leave = [&](Vector v) {
            const auto bends = choices(
                numbers([&](const Touch &it) {
                    return it.slack(v, sense) == 0 ? std::optional(it.most_bend(v)) : std::nullopt;
                }),
                {-v.y, v.x}, [&](Vector w) {
                    return count_tight([&](const Touch &it) {
                        const std::int64_t slack = it.slack(v, sense);
                        return slack != 0 ? slack : it.most_bend(v) - turned_back(w, it.side).x;
                    });
                });
            for (const Choice &bend : bends)
                for (std::int32_t halvings = 1; halvings <= 7; ++halvings)
                    if (const Pose end = arc_end(post, sense, halvings, v, bend.by);
                        !hits(scene, 0, post, end))
                        if (const auto there = inside(scene, flood, end)) {
                            found.push_back({*there, {post, end, pose_at(*there)}});
                            return;
                        }
        };
        for (const Choice &speed : speeds)
            if (speed.tight == 0 || speeds[0].tight > 0)
                leave(speed.by);
    }
    return found;
}

// Where pieces have some room: legs to boxes nearby.
std::vector<Gate> beside(const Scene &scene, std::int32_t tolerance, Flood &flood,
                         const Pose &post) {
    constexpr std::size_t most_tries = 200;
    std::vector<Gate> found;
    flood.grade(corner_at(post));
    std::size_t tries = 0;
    for (const std::uint32_t box : flood.free_near(corner_at(post)))
        if (const Corner middle = flood.middle(box);
            ++tries <= most_tries && !hits(scene, tolerance, post, pose_at(middle)))
            found.push_back({middle, {post, pose_at(middle)}});
    return found;
}

} // namespace

std::vector<Gate> gates(const Scene &scene, std::int32_t tolerance, Flood &flood,
                        const Pose &post) {
    return tolerance == 0 ? on_arcs(scene, flood, post) : beside(scene, tolerance, flood, post);
}

} // namespace kumitate
