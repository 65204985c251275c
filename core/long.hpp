// Whole numbers of 768 bits, for exact decisions: plain and slow.
//
// Two's complement, low words first. Sums and products wrap around, so the caller keeps them small.
#pragma once

#include "portable.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace kumitate {

class Long {
  public:
    static constexpr std::size_t words = 12;
    static constexpr int bits = 64 * words;

    Long(Int128 number = 0) {
        words_.fill(number < 0 ? ~std::uint64_t{0} : 0);
        words_[0] = static_cast<std::uint64_t>(number);
        words_[1] = static_cast<std::uint64_t>(number >> 64);
    }

    int sign() const {
        if (words_.back() >> 63)
            return -1;
        for (const std::uint64_t word : words_)
            if (word != 0)
                return 1;
        return 0;
    }

    friend Long operator+(Long a, const Long &b) {
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < words; ++i) {
            const UInt128 sum = UInt128{a.words_[i]} + b.words_[i] + carry;
            a.words_[i] = static_cast<std::uint64_t>(sum);
            carry = static_cast<std::uint64_t>(sum >> 64);
        }
        return a;
    }

    friend Long operator-(Long a) {
        for (std::uint64_t &word : a.words_)
            word = ~word;
        return a + Long(1);
    }

    friend Long operator-(const Long &a, const Long &b) { return a + -b; }

    friend Long operator*(const Long &a, const Long &b) {
        Long product(0);
        for (std::size_t i = 0; i < words; ++i) {
            std::uint64_t carry = 0;
            for (std::size_t j = 0; a.words_[i] != 0 && i + j < words; ++j) {
                const UInt128 sum =
                    UInt128{a.words_[i]} * b.words_[j] + product.words_[i + j] + carry;
                product.words_[i + j] = static_cast<std::uint64_t>(sum);
                carry = static_cast<std::uint64_t>(sum >> 64);
            }
        }
        return product;
    }

  private:
    std::array<std::uint64_t, words> words_;
};

} // namespace kumitate
