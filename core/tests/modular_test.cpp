// Weights against a plain search through all sums, and against themselves: every column must weigh
// 0 and the right side must not.

#include "../modular.hpp"
#include "check.hpp"

#include <algorithm>
#include <random>
#include <set>

using namespace kumitate;

// Whether whole multiples of the columns add up to the right side, by visiting every sum there is.
static bool solvable(const Columns &columns, unsigned modulus) {
    using Sum = std::vector<unsigned>;
    std::set<Sum> seen{Sum(columns.right.size(), 0)};
    std::vector<Sum> todo(seen.begin(), seen.end());
    for (std::size_t at = 0; at < todo.size(); ++at)
        for (std::size_t column = 0; column + 1 < columns.starts.size(); ++column) {
            Sum sum = todo[at];
            for (std::uint32_t i = columns.starts[column]; i < columns.starts[column + 1]; ++i)
                sum[columns.rows[i]] = (sum[columns.rows[i]] + 1) % modulus;
            if (seen.insert(sum).second)
                todo.push_back(sum);
        }
    Sum right(columns.right.begin(), columns.right.end());
    for (unsigned &entry : right)
        entry %= modulus;
    return seen.count(right) > 0;
}

static unsigned weight_of(const Columns &columns, std::size_t column,
                          const std::vector<std::uint8_t> &weights) {
    unsigned sum = 0;
    for (std::uint32_t i = columns.starts[column]; i < columns.starts[column + 1]; ++i)
        sum += weights[columns.rows[i]];
    return sum;
}

static void weights_exist_just_if_no_sum_is_right() {
    std::mt19937 random(6);
    int refuted = 0;
    for (int round = 0; round < 2000; ++round) {
        const unsigned moduli[] = {2, 3, 4, 5, 7, 8, 9};
        const unsigned modulus = moduli[random() % 7];
        const std::uint32_t rows = 1 + static_cast<std::uint32_t>(random() % (modulus > 5 ? 3 : 4));
        Columns columns;
        for (std::uint32_t row = 0; row < rows; ++row)
            columns.right.push_back(static_cast<std::uint32_t>(random() % 10));
        for (std::size_t column = random() % 5; column > 0; --column) {
            for (std::size_t entry = random() % 6; entry > 0; --entry) // rows may come again
                columns.rows.push_back(static_cast<std::uint32_t>(random() % rows));
            columns.starts.push_back(static_cast<std::uint32_t>(columns.rows.size()));
        }
        const auto weights = weights_against(columns, modulus);
        expect(weights.has_value() != solvable(columns, modulus), "as the plain search says");
        if (!weights)
            continue;
        ++refuted;
        for (std::size_t column = 0; column + 1 < columns.starts.size(); ++column)
            expect(weight_of(columns, column, *weights) % modulus == 0, "a column weighs nothing");
        unsigned right = 0;
        for (std::uint32_t row = 0; row < rows; ++row)
            right += (*weights)[row] * columns.right[row];
        expect(right % modulus != 0, "the right side weighs something");
    }
    expect(refuted > 300, "enough of the random systems have no solution");
}

void test_modular() {
    weights_exist_just_if_no_sum_is_right();
}
