#include "placements.hpp"
#include "hash.hpp"

#include <set>
#include <tuple>

namespace kumitate {

namespace {

// How far a coordinate lies from the low end of the box; huge if it lies below.
std::size_t offset(std::int32_t at, std::int32_t low) {
    return static_cast<std::uint32_t>(at) - static_cast<std::uint32_t>(low);
}

// Where a cell is in the array over the box; behind its end if it lies outside.
std::size_t place_in_box(const Goal &goal, Cell cell) {
    const std::size_t x = offset(cell.x, goal.low.x), y = offset(cell.y, goal.low.y),
                      z = offset(cell.z, goal.low.z), tile = offset(cell.tile, goal.low.tile);
    const auto &[sx, sy, sz, tiles] = goal.size;
    if (x >= sx || y >= sy || z >= sz || tile >= tiles)
        return goal.in_box.size();
    return ((x * sy + y) * sz + z) * tiles + tile;
}

// The shift that brings the least x, y and z of the cells to 0.
Shift to_origin(std::span<const Cell> cells) {
    return -box_of(cells).low;
}

// A cell turned about the origin, by a turn without a divisor.
Cell turn_cell(const Turn &turn, Cell c) {
    const auto &m = turn.matrix;
    const auto tile = static_cast<std::size_t>(c.tile);
    KUMITATE_EXPECT(turn.divisor == 1 && tile < turn.onto.size(),
                    "a turn knows every tile, and one with a divisor needs a pivot");
    return Cell{m[0] * c.x + m[1] * c.y + m[2] * c.z, m[3] * c.x + m[4] * c.y + m[5] * c.z,
                m[6] * c.x + m[7] * c.y + m[8] * c.z, turn.onto[tile]} +
           turn.shifts[tile];
}

// One turned about a pivot; false if it does not land on a cell.
bool turn_cell(const Turn &turn, Cell pivot, Cell c, Cell &turned) {
    const auto &m = turn.matrix;
    const std::int32_t p[3] = {c.x - pivot.x, c.y - pivot.y, c.z - pivot.z};
    std::int32_t q[3];
    for (std::size_t row = 0; row < 3; ++row) {
        q[row] = m[3 * row] * p[0] + m[3 * row + 1] * p[1] + m[3 * row + 2] * p[2];
        if (q[row] % turn.divisor != 0)
            return false;
        q[row] /= turn.divisor;
    }
    const auto tile = static_cast<std::size_t>(c.tile);
    turned =
        Cell{q[0] + pivot.x, q[1] + pivot.y, q[2] + pivot.z, turn.onto[tile]} + turn.shifts[tile];
    return true;
}

} // namespace

bool turn_cells(const Turn &turn, std::span<const Cell> cells, std::vector<Cell> &turned) {
    turned.resize(cells.size());
    if (turn.divisor == 1) {
        std::transform(cells.begin(), cells.end(), turned.begin(),
                       [&](Cell c) { return turn_cell(turn, c); });
        return true;
    }
    const Cell pivot = cells.empty() ? Cell{} : *std::min_element(cells.begin(), cells.end());
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (!turn_cell(turn, pivot, cells[i], turned[i]))
            return false;
    return true;
}

std::uint64_t hash_of(Cell cell) {
    const auto both = [](std::int32_t a, std::int32_t b) {
        return std::uint64_t{static_cast<std::uint32_t>(a)} << 32 | static_cast<std::uint32_t>(b);
    };
    return hash_of(std::array{both(cell.x, cell.y), both(cell.z, cell.tile)});
}

Goal make_goal(std::span<const Cell> cells, std::span<const std::uint64_t> accepts) {
    require(accepts.size() == cells.size(), "every cell of a goal accepts some kinds");
    Goal goal{{cells.begin(), cells.end()}, {accepts.begin(), accepts.end()}, {}, {}, {}, {}};
    if (cells.empty())
        return goal;
    const Box box = box_of(cells);
    const auto [first, last] = std::ranges::minmax(cells, {}, &Cell::tile);
    const auto [sx, sy, sz] = box.sides();
    goal.low = {box.low.x, box.low.y, box.low.z, first.tile};
    goal.size = {sx, sy, sz, offset(last.tile, first.tile) + 1};
    const std::size_t most = 16 * std::bit_ceil(2 * cells.size() + 1);
    std::size_t all = 1;
    for (std::size_t side : goal.size)
        all = side > most ? side : std::min(all * side, 2 * most);
    if (all <= most)
        goal.in_box.assign(all, none);
    for (std::uint32_t i = 0; i < goal.cells.size(); ++i)
        if (all <= most)
            goal.in_box[place_in_box(goal, goal.cells[i])] = i;
        else
            goal.numbers.add(hash_of(goal.cells[i]), i, [](std::uint32_t) { return false; });
    return goal;
}

std::uint32_t find(const Goal &goal, Cell cell) {
    if (goal.in_box.empty())
        return goal.numbers.find(hash_of(cell),
                                 [&](std::uint32_t i) { return goal.cells[i] == cell; });
    const std::size_t place = place_in_box(goal, cell);
    return place < goal.in_box.size() ? goal.in_box[place] : none;
}

std::vector<Shift> fits(const Goal &goal, std::span<const Cell> piece,
                        std::span<const std::uint64_t> kinds) {
    KUMITATE_EXPECT(kinds.size() == piece.size(), "every cell of a piece has a kind");
    std::vector<Shift> found;
    if (piece.empty())
        return found;
    const auto try_shift = [&](Shift by, auto &&cell_under) {
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const std::uint32_t at = cell_under(i);
            if (at == none || (goal.accepts[at] & kinds[i]) == 0)
                return;
        }
        found.push_back(by);
    };
    // Every shift that keeps the piece within the goal's box; if that is much larger than the goal,
    // every cell that its first one may lie on. The order is the same if the goal's cells are
    // sorted.
    const Box box = box_of(piece);
    const std::array<std::size_t, 3> sides = box.sides();
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (sides[axis] > goal.size[axis])
            return found;
    const auto room = [&](std::size_t axis) {
        return static_cast<std::int32_t>(goal.size[axis] - sides[axis] + 1);
    };
    if (!goal.in_box.empty()) {
        const Shift least = place_of(goal.low) - box.low;
        std::vector<std::size_t> places; // after the least shift; any other adds the same to all
        for (const Cell &cell : piece) {
            places.push_back(place_in_box(goal, cell + least));
            if (places.back() == goal.in_box.size()) // of a tile that is not in the goal
                return found;
        }
        const Cell low = goal.low;
        for (std::int32_t x = 0; x < room(0); ++x)
            for (std::int32_t y = 0; y < room(1); ++y)
                for (std::int32_t z = 0; z < room(2); ++z) {
                    const std::size_t by = place_in_box(goal, low + Shift{x, y, z});
                    try_shift(least + Shift{x, y, z},
                              [&](std::size_t i) { return goal.in_box[places[i] + by]; });
                }
        return found;
    }
    for (const Cell &start : goal.cells)
        if (start.tile == piece.front().tile) {
            const Shift by = place_of(start) - place_of(piece.front());
            try_shift(by, [&](std::size_t i) { return find(goal, piece[i] + by); });
        }
    return found;
}

namespace {

// Sort cells, and their kinds with them.
void arrange(std::vector<Cell> &cells, std::vector<std::uint64_t> &kinds) {
    std::vector<std::pair<Cell, std::uint64_t>> unite;
    for (std::size_t i = 0; i < cells.size(); ++i)
        unite.emplace_back(cells[i], kinds[i]);
    std::sort(unite.begin(), unite.end());
    for (std::size_t i = 0; i < unite.size(); ++i)
        std::tie(cells[i], kinds[i]) = unite[i];
}

// The same for cells that lie on the goal after a shift, in the order of the cells there: numbers
// are sorted faster than cells.
void arrange_on(const Goal &goal, Shift by, std::vector<Cell> &cells,
                std::vector<std::uint64_t> &kinds) {
    std::vector<std::uint64_t> order;
    order.reserve(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
        order.push_back(std::uint64_t{find(goal, cells[i] + by)} << 32 | i);
    std::sort(order.begin(), order.end());
    const std::vector<Cell> cells_before = cells;
    const std::vector<std::uint64_t> kinds_before = kinds;
    for (std::size_t i = 0; i < order.size(); ++i) {
        cells[i] = cells_before[order[i] & 0xffffffffu];
        kinds[i] = kinds_before[order[i] & 0xffffffffu];
    }
}

} // namespace

// A sum, so that it needs no order.
std::uint64_t look_of(std::span<const Cell> cells, std::span<const std::uint64_t> kinds) {
    const Shift home = to_origin(cells);
    std::uint64_t sum = cells.size();
    for (std::size_t i = 0; i < cells.size(); ++i)
        sum += hash_of(cells[i] + home) * (2 * kinds[i] + 1);
    return sum;
}

namespace {

// Whether two shapes, one of them turned, look the same.
bool same_look(const Turn &turn, std::span<const Cell> shape, std::span<const std::uint64_t> kinds,
               std::span<const Cell> other, std::span<const std::uint64_t> other_kinds) {
    Shape a{{}, {kinds.begin(), kinds.end()}},
        b{{other.begin(), other.end()}, {other_kinds.begin(), other_kinds.end()}};
    if (!turn_cells(turn, shape, a.cells) || a.cells.size() != b.cells.size())
        return false;
    for (Shape *one : {&a, &b}) {
        const Shift home = to_origin(one->cells);
        for (Cell &cell : one->cells)
            cell = cell + home;
        arrange(one->cells, one->kinds);
    }
    return a.cells == b.cells && a.kinds == b.kinds;
}

} // namespace

bool is_among(const Looks &looks, const Shape &shape, std::span<const Turn> turns,
              const Shape &other) {
    if (other.cells.empty())
        return shape.cells.empty();
    const auto at = looks.find(look_of(other.cells, other.kinds));
    return at != looks.end() &&
           same_look(turns[at->second], shape.cells, shape.kinds, other.cells, other.kinds);
}

std::vector<Orientation> orientations(const Goal &goal, std::span<const Turn> turns,
                                      std::span<const Cell> shape,
                                      std::span<const std::uint64_t> kinds, Looks &looks) {
    std::vector<Orientation> found;
    std::vector<Cell> turned;
    for (std::uint32_t t = 0; t < turns.size(); ++t) {
        if (shape.empty() || !turn_cells(turns[t], shape, turned))
            continue;
        const auto [known, is_new] = looks.emplace(look_of(turned, kinds), t);
        if (!is_new && same_look(turns[known->second], shape, kinds, turned, kinds))
            continue;
        Orientation orientation{t, {kinds.begin(), kinds.end()}, {}};
        const auto least = std::min_element(turned.begin(), turned.end()) - turned.begin();
        std::swap(turned[0], turned[static_cast<std::size_t>(least)]);
        std::swap(orientation.kinds[0], orientation.kinds[static_cast<std::size_t>(least)]);
        const std::vector<Shift> shifts = fits(goal, turned, orientation.kinds);
        if (!shifts.empty())
            arrange_on(goal, shifts[0], turned, orientation.kinds);
        for (const Shift &by : shifts) {
            Way way{by, {}};
            way.covers.reserve(turned.size());
            for (const Cell &cell : turned)
                way.covers.push_back(find(goal, cell + by));
            orientation.ways.push_back(std::move(way));
        }
        found.push_back(std::move(orientation));
    }
    return found;
}

namespace {

// How many of each tile there are among some cells, and the sum of their places.
struct Moment {
    std::vector<std::int64_t> of_tile;
    std::int64_t sum[3] = {0, 0, 0};
};

Moment moment_of(std::span<const Cell> cells) {
    Moment moment;
    for (const Cell &c : cells) {
        const auto tile = static_cast<std::size_t>(c.tile);
        if (tile >= moment.of_tile.size())
            moment.of_tile.resize(tile + 1);
        ++moment.of_tile[tile];
        moment.sum[0] += c.x, moment.sum[1] += c.y, moment.sum[2] += c.z;
    }
    return moment;
}

// The shift after which a turn, without a divisor, leaves the middle of the cells where it was; no
// cell need be turned to know it. False if there is none.
bool keep_middle(const Turn &turn, const Moment &moment, std::size_t cells, Shift &by) {
    std::int64_t moved[3];
    for (std::size_t row = 0; row < 3; ++row) {
        moved[row] = moment.sum[row];
        for (std::size_t i = 0; i < 3; ++i)
            moved[row] -= turn.matrix[3 * row + i] * moment.sum[i];
    }
    for (std::size_t tile = 0; tile < moment.of_tile.size(); ++tile) {
        moved[0] -= moment.of_tile[tile] * turn.shifts[tile].x;
        moved[1] -= moment.of_tile[tile] * turn.shifts[tile].y;
        moved[2] -= moment.of_tile[tile] * turn.shifts[tile].z;
    }
    const auto n = static_cast<std::int64_t>(cells);
    by = {static_cast<std::int32_t>(moved[0] / n), static_cast<std::int32_t>(moved[1] / n),
          static_cast<std::int32_t>(moved[2] / n)};
    return moved[0] % n == 0 && moved[1] % n == 0 && moved[2] % n == 0;
}

} // namespace

std::vector<GoalMap> goal_maps(const Goal &goal, std::span<const std::uint32_t> labels,
                               std::span<const Turn> turns) {
    std::vector<GoalMap> maps;
    std::set<std::vector<std::uint32_t>> seen;
    if (goal.cells.empty())
        return maps;
    const Moment moment = moment_of(goal.cells);
    const Shift home = to_origin(goal.cells);
    const auto consider = [&](std::uint32_t t, auto &&image) {
        std::vector<std::uint32_t> goes_to;
        for (std::size_t i = 0; i < goal.cells.size(); ++i) {
            const std::uint32_t at = find(goal, image(i));
            if (at == none || labels[at] != labels[i])
                return;
            goes_to.push_back(at);
        }
        if (seen.insert(goes_to).second)
            maps.push_back({t, std::move(goes_to)});
    };
    std::vector<Cell> turned;
    Shift by;
    for (std::uint32_t t = 0; t < turns.size(); ++t) {
        const Turn &turn = turns[t];
        if (turn.divisor == 1) {
            if (keep_middle(turn, moment, goal.cells.size(), by))
                consider(t, [&](std::size_t i) { return turn_cell(turn, goal.cells[i]) + by; });
        } else if (turn_cells(turn, goal.cells, turned)) {
            by = to_origin(turned) - home;
            consider(t, [&](std::size_t i) { return turned[i] + by; });
        }
    }
    return maps;
}

} // namespace kumitate
