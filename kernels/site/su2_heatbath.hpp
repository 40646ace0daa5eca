// Random elements of SU(2), in double or single precision.
#pragma once

#include <cmath>
#include <type_traits>

#include "core/algebra/random.hpp"
#include "kernels/site/sincos_turn.hpp"
#include "kernels/site/su2_subgroup.hpp"

namespace plaq {

namespace detail {

// Uniform in (0, 1): number k < 2 of a draw in double, k < 4 in single, there one of the 2^23 odd multiples
// of 2^-24.
template <class T>
PLAQ_HD T deviate(const Random4& random, int k) {
  if constexpr (std::is_same_v<T, float>) {
    return r123::u01fixedpt<float>(random.word[k]);
  } else {
    return random.uniform(k);
  }
}

// The deviates of an attempt: of draws 1 + 2 attempt and, if there are to be four, 2 + 2 attempt in double;
// of draw 1 + attempt in single.
template <class T>
PLAQ_HD void deviates(const RandomStream& stream, std::uint32_t attempt, [[maybe_unused]] bool four,
                      T (&u)[4]) {
  if constexpr (std::is_same_v<T, float>) {
    const auto random = stream.draw(1 + attempt);
#pragma unroll
    for (int k = 0; k < 4; ++k) u[k] = deviate<T>(random, k);
  } else {
    const auto first = stream.draw(1 + 2 * attempt);
    u[0] = deviate<T>(first, 0), u[1] = deviate<T>(first, 1);
    if (!four) return;
    const auto second = stream.draw(2 + 2 * attempt);
    u[2] = deviate<T>(second, 0), u[3] = deviate<T>(second, 1);
  }
}

// Beyond these a number counts as none, and as zero.
template <class T>
inline constexpr T heatbath_most = std::is_same_v<T, float> ? T(1e30) : T(1e100);
template <class T>
inline constexpr T heatbath_least = std::is_same_v<T, float> ? T(1e-30) : T(1e-100);

}  // namespace detail

inline constexpr std::uint32_t most_su2_attempts = 1u << 16;

// delta = 1 - a0 with probability density ~ sqrt(1 - a0^2) exp(alpha a0), or -1 if no attempt was accepted,
// which for finite alpha >= 0 has a probability below 2^-100000. Draws number 1 and up of the stream.
//   alpha > 5/3: Kennedy and Pendleton, Phys. Lett. 156B (1985) 393, which accepts the more the larger alpha;
//   else:        Creutz, Phys. Rev. D 21 (1980) 2308, which accepts the more the smaller it is. Both at least
//   7 in 10.
// In single precision probabilities are right to 1e-6.
template <class T>
PLAQ_HD T draw_su2_delta(T alpha, const RandomStream& stream) {
  const bool small = !(alpha > T(5.0 / 3.0));
  alpha = alpha < detail::heatbath_least<T> ? detail::heatbath_least<T> : alpha;
  const T inverse = -1 / alpha;
  const T span = small ? std::expm1(-2 * alpha) : T(0);
  for (std::uint32_t attempt = 0; attempt < most_su2_attempts; ++attempt) {
    T u[4];
    detail::deviates(stream, attempt, !small, u);
    T delta, limit, height;
    if (small) {
      delta = inverse * std::log1p(u[0] * span);
      limit = delta * (2 - delta);
      height = u[1];
    } else {
      T s, c;
      detail::sincos_turn(u[2], s, c);
      delta = inverse * std::log(u[0]) + inverse * std::log(u[1]) * (c * c);
      limit = 1 - T(0.5) * delta;
      height = u[3];
    }
    if (height * height <= limit) return delta;
  }
  return -1;
}

// g of SU(2) with probability ~ exp(weight Re tr(g q)) in the Haar measure, for any quaternion q: with q = k
// u, u in SU(2), and h = g u, Re tr(g q) = 2 k h0. Not a number in, not a number out. Where all attempts were
// rejected the link stays: k does not depend on g, so this biases nothing.
template <class T>
PLAQ_HD Quaternion<T> draw_su2(const Quaternion<T>& q, std::type_identity_t<T> weight,
                               const RandomStream& stream) {
  const T k = std::sqrt(fma(q.a[3], q.a[3], fma(q.a[2], q.a[2], fma(q.a[1], q.a[1], q.a[0] * q.a[0]))));
  if (!(k < detail::heatbath_most<T>)) return {{k - k, k - k, k - k, k - k}};
  const T delta = draw_su2_delta(2 * weight * k, stream);
  if (delta < 0) return {{1, 0, 0, 0}};

  const auto random = stream.draw(0);
  T s, c;
  detail::sincos_turn(detail::deviate<T>(random, 1), s, c);
  const T polar = fma(T(-2), detail::deviate<T>(random, 0), T(1));
  const T length = std::sqrt(delta * (2 - delta)), across = length * std::sqrt(fma(-polar, polar, T(1)));
  const T h0 = 1 - delta, h1 = across * c, h2 = across * s, h3 = length * polar;
  if (k < detail::heatbath_least<T>) return {{h0, h1, h2, h3}};
  const T inverse = 1 / k;
  const T u0 = q.a[0] * inverse, u1 = q.a[1] * inverse, u2 = q.a[2] * inverse, u3 = q.a[3] * inverse;
  // h u^dagger
  return {{h0 * u0 + h1 * u1 + h2 * u2 + h3 * u3, h1 * u0 - h0 * u1 + (h2 * u3 - h3 * u2),
           h2 * u0 - h0 * u2 + (h3 * u1 - h1 * u3), h3 * u0 - h0 * u3 + (h1 * u2 - h2 * u1)}};
}

}  // namespace plaq
