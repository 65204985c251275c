#include "modular.hpp"

#include <algorithm>
#include <array>

namespace kumitate {

namespace {

constexpr std::size_t batch = 32; // columns taken in between two looks at the weights

template <unsigned p, unsigned m> class Module {
  public:
    explicit Module(const Columns &columns)
        : columns_(columns), rows_(columns.right.size()), basis_(rows_) {}

    std::optional<std::vector<std::uint8_t>> weights() {
        Vector right(rows_);
        for (std::size_t row = 0; row < rows_; ++row)
            right[row] = static_cast<std::uint8_t>(columns_.right[row] % m);
        while (true) {
            const std::size_t stuck = reduce(right);
            if (stuck == rows_)
                return std::nullopt;
            Vector weights = weights_from(stuck);
            if (!take_in_what_contradicts(weights))
                return weights;
        }
    }

  private:
    using Vector = std::vector<std::uint8_t>;
    const Columns &columns_;
    const std::size_t rows_;
    std::vector<Vector> basis_; // for each row the vector that begins there, or none
    std::size_t next_ = 0;      // the column to look at next

    static constexpr unsigned valuation_of(unsigned a) { // as a power of p
        unsigned power = 1;
        while (a % (power * p) == 0 && power < m)
            power *= p;
        return power;
    }
    static constexpr std::array<std::uint8_t, m> powers = [] {
        std::array<std::uint8_t, m> found{};
        for (unsigned a = 0; a < m; ++a)
            found[a] = static_cast<std::uint8_t>(a ? valuation_of(a) : m);
        return found;
    }();

    static void add(Vector &to, unsigned times, const Vector &from, std::size_t start) {
        for (std::size_t i = start; i < to.size(); ++i)
            to[i] = static_cast<std::uint8_t>((to[i] + times * from[i]) % m);
    }
    static void add_one(std::uint8_t &entry) { entry = static_cast<std::uint8_t>((entry + 1) % m); }
    static void multiply(Vector &vector, unsigned by) {
        for (std::uint8_t &entry : vector)
            entry = static_cast<std::uint8_t>(entry * by % m);
    }

    // Take away multiples of the basis; the first row with an entry that cannot be, or `rows_`.
    std::size_t reduce(Vector &vector, std::size_t from = 0) const {
        for (std::size_t row = from; row < rows_; ++row) {
            const unsigned entry = vector[row];
            if (entry == 0)
                continue;
            if (basis_[row].empty() || powers[entry] < basis_[row][row])
                return row;
            add(vector, m - entry / basis_[row][row], basis_[row], row);
        }
        return rows_;
    }

    void insert(Vector vector) {
        std::size_t row = 0;
        while ((row = reduce(vector, row)) < rows_) {
            const unsigned power = powers[vector[row]];
            unsigned unit = 1; // that makes the first entry a power of p
            while (vector[row] * unit % m != power)
                ++unit;
            KUMITATE_EXPECT(unit < m, "an entry is a unit times a power of p");
            multiply(vector, unit);
            basis_[row].swap(vector);
            Vector rest = basis_[row];
            multiply(rest, m / power);
            if (vector.empty()) { // nothing was there before
                vector = std::move(rest);
            } else if (power > 1) {
                insert(std::move(rest));
            }
        }
    }

    // Weights that make every vector of the basis 0, and not the right side: that is reduced to a
    // vector that begins in this row with an entry that the basis cannot take away.
    Vector weights_from(std::size_t stuck) const {
        Vector weights(rows_, 0);
        weights[stuck] =
            static_cast<std::uint8_t>(basis_[stuck].empty() ? 1 : m / basis_[stuck][stuck]);
        for (std::size_t row = stuck; row-- > 0;) {
            if (basis_[row].empty())
                continue;
            unsigned sum = 0;
            for (std::size_t i = row + 1; i <= stuck; ++i)
                sum += weights[i] * basis_[row][i];
            KUMITATE_EXPECT(sum % basis_[row][row] == 0, "what is left of a vector is in the span");
            weights[row] = static_cast<std::uint8_t>((m - sum % m) % m / basis_[row][row]);
        }
        return weights;
    }

    bool take_in_what_contradicts(const Vector &weights) {
        const std::size_t columns = columns_.starts.size() - 1;
        std::size_t found = 0;
        for (std::size_t seen = 0; seen < columns && found < batch; ++seen) {
            const std::size_t column = next_;
            next_ = next_ + 1 == columns ? 0 : next_ + 1;
            unsigned sum = 0;
            for (std::uint32_t at = columns_.starts[column]; at < columns_.starts[column + 1]; ++at)
                sum += weights[columns_.rows[at]];
            if (sum % m == 0)
                continue;
            Vector vector(rows_, 0);
            for (std::uint32_t at = columns_.starts[column]; at < columns_.starts[column + 1]; ++at)
                add_one(vector[columns_.rows[at]]);
            insert(std::move(vector));
            ++found;
        }
        return found > 0;
    }
};

} // namespace

Columns equations(const Cover &cover) {
    Columns columns;
    for (std::uint8_t optional : cover.optional)
        columns.right.push_back(!optional);
    for (std::size_t p = 0; p < cover.pieces(); ++p)
        columns.right.push_back(cover.least[p] == cover.most[p] ? cover.least[p] : 0);
    for (std::size_t i = 0; i < cover.placements(); ++i) {
        for (std::uint32_t cell : cover.cells_of(i))
            if (!cover.optional[cell])
                columns.rows.push_back(cell);
        const std::uint32_t piece = cover.piece[i];
        if (cover.least[piece] == cover.most[piece])
            columns.rows.push_back(static_cast<std::uint32_t>(cover.cells()) + piece);
        columns.starts.push_back(to_32_bits(columns.rows.size(), "entries of equations"));
    }
    return columns;
}

std::optional<std::vector<std::uint8_t>> weights_against(const Columns &columns, unsigned modulus) {
    switch (modulus) {
    case 2:
        return Module<2, 2>(columns).weights();
    case 3:
        return Module<3, 3>(columns).weights();
    case 4:
        return Module<2, 4>(columns).weights();
    case 5:
        return Module<5, 5>(columns).weights();
    case 7:
        return Module<7, 7>(columns).weights();
    case 8:
        return Module<2, 8>(columns).weights();
    case 9:
        return Module<3, 9>(columns).weights();
    default:
        throw Refusal("modulus " + std::to_string(modulus) + "; there are 2, 3, 4, 5, 7, 8 and 9");
    }
}

} // namespace kumitate
