// Random elements of SU(2), in double.
#pragma once

#include <cmath>

#include "core/random.hpp"
#include "kernels/site/su2_subgroup.hpp"

namespace plaq {

namespace detail {

// sin and cos of 2 pi r, 0 < r < 1
PLAQ_HD void sincos_turn(double r, double& s, double& c) {
#if defined(__CUDA_ARCH__)
  sincospi(2 * r, &s, &c);
#else
  const double angle = 6.283185307179586 * r;
  s = std::sin(angle);
  c = std::cos(angle);
#endif
}

}  // namespace detail

inline constexpr std::uint32_t most_su2_attempts = 1u << 16;

// delta = 1 - a0 with probability density ~ sqrt(1 - a0^2) exp(alpha a0), or -1 if no attempt was accepted,
// which for finite alpha >= 0 has a probability below 2^-100000. Draws number 1 and up of the stream; two
// each attempt.
//   alpha > 5/3: Kennedy and Pendleton, Phys. Lett. 156B (1985) 393, which accepts the more the larger alpha;
//   else:        Creutz, Phys. Rev. D 21 (1980) 2308, which accepts the more the smaller it is. Both at least
//   7 in 10.
PLAQ_HD double draw_su2_delta(double alpha, const RandomStream& stream) {
  const bool small = !(alpha > 5.0 / 3.0);
  alpha = alpha < 1e-100 ? 1e-100 : alpha;
  const double inverse = -1 / alpha;
  const double span = small ? std::expm1(-2 * alpha) : 0.0;
  for (std::uint32_t attempt = 0; attempt < most_su2_attempts; ++attempt) {
    const auto first = stream.draw(1 + 2 * attempt);
    double delta, limit, height;
    if (small) {
      delta = inverse * std::log1p(first.uniform(0) * span);
      limit = delta * (2 - delta);
      height = first.uniform(1);
    } else {
      const auto second = stream.draw(2 + 2 * attempt);
      double s, c;
      detail::sincos_turn(second.uniform(0), s, c);
      delta = inverse * std::log(first.uniform(0)) + inverse * std::log(first.uniform(1)) * (c * c);
      limit = 1 - 0.5 * delta;
      height = second.uniform(1);
    }
    if (height * height <= limit) return delta;
  }
  return -1;
}

// g of SU(2) with probability ~ exp(weight Re tr(g q)) in the Haar measure, for any quaternion q: with q = k
// u, u in SU(2), and h = g u, Re tr(g q) = 2 k h0. Not a number in, not a number out. Where all attempts were
// rejected the link stays: k does not depend on g, so this biases nothing.
PLAQ_HD Quaternion<double> draw_su2(const Quaternion<double>& q, double weight, const RandomStream& stream) {
  const double k = std::sqrt(fma(q.a[3], q.a[3], fma(q.a[2], q.a[2], fma(q.a[1], q.a[1], q.a[0] * q.a[0]))));
  if (!(k < 1e100)) return {{k - k, k - k, k - k, k - k}};
  const double delta = draw_su2_delta(2 * weight * k, stream);
  if (delta < 0) return {{1, 0, 0, 0}};

  const auto random = stream.draw(0);
  double s, c;
  detail::sincos_turn(random.uniform(1), s, c);
  const double polar = fma(-2.0, random.uniform(0), 1.0);
  const double length = std::sqrt(delta * (2 - delta)), across = length * std::sqrt(fma(-polar, polar, 1.0));
  const double h0 = 1 - delta, h1 = across * c, h2 = across * s, h3 = length * polar;
  if (k < 1e-100) return {{h0, h1, h2, h3}};
  const double inverse = 1 / k;
  const double u0 = q.a[0] * inverse, u1 = q.a[1] * inverse, u2 = q.a[2] * inverse, u3 = q.a[3] * inverse;
  // h u^dagger
  return {{h0 * u0 + h1 * u1 + h2 * u2 + h3 * u3, h1 * u0 - h0 * u1 + (h2 * u3 - h3 * u2),
           h2 * u0 - h0 * u2 + (h3 * u1 - h1 * u3), h3 * u0 - h0 * u3 + (h1 * u2 - h2 * u1)}};
}

}  // namespace plaq
