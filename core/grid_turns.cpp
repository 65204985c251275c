#include "grid_turns.hpp"

#include <map>
#include <set>

namespace kumitate {

namespace {

constexpr std::int64_t largest = 1 << 20;                       // entry of a matrix
constexpr std::int64_t farthest_corner = std::int64_t{1} << 40; // products fit 64 bits
constexpr std::size_t most_turns = 24;                          // of a lattice in space

struct Unfit {};

Row3 apply(const Matrix3 &m, const Row3 &v) {
    Row3 image{};
    for (std::size_t i = 0; i < 3; ++i)
        image[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return image;
}

void require_small(const Row3 &row, std::int64_t most = largest) {
    for (std::int64_t number : row)
        if (number > most || number < -most)
            throw Unfit{};
}

Matrix3 multiply(const Matrix3 &a, const Matrix3 &b) {
    Matrix3 product{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        require_small(product[i]);
    }
    return product;
}

Turn bare(const Matrix3 &matrix, std::int32_t divisor, std::size_t tiles) {
    Turn turn{{}, divisor, {}, std::vector<Shift>(tiles)};
    for (std::size_t i = 0; i < 9; ++i)
        turn.matrix[i] = static_cast<std::int32_t>(matrix[i / 3][i % 3]);
    for (std::size_t t = 0; t < tiles; ++t)
        turn.onto.push_back(static_cast<std::int32_t>(t));
    return turn;
}

Shift image_of(const Matrix3 &matrix, const Shift &s) {
    const Row3 image = apply(matrix, {s.x, s.y, s.z});
    require_small(image);
    return {static_cast<std::int32_t>(image[0]), static_cast<std::int32_t>(image[1]),
            static_cast<std::int32_t>(image[2])};
}

// The first turn and then the second, whose matrix is given; this is the matrix of both.
Turn then(const Turn &first, const Turn &second, const Matrix3 &its, const Matrix3 &both) {
    Turn turn = bare(both, 1, first.onto.size());
    for (std::size_t t = 0; t < first.onto.size(); ++t) {
        const auto middle = static_cast<std::size_t>(first.onto[t]);
        turn.onto[t] = second.onto[middle];
        turn.shifts[t] = image_of(its, first.shifts[t]) + second.shifts[middle];
    }
    return turn;
}

// The tiles of a lattice point, to be found by their corners.
class Homes {
  public:
    explicit Homes(const GridTable &table) : table_(table) {
        for (std::size_t t = 0; t < table.tiles.size(); ++t) {
            const auto [key, low] = modulo_lattice(table.tiles[t]);
            homes_[key] = {static_cast<std::int32_t>(t), low};
        }
    }

    Turn turn(const Matrix3 &matrix) const {
        for (const Row3 &row : matrix)
            require_small(row);
        Turn turn = bare(matrix, 1, table_.tiles.size());
        for (std::size_t t = 0; t < table_.tiles.size(); ++t) {
            std::vector<Row3> corners;
            for (const Row3 &corner : table_.tiles[t])
                corners.push_back(apply(matrix, corner));
            const auto [key, low] = modulo_lattice(corners);
            const auto home = homes_.find(key);
            if (home == homes_.end())
                throw Unfit{};
            turn.onto[t] = home->second.first;
            turn.shifts[t] = low - home->second.second;
        }
        return turn;
    }

  private:
    const GridTable &table_;
    std::map<std::vector<Row3>, std::pair<std::int32_t, Shift>> homes_;

    // The corners moved near the origin by a lattice vector, in order, and that vector.
    std::pair<std::vector<Row3>, Shift> modulo_lattice(std::vector<Row3> corners) const {
        if (corners.empty())
            throw Unfit{};
        Row3 low = corners[0];
        for (const Row3 &corner : corners)
            for (std::size_t axis = 0; axis < 3; ++axis)
                low[axis] = std::min(low[axis], corner[axis]);
        for (std::int64_t &c : low)
            c = c / table_.denominator - (c % table_.denominator < 0);
        require_small(low);
        for (Row3 &corner : corners)
            for (std::size_t axis = 0; axis < 3; ++axis)
                corner[axis] -= table_.denominator * low[axis];
        std::sort(corners.begin(), corners.end());
        corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
        return {std::move(corners),
                {static_cast<std::int32_t>(low[0]), static_cast<std::int32_t>(low[1]),
                 static_cast<std::int32_t>(low[2])}};
    }
};

std::vector<Turn> all_turns(const GridTable &table) {
    const std::size_t tiles = table.tiles.size();
    if (table.denominator < 1 || table.denominator > farthest_corner)
        throw Unfit{};
    for (const auto &tile : table.tiles)
        for (const Row3 &corner : tile)
            require_small(corner, farthest_corner);
    const Homes homes(table);
    std::vector<Turn> generators;
    for (const Matrix3 &matrix : table.generators)
        generators.push_back(homes.turn(matrix));

    std::vector<Matrix3> group{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    std::vector<Turn> turns{bare(group[0], 1, tiles)};
    for (std::size_t i = 0; i < group.size(); ++i)
        for (std::size_t g = 0; g < generators.size(); ++g) {
            const Matrix3 made = multiply(table.generators[g], group[i]);
            if (std::find(group.begin(), group.end(), made) != group.end())
                continue;
            if (group.size() == most_turns)
                throw Unfit{};
            group.push_back(made);
            turns.push_back(then(turns[i], generators[g], table.generators[g], made));
        }
    std::set<Matrix3> extra; // in order
    if (table.extra) {
        for (const Row3 &row : *table.extra)
            require_small(row);
        for (const Matrix3 &first : group) {
            const Matrix3 begun = multiply(first, *table.extra);
            for (const Matrix3 &last : group)
                extra.insert(multiply(begun, last));
        }
    }

    const Turn mirror = homes.turn(table.mirror);
    std::vector<Turn> mirrors;
    for (std::size_t i = 0; i < group.size(); ++i)
        mirrors.push_back(then(mirror, turns[i], group[i], multiply(group[i], table.mirror)));
    for (const Matrix3 &matrix : extra) {
        turns.push_back(bare(matrix, table.divisor, tiles));
        mirrors.push_back(bare(multiply(matrix, table.mirror), table.divisor, tiles));
    }
    turns.insert(turns.end(), mirrors.begin(), mirrors.end());
    return turns;
}

} // namespace

std::vector<Turn> grid_turns(const GridTable &table) {
    try {
        return all_turns(table);
    } catch (Unfit) {
        return {};
    }
}

} // namespace kumitate
