#include "burr6_moves.hpp"

#include <algorithm>
#include <bit>

namespace kumitate {

namespace {

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

// Sets of one stick, or of all but one.
constexpr std::uint64_t single = [] {
    std::uint64_t sets = 0;
    for (unsigned i = 0; i < six; ++i)
        sets |= std::uint64_t{1} << (1u << i) | std::uint64_t{1} << (everything ^ 1u << i);
    return sets;
}();

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

// The sets that cannot go up, if the first sticks of these pairs cannot go down, or up.
std::uint64_t ruled_out(unsigned down, unsigned up) {
    return rulings.down[0][down & 255] | rulings.down[1][down >> 8] | rulings.up[0][up & 255] |
           rulings.up[1][up >> 8];
}

// The sets that cannot go up along an axis.
std::uint64_t held(unsigned axis, const Touches &touches) {
    return ruled_out(pairs_with(2 * axis, touches), pairs_with(2 * axis + 1, touches));
}

constexpr int farthest = longest - 1, range = 2 * farthest + 1; // at which sticks can meet
constexpr Touch unknown = 0xffff;
constexpr int near = 2, window = 2 * near + 1;
constexpr std::array<int, 3> stride{window * window, window, 1};
constexpr int middle = near * (stride[0] + stride[1] + stride[2]);

// How far two sticks are from each other along an axis, at most.
int spread(const std::array<int, six> &along) {
    int low = along[0], high = along[0];
    for (std::size_t i = 1; i < six; ++i) {
        low = std::min(low, along[i]);
        high = std::max(high, along[i]);
    }
    return high - low;
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

Grip::Grip(const Touches &at_last) {
    for (unsigned axis = 0; axis < 3; ++axis) {
        down[axis] = static_cast<std::uint16_t>(pairs_with(2 * axis, at_last));
        up[axis] = static_cast<std::uint16_t>(pairs_with(2 * axis + 1, at_last));
    }
}

std::uint64_t Grip::exits(unsigned part) const {
    const unsigned in = parts.pairs_in[part];
    std::uint64_t held = ~std::uint64_t{0};
    for (unsigned axis = 0; axis < 3; ++axis)
        held &= ruled_out(down[axis] & in, up[axis] & in);
    return ~held & parts.splits[part];
}

MoveSearch::MoveSearch(const std::array<Box, six> &boxes, int length) : table_{} {
    const Arms arms(length);
    const int arm = arms.arm;
    // Of two columns of six cells, bit k + farthest if the first hits the second when it is moved
    // by k; and if the first is that of a longer stick along its axis, or the second, or both.
    for (unsigned along = 0; along < (arm ? 4u : 1u); ++along)
        for (unsigned a = 0; a < 64; ++a)
            for (unsigned b = 0; b < 64; ++b) {
                const unsigned first = arms.longer(a, along & 1),
                               second = arms.longer(b, along & 2);
                std::uint32_t met = 0;
                for (int i = 0; i < length; ++i)
                    if (first >> i & 1)
                        met |= second << farthest >> i;
                hits_.push_back(met);
            }
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const auto [i, j] = pairs[p];
        tables_[p].resize(j < 4 || p == 14 ? 1 : j == 4 ? 64 : 256);
        const Box &a = boxes[i], &b = boxes[j];
        for (std::size_t axis = 0; axis < 3 && arm; ++axis)
            table_[p][axis] = static_cast<std::uint16_t>(
                (Arms::lies_along(a, axis) + 2 * Arms::lies_along(b, axis)) * 64 * 64);
        const auto column = [](int x, int y) {
            return static_cast<std::uint8_t>(Arms::column(x, y));
        };
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::size_t s = (axis + 1) % 3, t = (axis + 2) % 3;
            for (int u = -farthest; u <= farthest; ++u)
                for (int v = -farthest; v <= farthest; ++v) {
                    starts_.push_back(static_cast<std::uint32_t>(crossings_.size()));
                    for (int x = std::max(arms.low(a, s), arms.low(b, s) - u);
                         x <= std::min(arms.high(a, s), arms.high(b, s) - u); ++x)
                        for (int y = std::max(arms.low(a, t), arms.low(b, t) - v);
                             y <= std::min(arms.high(a, t), arms.high(b, t) - v); ++y)
                            if (const Crossing next{column(x, y), column(x + u, y + v)};
                                std::find(crossings_.begin() + starts_.back(), crossings_.end(),
                                          next) == crossings_.end())
                                crossings_.push_back(next);
                }
        }
    }
    starts_.push_back(static_cast<std::uint32_t>(crossings_.size()));
}

Touch MoveSearch::touch(std::size_t pair, const Stick &a, const Stick &b,
                        const std::array<int, 3> &distance) const {
    unsigned touch = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const int u = distance[(axis + 1) % 3] + farthest, v = distance[(axis + 2) % 3] + farthest;
        if (u < 0 || u >= range || v < 0 || v >= range)
            continue;
        const auto line =
            static_cast<std::size_t>((static_cast<int>(3 * pair + axis) * range + u) * range + v);
        const std::uint32_t *hits = hits_.data() + table_[pair][axis];
        std::uint64_t met = 0;
        for (std::size_t c = starts_[line]; c < starts_[line + 1]; ++c)
            met |= hits[64 * a.column[axis][crossings_[c].a] + b.column[axis][crossings_[c].b]];
        met <<= 20 - farthest; // bit k + 20 for a distance of k along the axis
        const int here = distance[axis] + 20;
        const std::uint64_t below = (std::uint64_t{1} << here) - 1;
        const bool down = met >> (here - 1) & 1, up = met >> (here + 1) & 1;
        const bool down_at_last = met & below, up_at_last = met & ~below;
        touch |= (0x001u * down | 0x002u * up | 0x100u * down_at_last | 0x200u * up_at_last)
                 << 2 * axis;
    }
    return static_cast<Touch>(touch);
}

void MoveSearch::use(const std::array<const Stick *, six> &sticks) {
    const bool last_only = std::equal(sticks.begin(), sticks.begin() + 5, sticks_.begin());
    sticks_ = sticks;
    for (std::size_t p = last_only ? 10 : 0; p < pairs.size(); ++p) {
        const Stick &a = *sticks_[pairs[p].i], &b = *sticks_[pairs[p].j];
        Near &near = tables_[p][b.number & (tables_[p].size() - 1)];
        near_[p] = &near;
        if (near.first != a.number || near.second != b.number) {
            near.first = a.number;
            near.second = b.number;
            near.touch.fill(unknown);
        }
    }
}

std::uint64_t MoveSearch::unfit(LevelBy by) {
    return by == LevelBy::piece ? ~single : no_move;
}

std::uint8_t MoveSearch::ending(const std::array<const Stick *, six> &sticks) {
    use(sticks);
    SlideState home;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        Touch &known = near_[p]->touch[middle];
        if (known == unknown)
            known = touch(p, *sticks[pairs[p].i], *sticks[pairs[p].j], {0, 0, 0});
        put(home.at_step, home.at_last, p, known);
    }
    std::uint64_t movable = 0, free = 0;
    for (unsigned axis = 0; axis < 3; ++axis) {
        home.movable[axis] = ~(held(axis, home.at_step) | no_move);
        movable |= home.movable[axis];
        free |= ~(held(axis, home.at_last) | no_move);
    }
    return !movable ? rigid : free ? std::uint8_t{1} : ending(home, LevelBy::move);
}

SlideState MoveSearch::start(const Hold &whole) {
    SlideState state;
    state.at_step = whole.at_step;
    state.at_last = whole.at_last;
    for (std::size_t axis = 0; axis < 3; ++axis)
        state.movable[axis] = ~(whole.step[axis] | no_move);
    return state;
}

// Breadth first; a state is judged when it is found.
std::uint8_t MoveSearch::search(unsigned part, const SlideState &from, const Exit *exit,
                                LevelBy by) {
    farthest_apart_ = 0;
    Walk &walk = walks_[static_cast<std::size_t>(std::popcount(part))];
    walk.part = part;
    walk.anchor = static_cast<unsigned>(std::countr_zero(part));
    walk.states.clear();
    walk.states.push_back(from);
    if (part != everything) {
        SlideState &first = walk.states[0];
        for (std::size_t word = 0; word < 2; ++word) {
            first.at_step[word] &= parts.bytes_in[part][word];
            first.at_last[word] &= parts.bytes_in[part][word];
        }
        for (unsigned axis = 0; axis < 3; ++axis)
            first.movable[axis] = ~held(axis, first.at_step) & parts.splits[part];
    }
    const int most = by == LevelBy::unit ? 1 : 2 * longest;
    std::size_t end = 1;
    Search found{exit, unfit(by)};
    for (std::size_t at = 0; at < walk.states.size(); ++at) {
        if (at == end) {
            if (found.exits)
                break;
            end = walk.states.size();
            if (++found.moves > most_moves)
                return vast;
        }
        unpack(walk, walk.states[at]);
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::uint64_t sets = walk.states[at].movable[axis] & ~found.unfit; sets;
                 sets &= sets - 1) {
                const auto set = static_cast<unsigned>(std::countr_zero(sets));
                const Slid slid = slide(walk, at, axis, set, most, found);
                if (slid != Slid::to_its_end)
                    return slid == Slid::free ? found.moves : vast;
            }
    }
    return found.exits ? found.moves : stuck;
}

// The same, if sticks go along an axis each as far as they like: one axis after the other, unit by
// unit from the states of the last move, and from all that this leads to.
std::uint8_t MoveSearch::search_axes(const SlideState &from) {
    farthest_apart_ = 0;
    Walk &walk = walks_[six];
    walk.part = everything;
    walk.anchor = 0;
    walk.states.assign(1, from);
    Search found{nullptr, no_move};
    for (std::size_t begin = 0, end = 1; begin < end; begin = end, end = walk.states.size()) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::size_t fresh = walk.states.size();
            for (std::size_t at = begin; at < walk.states.size(); ++at) {
                if (at == end)
                    at = fresh;
                if (at == walk.states.size())
                    break;
                unpack(walk, walk.states[at]);
                for (std::uint64_t sets = walk.states[at].movable[axis]; sets; sets &= sets - 1) {
                    const auto set = static_cast<unsigned>(std::countr_zero(sets));
                    const Slid slid = slide(walk, at, axis, set, 1, found);
                    if (slid != Slid::to_its_end)
                        return slid == Slid::free ? found.moves : vast;
                }
            }
        }
        if (++found.moves > most_moves)
            return vast;
    }
    return stuck;
}

void MoveSearch::unpack(Walk &walk, const SlideState &state) {
    walk.spot = {};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < six; ++i) {
            walk.at[axis][i] = state.along(axis, i);
            walk.spot[i] += stride[axis] * walk.at[axis][i];
        }
        walk.far[axis] = spread(walk.at[axis]) > near;
    }
}

// Slide a set up from a state, cell by cell. If the anchor is in it, the others go down instead.
MoveSearch::Slid MoveSearch::slide(Walk &walk, std::size_t from, std::size_t axis, unsigned set,
                                   int most, Search &found) {
    std::vector<SlideState> &states = walk.states;
    const std::uint64_t where = states[from].where & ~(std::uint64_t{0xfffff} << 20 * axis);
    const bool far_across = walk.far[(axis + 1) % 3] || walk.far[(axis + 2) % 3];
    const bool down = set >> walk.anchor & 1;
    std::array<int, six> step;
    for (std::size_t i = 0; i < six; ++i)
        step[i] = static_cast<int>((down ? walk.part & ~set : set) >> i & 1) * (down ? -1 : 1);
    const std::uint64_t splits = parts.splits[walk.part];
    const unsigned pairs_in = parts.pairs_in[walk.part];
    std::array<int, six> along = walk.at[axis];
    std::size_t before = from;
    for (int by = 1; by <= most && states[before].movable[axis] >> set & 1; ++by) {
        std::uint64_t lanes = 0;
        for (std::size_t i = 1; i < six; ++i) {
            along[i] += step[i];
            if (along[i] & ~15)
                return Slid::beyond;
            lanes |= static_cast<std::uint64_t>(along[i]) << 4 * (i - 1);
        }
        const std::uint64_t there = where | lanes << 20 * axis;
        const auto seen = std::find_if(states.begin(), states.end(), [&](const SlideState &state) {
            return state.where == there;
        });
        if (seen != states.end()) {
            before = static_cast<std::size_t>(seen - states.begin());
            continue;
        }
        states.push_back(states[before]);
        before = states.size() - 1;
        SlideState &next = states[before];
        next.where = there;
        for (std::size_t word = 0; word < 2; ++word) {
            next.at_step[word] &= parted.others[set][word];
            next.at_last[word] &= parted.others[set][word];
        }
        const int wide = spread(along);
        farthest_apart_ = std::max(farthest_apart_, wide);
        const bool is_far = far_across || wide > near;
        for (const std::uint8_t *at = parted.of[set]; *at < pairs.size(); ++at) {
            const std::size_t p = *at;
            if (!(pairs_in >> p & 1))
                continue;
            const auto [i, j] = pairs[p];
            const int moved = set >> i & 1 ? by : -by;
            Touch fresh = unknown;
            Touch *kept = &fresh;
            if (!is_far) {
                const int by_distance = middle + walk.spot[i] - walk.spot[j] + stride[axis] * moved;
                KUMITATE_EXPECT(by_distance >= 0 && by_distance < window * window * window,
                                "sticks that are not far are in the table");
                kept = &near_[p]->touch[static_cast<std::size_t>(by_distance)];
            }
            if (*kept == unknown) {
                std::array<int, 3> distance;
                for (std::size_t a = 0; a < 3; ++a)
                    distance[a] = walk.at[a][i] - walk.at[a][j] + (a == axis ? moved : 0);
                *kept = touch(p, *sticks_[i], *sticks_[j], distance);
            }
            put(next.at_step, next.at_last, p, *kept);
        }
        bool free = false;
        for (unsigned a = 0; a < 3; ++a) {
            next.movable[a] = ~held(a, next.at_step) & splits;
            free |= next.movable[a] && ~held(a, next.at_last) & splits & ~found.unfit;
            if (free && !found.exit)
                return Slid::free;
        }
        if (free) {
            if ((*found.exit)(next, found.moves))
                return Slid::free;
            found.exits = true;
        }
    }
    return Slid::to_its_end;
}

} // namespace kumitate
