// 8-bit fixed point: integers -127..127 in units of a scale, a float of each site
// (its largest component / 127). What multiplies integers alone reads it (core/field/exact_product.hpp).
#pragma once

#include "core/field/fixed16.hpp"

namespace plaq {

template <>
struct ComputeOf<Fixed8> {
  using type = float;
};

// Integers of a storage are within these; of others, which have no scale, 1.
template <class S>
inline constexpr float fixed_steps = 1;
template <>
inline constexpr float fixed_steps<Fixed16> = fixed16_steps;
template <>
inline constexpr float fixed_steps<Fixed8> = 127;

// fixed_steps / most; 0 where `most` is NaN or too small.
template <class S, class T>
PLAQ_HD T steps_of(T most) {
  return most >= static_cast<T>(fixed16_smallest) ? static_cast<T>(fixed_steps<S>) / most : T(0);
}

// The integer.
template <class T>
PLAQ_HD T from_storage(Fixed8 s) {
  return static_cast<T>(s.integer);
}

// v * steps, rounded to nearest once; |v * steps| is at most 127.5.
template <>
PLAQ_HD Fixed8 to_storage<Fixed8>(float v, float steps) {
  const float shifted = fma(v, steps, 12582912.0f);  // 1.5 2^23: the sum's last bit counts ones
  std::uint32_t word;
  __builtin_memcpy(&word, &shifted, 4);
  return {static_cast<std::int8_t>(word)};
}
template <>
PLAQ_HD Fixed8 to_storage<Fixed8>(double v, double steps) {
  const double shifted = fma(v, steps, 6755399441055744.0);  // 1.5 2^52
  std::uint64_t word;
  __builtin_memcpy(&word, &shifted, 8);
  return {static_cast<std::int8_t>(word)};
}

}  // namespace plaq
