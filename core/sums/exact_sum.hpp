// Sums of doubles that are exact, hence independent of the order of additions: fixed-point numbers in integer
// limbs. Limb i weighs 2^(32 i - 1074) and is a 64-bit integer, so that limbs of several sums can be added
// with MPI_Allreduce(MPI_INT64_T, MPI_SUM), NCCL or atomicAdd in any order. The double appears once, at the
// end. Kulisch, "Computer Arithmetic and Validity" (2013), ch. 8; Collange et al., Parallel Computing 49
// (2015) 83.
#pragma once

#include <cstdint>

#include "core/launch/target.hpp"

namespace plaq {

// A finite double is the mantissa returned, with its sign, times 2^(position - 1074).
PLAQ_HD std::int64_t mantissa_of(double value, int& position) {
  const auto bits = __builtin_bit_cast(std::uint64_t, value);
  const int exponent = static_cast<int>(bits >> 52) & 0x7ff;
  const bool normal = exponent != 0;
  position = exponent - normal;
  const std::int64_t sign = static_cast<std::int64_t>(bits) >> 63;
  const std::uint64_t magnitude = (bits & 0xfffffffffffff) | std::uint64_t{normal} << 52;
  return (static_cast<std::int64_t>(magnitude) ^ sign) - sign;
}

// Cuts a finite double: value = sum of piece[i] 2^(32 (first_limb + i) - 1074), with first_limb in 0..63.
// Two's complement: piece[0] and piece[1] lie in [0, 2^32), piece[2] carries the sign and |piece[2]| <= 2^21.
PLAQ_HD void split(double value, int& first_limb, std::int64_t piece[3]) {
  int position;
  const std::int64_t mantissa = mantissa_of(value, position);
  const int shift = position & 31;
  const std::uint64_t low = static_cast<std::uint64_t>(mantissa) << shift;
  first_limb = position >> 5;
  piece[0] = static_cast<std::uint32_t>(low);
  piece[1] = static_cast<std::uint32_t>(low >> 32);
  piece[2] = static_cast<std::int32_t>(mantissa >> 33) >> (31 - shift);
}

struct ExactSum {
  static constexpr int limbs = 67;  // 2098 bits of a double, and room for the sum of max_adds
  static constexpr int plus_infinity = 67, minus_infinity = 68, nan = 69;  // counters
  static constexpr int size = 70;
  // Doubles that may be added before a normalize(), those of merged sums included. (2^31 - 2 are safe.)
  static constexpr std::int64_t max_adds = std::int64_t{1} << 30;

  std::int64_t limb[size] = {};

  // Index in `limb` of the counter of an infinity or a NaN, 0 for a finite value.
  PLAQ_HD static int counter_of(double value) {
    const auto bits = __builtin_bit_cast(std::uint64_t, value);
    if ((bits >> 52 & 0x7ff) != 0x7ff) return 0;
    if ((bits & 0xfffffffffffff) != 0) return nan;
    return bits >> 63 != 0 ? minus_infinity : plus_infinity;
  }

  PLAQ_HD void add(double value) {
    if (const int counter = counter_of(value)) {
      limb[counter] += 1;
      return;
    }
    int first;
    std::int64_t piece[3];
    split(value, first, piece);
    limb[first] += piece[0];
    limb[first + 1] += piece[1];
    limb[first + 2] += piece[2];
  }

  // Same value in its one canonical form: each limb in [0, 2^32), the last one with the sign. Counts as one
  // add against max_adds: call it before a sum over ranks and every max_adds additions.
  PLAQ_HD void normalize() {
    std::int64_t carry = 0;
    for (int i = 0; i < limbs - 1; ++i) {
      const std::int64_t sum = limb[i] + carry;
      limb[i] = sum & 0xffffffff;
      carry = sum >> 32;
    }
    limb[limbs - 1] += carry;
  }

  PLAQ_HD void merge(const ExactSum& other) {
    for (int i = 0; i < size; ++i) limb[i] += other.limb[i];
  }

  // The exact sum, rounded once to the nearest double (ties to even), subnormals included; infinity when it
  // overflows. A NaN or both infinities give NaN, zero is +0. Needs no normalize().
  PLAQ_HD double round() const { return round(limb); }

  // Rounds bare limbs (`size` of them), of which those outside [first, end) are 0.
  PLAQ_HD static double round(const std::int64_t* limb, int first = 0, int end = limbs) {
    constexpr std::uint64_t infinity = std::uint64_t{0x7ff} << 52;
    if (limb[nan] != 0 || (limb[plus_infinity] != 0 && limb[minus_infinity] != 0))
      return __builtin_bit_cast(double, infinity | std::uint64_t{1} << 51);
    if (limb[plus_infinity] != 0) return __builtin_bit_cast(double, infinity);
    const std::uint64_t minus = std::uint64_t{1} << 63;
    if (limb[minus_infinity] != 0) return __builtin_bit_cast(double, minus | infinity);

    std::int64_t carry = 0;
    const int last = end < limbs - 1 ? end : limbs - 1;
    for (int i = first; i < last; ++i) carry = (limb[i] + carry) >> 32;
    const bool negative = limb[last] + carry < 0;

    // Digits of the absolute value in base 2^32, from the lowest: keep the top three non-vanishing ones, and
    // whether anything lies below them.
    std::uint64_t top = 0, middle = 0, bottom = 0;  // digits highest, highest - 1, - 2
    std::uint64_t middle_next = 0, bottom_next = 0, below = 0, passing = 0;  // the digits just below digit i
    int highest = -1;
    carry = 0;
    for (int i = first; i < limbs && i <= end; ++i) {  // at `end` the last carry
      const std::int64_t sum = (negative ? -limb[i] : limb[i]) + carry;
      const std::uint64_t digit = sum & 0xffffffff;
      carry = sum >> 32;
      if (digit != 0) {
        highest = i;
        top = digit;
        middle = middle_next;
        bottom = bottom_next;
        below = passing;
      }
      passing |= bottom_next;
      bottom_next = middle_next;
      middle_next = digit;
    }
    const std::uint64_t sign = negative ? minus : 0;
    if (highest < 0) return 0.0;

    int zeros = 0;  // leading zeros of the top digit
    while ((top << zeros & 0x80000000) == 0) ++zeros;
    const int position = 32 * highest + 31 - zeros;  // of the leading bit
    std::uint64_t bits;
    if (position <= 52) {
      bits = highest == 0 ? top : top << 32 | middle;  // exact: at most 53 bits on the grid of subnormals
    } else {
      const std::uint64_t window =
          (top << 32 | middle) << zeros | bottom >> (32 - zeros);  // leading bit at 63
      const std::uint64_t mantissa = window >> 11, rest = window & 0x7ff, half = 0x400;
      const bool sticky = (bottom << zeros & 0xffffffff) != 0 || below != 0;
      const bool up = rest > half || (rest == half && (sticky || (mantissa & 1) != 0));
      bits = (static_cast<std::uint64_t>(position - 52) << 52) + mantissa + up;  // a carry lifts the exponent
    }
    if (position > 2097 || bits > infinity) bits = infinity;
    return __builtin_bit_cast(double, sign | bits);
  }
};

static_assert(sizeof(ExactSum) == ExactSum::size * sizeof(std::int64_t));

// A number in digits of 26 bits, 32 of which add up in 32 bits: the sum of piece[i] 2^(26 (first + i) -
// 1074). 0 <= first <= 78, piece[0], piece[1] and piece[2] lie in [0, 2^26), piece[3] in -2..1.
struct Digits {
  static constexpr int bits = 26;
  int first;
  int piece[4];
};

// Digits of a finite double.
PLAQ_HD Digits digits_of(double value) {
  int position;
  const std::int64_t mantissa = mantissa_of(value, position);
  Digits d;
  d.first = position / Digits::bits;
  const int shift = position - d.first * Digits::bits;
  constexpr int mask = (1 << Digits::bits) - 1;
  const std::uint64_t low = static_cast<std::uint64_t>(mantissa) << shift;
  const int high = static_cast<int>(mantissa >> (2 * Digits::bits - shift));
  d.piece[0] = static_cast<int>(low) & mask;
  d.piece[1] = static_cast<int>(low >> Digits::bits) & mask;
  d.piece[2] = high & mask;
  d.piece[3] = high >> Digits::bits;
  return d;
}

// value 2^(26 digit - 1074) = piece[0] 2^(32 limb - 1074) + piece[1] 2^(32 (limb + 1) - 1074), 0 <= digit <=
// 81, with piece[0] in [0, 2^32).
PLAQ_HD void limbs_of_digit(int digit, std::int64_t value, int& limb, std::int64_t piece[2]) {
  const int position = digit * Digits::bits, shift = position & 31;
  limb = position >> 5;
  piece[0] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) << shift);
  piece[1] = value >> (32 - shift);
}

}  // namespace plaq
