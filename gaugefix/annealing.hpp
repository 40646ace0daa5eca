// Heatbath on the gauge orbit (simulated annealing: Schroeck, Vogt 2013, section 2.3): g(x) with probability
// ~ exp(f(g(x)) / T), f being the local part of the functional, in the three subgroups of SU(2) in turn.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/site/su2_heatbath.hpp"

namespace plaq {

struct HeatbathStep {
  double temperature = 1;  // > 0; the functional's local value is in units of it
  std::uint64_t seed = 0;  // of copy 0, one more for each further one
  std::uint32_t sweep = 0;
};

// 1 - cos of the angle to a unit vector in three dimensions, with probability density ~ exp(strength cos); by
// inversion. 0 < u < 1.
PLAQ_HD double draw_inclination(double strength, double u) {
  // exp(-strength d) is uniform between 1 and exp(-2 strength).
  if (strength < 1e-8) return 2 * u;
  const double d = -std::log1p(u * std::expm1(-2 * strength)) / strength;
  return d < 2 ? d : 2;
}

// h = (h0, h1, h2, 0) of SU(2) with probability ~ exp(weight f.n), n = (h0^2 - h1^2 - h2^2, 2 h0 h1, 2 h0 h2)
// being uniform on the sphere where there is no weight. Not a number in, not a number out.
PLAQ_HD Quaternion<double> draw_direction(const double (&f)[4], double weight, const RandomStream& stream) {
  const double length = std::sqrt(fma(f[2], f[2], fma(f[1], f[1], f[0] * f[0])));
  if (!(length < 1e100)) return {{length - length, length - length, length - length, 0}};
  const auto random = stream.draw(0);
  const double down = draw_inclination(weight * length, random.uniform(0));
  double s, c;
  detail::sincos_turn(random.uniform(1), s, c);
  // The axis, and two directions across it.
  double axis[3] = {1, 0, 0};
  if (length > 1e-100)
    for (int k = 0; k < 3; ++k) axis[k] = f[k] / length;
  const int least = std::fabs(axis[0]) < 0.6 ? 0 : std::fabs(axis[1]) < 0.6 ? 1 : 2;
  double a[3] = {0, 0, 0};
  a[least] = 1;
  const double along = axis[least];
  for (int k = 0; k < 3; ++k) a[k] -= along * axis[k];
  const double inverse = 1 / std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  for (int k = 0; k < 3; ++k) a[k] *= inverse;
  const double b[3] = {axis[1] * a[2] - axis[2] * a[1], axis[2] * a[0] - axis[0] * a[2],
                       axis[0] * a[1] - axis[1] * a[0]};
  const double across = std::sqrt(down * (2 - down));
  double n[3];
  for (int k = 0; k < 3; ++k) n[k] = (1 - down) * axis[k] + across * (c * a[k] + s * b[k]);
  const double first = 1 + n[0];
  const double size = std::sqrt(first * first + n[1] * n[1] + n[2] * n[2]);
  if (!(size > 1e-150)) return {{0, 1, 0, 0}};
  return {{first / size, n[1] / size, n[2] / size, 0}};
}

}  // namespace plaq
