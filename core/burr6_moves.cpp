#include "burr6_moves.hpp"

#include <algorithm>
#include <bit>

namespace kumitate {

namespace {

// The sets that have i but not j.
constexpr std::uint64_t sets_with(unsigned i, unsigned j) {
    std::uint64_t word = 0;
    for (unsigned set = 0; set < 64; ++set)
        if ((set >> i & 1) && !(set >> j & 1))
            word |= std::uint64_t{1} << set;
    return word;
}

// The sets that cannot go up because of some pairs: those whose first stick hits the second when it
// goes up, or when it goes down, for then the second cannot go up without the first. Pairs are bits
// of a mask, which is looked up in halves.
struct Rulings {
    std::uint64_t up[2][256]{}, down[2][256]{};
    constexpr Rulings() {
        for (unsigned half = 0; half < 2; ++half)
            for (unsigned mask = 1; mask < 256; ++mask) {
                const unsigned p = 8 * half + static_cast<unsigned>(std::countr_zero(mask));
                const unsigned others = mask & (mask - 1);
                if (p >= pairs.size())
                    continue;
                up[half][mask] = up[half][others] | sets_with(pairs[p].i, pairs[p].j);
                down[half][mask] = down[half][others] | sets_with(pairs[p].j, pairs[p].i);
            }
    }
};
constexpr Rulings rulings;

// The pairs that are parted when a set moves, and 15 behind the last; the bytes of the others.
struct Parted {
    std::uint8_t of[64][10]{};
    Touches others[64]{};
    constexpr Parted() {
        for (unsigned set = 0; set < 64; ++set) {
            unsigned count = 0;
            for (std::uint8_t p = 0; p < pairs.size(); ++p)
                if ((set >> pairs[p].i & 1) != (set >> pairs[p].j & 1))
                    of[set][count++] = p;
                else
                    others[set][p / 8] |= std::uint64_t{0xff} << p % 8 * 8;
            of[set][count] = pairs.size();
        }
    }
};
constexpr Parted parted;

// Of two columns of six cells, bit k + 5 if the first hits the second when it is moved by k.
struct Hits {
    std::uint16_t of[64][64]{};
    constexpr Hits() {
        for (unsigned a = 0; a < 64; ++a)
            for (unsigned b = 0; b < 64; ++b)
                for (unsigned i = 0; i < side; ++i)
                    if (a >> i & 1)
                        of[a][b] = static_cast<std::uint16_t>(of[a][b] | (b << 5) >> i);
    }
};
constexpr Hits hits;

void put(Touches &step, Touches &last, std::size_t pair, Touch touch) {
    step[pair / 8] |= std::uint64_t{touch & 0xffu} << pair % 8 * 8;
    last[pair / 8] |= std::uint64_t{touch} >> 8 << pair % 8 * 8;
}

// The pairs that have a bit.
unsigned pairs_with(unsigned bit, const Touches &touches) {
    constexpr std::uint64_t lanes = 0x0101010101010101u, gather = 0x0102040810204080u;
    return static_cast<unsigned>((touches[0] >> bit & lanes) * gather >> 56 |
                                 (touches[1] >> bit & lanes) * gather >> 56 << 8);
}

// The sets that cannot go up along an axis.
std::uint64_t held(unsigned axis, const Touches &touches) {
    const unsigned down = pairs_with(2 * axis, touches), up = pairs_with(2 * axis + 1, touches);
    return rulings.down[0][down & 255] | rulings.down[1][down >> 8] | rulings.up[0][up & 255] |
           rulings.up[1][up >> 8];
}

constexpr std::size_t range = 2 * side - 1; // of distances at which sticks can meet
constexpr Touch unknown = 0xffff;
constexpr int near = 2, window = 2 * near + 1;
constexpr std::array<int, 3> stride{window * window, window, 1};
constexpr int middle = near * (stride[0] + stride[1] + stride[2]);

// Whether two sticks are farther from each other along an axis than is looked up.
bool far(const std::array<int, six> &along) {
    int low = along[0], high = along[0];
    for (std::size_t i = 1; i < six; ++i) {
        low = std::min(low, along[i]);
        high = std::max(high, along[i]);
    }
    return high - low > near;
}

} // namespace

Hold::Hold(std::size_t pair, Touch touch) {
    put(at_step, at_last, pair, touch);
    const std::size_t half = pair / 8, bit = std::size_t{1} << pair % 8;
    const auto sets = [&](unsigned down, unsigned up) {
        return rulings.down[half][down ? bit : 0] | rulings.up[half][up ? bit : 0];
    };
    for (unsigned axis = 0; axis < 3; ++axis, touch >>= 2) {
        step[axis] = sets(touch & 1, touch & 2);
        ever[axis] = sets(touch & 0x100, touch & 0x200);
    }
}

MoveSearch::MoveSearch(const std::array<Box, six> &boxes) {
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const auto [i, j] = pairs[p];
        tables_[p].resize(j < 4 || p == 14 ? 1 : j == 4 ? 64 : 256);
        const Box &a = boxes[i], &b = boxes[j];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::size_t s = (axis + 1) % 3, t = (axis + 2) % 3;
            for (int u = 1 - side; u < side; ++u)
                for (int v = 1 - side; v < side; ++v) {
                    starts_.push_back(static_cast<std::uint16_t>(crossings_.size()));
                    for (int x = std::max(a.low[s], b.low[s] - u);
                         x < std::min(a.high[s], b.high[s] - u); ++x)
                        for (int y = std::max(a.low[t], b.low[t] - v);
                             y < std::min(a.high[t], b.high[t] - v); ++y)
                            crossings_.push_back(
                                {static_cast<std::uint8_t>(side * x + y),
                                 static_cast<std::uint8_t>(side * (x + u) + y + v)});
                }
        }
    }
    starts_.push_back(static_cast<std::uint16_t>(crossings_.size()));
}

Touch MoveSearch::touch(std::size_t pair, const Stick &a, const Stick &b,
                        const std::array<int, 3> &distance) const {
    unsigned touch = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const int u = distance[(axis + 1) % 3] + side - 1, v = distance[(axis + 2) % 3] + side - 1;
        if (u < 0 || u >= static_cast<int>(range) || v < 0 || v >= static_cast<int>(range))
            continue;
        const std::size_t line = ((3 * pair + axis) * range + static_cast<std::size_t>(u)) * range +
                                 static_cast<std::size_t>(v);
        std::uint64_t met = 0;
        for (std::size_t c = starts_[line]; c < starts_[line + 1]; ++c)
            met |= hits.of[a.column[axis][crossings_[c].a]][b.column[axis][crossings_[c].b]];
        met <<= 15; // bit k + 20 for a distance of k along the axis
        const int here = distance[axis] + 20;
        const std::uint64_t below = (std::uint64_t{1} << here) - 1;
        const bool down = met >> (here - 1) & 1, up = met >> (here + 1) & 1;
        const bool down_at_last = met & below, up_at_last = met & ~below;
        touch |= (0x001u * down | 0x002u * up | 0x100u * down_at_last | 0x200u * up_at_last)
                 << 2 * axis;
    }
    return static_cast<Touch>(touch);
}

void MoveSearch::use(std::size_t pair) {
    const Stick &a = *sticks_[pairs[pair].i], &b = *sticks_[pairs[pair].j];
    Near &near = tables_[pair][b.number & (tables_[pair].size() - 1)];
    near_[pair] = &near;
    if (near.first != a.number || near.second != b.number) {
        near.first = a.number;
        near.second = b.number;
        near.touch.fill(unknown);
    }
}

// Breadth first; a state is judged when it is found.
std::uint8_t MoveSearch::search(const std::array<const Stick *, six> &sticks, const Hold &whole) {
    const bool last_only = std::equal(sticks.begin(), sticks.begin() + 5, sticks_.begin());
    sticks_ = sticks;
    for (std::size_t p = last_only ? 10 : 0; p < pairs.size(); ++p)
        use(p);
    nodes_.clear();
    nodes_.push_back({0x888888888888888u, {}, whole.at_step, whole.at_last});
    for (std::size_t axis = 0; axis < 3; ++axis)
        nodes_[0].movable[axis] = ~(whole.step[axis] | no_move);

    std::size_t end = 1;
    std::uint8_t moves = 2;
    for (std::size_t from = 0; from < nodes_.size(); ++from) {
        if (from == end) {
            end = nodes_.size();
            if (++moves > most_moves)
                return vast;
        }
        unpack(nodes_[from].where);
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::uint64_t sets = nodes_[from].movable[axis]; sets; sets &= sets - 1) {
                const auto set = static_cast<unsigned>(std::countr_zero(sets));
                const Slid slid = slide(from, axis, set);
                if (slid != Slid::to_its_end)
                    return slid == Slid::free ? moves : vast;
            }
    }
    return stuck;
}

void MoveSearch::unpack(Where where) {
    spot_ = {};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < six; ++i) {
            at_[axis][i] = i == 0 ? 8 : static_cast<int>(where >> (20 * axis + 4 * (i - 1)) & 15);
            spot_[i] += stride[axis] * at_[axis][i];
        }
        far_[axis] = far(at_[axis]);
    }
}

// Slide a set up from a state, cell by cell. If stick 0 is in it, the others go down instead.
MoveSearch::Slid MoveSearch::slide(std::size_t from, std::size_t axis, unsigned set) {
    const Where where = nodes_[from].where & ~(Where{0xfffff} << 20 * axis);
    const bool far_across = far_[(axis + 1) % 3] || far_[(axis + 2) % 3];
    std::array<int, six> along = at_[axis];
    std::size_t before = from;
    for (int by = 1; nodes_[before].movable[axis] >> set & 1; ++by) {
        Where lanes = 0;
        for (std::size_t i = 1; i < six; ++i) {
            along[i] += static_cast<int>(set >> i & 1) - static_cast<int>(set & 1);
            if (along[i] & ~15)
                return Slid::beyond;
            lanes |= static_cast<Where>(along[i]) << 4 * (i - 1);
        }
        const Where there = where | lanes << 20 * axis;
        const auto seen = std::find_if(nodes_.begin(), nodes_.end(),
                                       [&](const Node &node) { return node.where == there; });
        if (seen != nodes_.end()) {
            before = static_cast<std::size_t>(seen - nodes_.begin());
            continue;
        }
        nodes_.push_back(nodes_[before]);
        before = nodes_.size() - 1;
        Node &next = nodes_[before];
        next.where = there;
        for (std::size_t word = 0; word < 2; ++word) {
            next.at_step[word] &= parted.others[set][word];
            next.at_last[word] &= parted.others[set][word];
        }
        const bool is_far = far_across || far(along);
        for (const std::uint8_t *p = parted.of[set]; *p < pairs.size(); ++p) {
            const auto [i, j] = pairs[*p];
            const int moved = set >> i & 1 ? by : -by;
            Touch fresh = unknown;
            Touch *kept = &fresh;
            if (!is_far)
                kept = &near_[*p]->touch[static_cast<std::size_t>(middle + spot_[i] - spot_[j] +
                                                                  stride[axis] * moved)];
            if (*kept == unknown) {
                std::array<int, 3> distance;
                for (std::size_t a = 0; a < 3; ++a)
                    distance[a] = at_[a][i] - at_[a][j] + (a == axis ? moved : 0);
                *kept = touch(*p, *sticks_[i], *sticks_[j], distance);
            }
            put(next.at_step, next.at_last, *p, *kept);
        }
        for (unsigned a = 0; a < 3; ++a) {
            next.movable[a] = ~(held(a, next.at_step) | no_move);
            if (next.movable[a] && ~(held(a, next.at_last) | no_move))
                return Slid::free;
        }
    }
    return Slid::to_its_end;
}

} // namespace kumitate
