// Share of a thread in an exact sum: three doubles, or lanes of them, each of which begins at a number so
// large that what an addition rounds off is exact, and goes to the next one. The levels are those of Demmel
// and Nguyen, IEEE Trans. Comput. 64 (2015) 2060; no bit depends on them, since nothing is dropped here.
#pragma once

#include <cstdint>

#include "core/algebra/bits.hpp"
#include "core/algebra/scalar.hpp"

namespace plaq {

template <class Real>
class ThreadSum {
 public:
  static constexpr int parts = 3;
  // Additions from one begin() to the next.
  static constexpr int most_adds = (1 << 10) - 1;

  // True if add() may be called with the value: not before begin(), and not with one that is much larger than
  // what the sum began with, or not finite.
  PLAQ_HD bool takes(const Real& value) const { return is_within(value, part_[0]); }

  // Adds, and returns what is below the reach of the sum: mostly 0.
  PLAQ_HD Real add(const Real& value) {
    Real left = rounded_off(part_[0], value);
    left = rounded_off(part_[1], left);
    if (!is_zero(left)) left = rounded_off(part_[2], left);
    return left;
  }

  // The sum of all values since begin() is that of the parts. Each is exact, 0 before begin().
  PLAQ_HD Real part(int i) const {
    const int exponent = exponent_of(first_lane(part_[0]));
    return exponent == 0 ? Real(0.0) : part_[i] - Real(begin_of(i, exponent));
  }

  // Empties the sum, for values of about this size and smaller. A value that add() does not take after
  // begin(value) is 2^1012 or more, or not finite.
  PLAQ_HD void begin(double largest) {
    int exponent = exponent_of(largest) + gap + room;
    exponent = exponent > most_exponent ? most_exponent : exponent;
    exponent = exponent < least_exponent ? least_exponent : exponent;
#pragma unroll
    for (int i = 0; i < parts; ++i) part_[i] = Real(begin_of(i, exponent));
  }

 private:
  // A part that begins at 1.5 2^e stays between 2^e and 2^(e+1) while most_adds values of at most 2^(e+1-gap)
  // are added. Each is rounded to a multiple of 2^(e-52): what is rounded off is at most half of it.
  static constexpr int gap = 12, step = 42;
  static constexpr int room = 4;  // for values that are larger than the one of begin()
  // Exponents as in the bits of a double; the last part of the least one reaches down to 2^-1074.
  static constexpr int least_exponent = 2 * step + 1, most_exponent = 2046;

  static PLAQ_HD int exponent_of(double x) { return static_cast<int>(to_magnitude(x) >> 52); }
  static PLAQ_HD double begin_of(int i, int exponent) {
    return from_magnitude(static_cast<std::uint64_t>(exponent - i * step) << 52 | std::uint64_t{1} << 51);
  }

  // sum += value; returns what was rounded off, exactly, since |sum| > |value| (Dekker 1971).
  static PLAQ_HD Real rounded_off(Real& sum, const Real& value) {
    const Real before = sum;
    sum = before + value;
    return value - (sum - before);
  }

  // |value| < 2^(e+1-gap), by the upper words of the doubles.
  static PLAQ_HD bool is_within(double value, double top) {
    const auto high = static_cast<std::uint32_t>(to_magnitude(value) >> 32);
    const auto exponent = static_cast<std::uint32_t>(to_magnitude(top) >> 32) & 0x7ff00000;
    return high + (std::uint32_t{gap - 1} << 20) < exponent;
  }
  static PLAQ_HD double first_lane(double x) { return x; }
#if !defined(__CUDACC__)
  template <int N>
  static bool is_within(const Lanes<double, N>& value, const Lanes<double, N>& top) {
    const int exponent = exponent_of(top[0]) + 1 - gap;
    return exponent > 0 && is_below(value, from_magnitude(static_cast<std::uint64_t>(exponent) << 52));
  }
  template <int N>
  static double first_lane(const Lanes<double, N>& x) {
    return x[0];
  }
#endif

  Real part_[parts] = {Real(0.0), Real(0.0), Real(0.0)};
};

}  // namespace plaq
