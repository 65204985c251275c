// Whether some columns can add up to a right side modulo m, and if not, why not.
//
// A column is a list of rows, each with the entry 1 (a placement: its cells, and its piece). If no
// whole multiples of the columns add up to the right side modulo m, no choice of them does, and
// there are weights of the rows that anyone can check: every column has weight 0 modulo m, but the
// right side has not. Every colouring argument of that modulus is such a weighting.
//
// The columns span a module over Z/m, m a power of a prime p, kept as a Howell basis (Howell,
// Linear and Multilinear Algebra 19, 1986): at most one vector for each row in which it begins,
//
//     row       0 1 2 3 4 5
//     vector 0  1 . 3 . 2 .
//     vector 2      2 . 1 1
//     vector 3        1 . 4
//
// The first entry is a power of p, and what is left of a vector when it is multiplied by so much
// that the first entry vanishes is in the span of those below. So reducing decides what is in the
// span, and weights follow from the bottom up. Columns are taken in only when they contradict the
// weights found so far: then a few hundred of thousands are enough.
#pragma once

#include "cover.hpp"

#include <optional>

namespace kumitate {

struct Columns {
    std::vector<std::uint32_t> right; // for each row, what the columns should add up to
    // Column i has an entry in rows[starts[i]] .. rows[starts[i + 1]] - 1.
    std::vector<std::uint32_t> starts{0}, rows;
};

// The rows of a cover's equations: its fixed cells once, pieces with an exact number so often; what
// is optional or has a range is no equation, so no column has an entry there.
Columns equations(const Cover &cover);

// For each row its weight, below the modulus; nothing if columns can add up to the right side. The
// modulus is one of 2, 3, 4, 5, 7, 8, 9.
std::optional<std::vector<std::uint8_t>> weights_against(const Columns &columns, unsigned modulus);

} // namespace kumitate
