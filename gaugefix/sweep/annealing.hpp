// Heatbath on the gauge orbit (simulated annealing: Schroeck, Vogt 2013, section 2.3): g(x) with probability
// ~ exp(f(g(x)) / T), f being the local part of the functional, in the three subgroups of SU(2) in turn.
#pragma once

#include <cmath>
#include <cstdint>

#include "gaugefix/sweep/update_site.hpp"
#include "kernels/site/su2_heatbath.hpp"

namespace plaq {

// 1 - cos of the angle to a unit vector in three dimensions, with probability density ~ exp(strength cos); by
// inversion. 0 < u < 1. In single precision probabilities are right to 1e-6.
template <class T>
PLAQ_HD T draw_inclination(T strength, T u) {
  // exp(-strength d) is uniform between 1 and exp(-2 strength).
  if (strength < T(1e-8)) return 2 * u;
  const T d = -std::log1p(u * std::expm1(-2 * strength)) / strength;
  return d < 2 ? d : T(2);
}

// h = (h0, h1, h2, 0) of SU(2) with probability ~ exp(weight f.n), n = (h0^2 - h1^2 - h2^2, 2 h0 h1, 2 h0 h2)
// being uniform on the sphere where there is no weight. Not a number in, not a number out.
template <class T>
PLAQ_HD Quaternion<T> draw_direction(const T (&f)[4], std::type_identity_t<T> weight,
                                     const RandomStream& stream) {
  const T length = std::sqrt(fma(f[2], f[2], fma(f[1], f[1], f[0] * f[0])));
  if (!(length < detail::heatbath_most<T>)) return {{length - length, length - length, length - length, 0}};
  const auto random = stream.draw(0);
  const T down = draw_inclination(weight * length, detail::deviate<T>(random, 0));
  T s, c;
  detail::sincos_turn(detail::deviate<T>(random, 1), s, c);
  // The axis, and two directions across it.
  T axis[3] = {1, 0, 0};
  if (length > detail::heatbath_least<T>)
    for (int k = 0; k < 3; ++k) axis[k] = f[k] / length;
  const T along0 = std::fabs(axis[0]), along1 = std::fabs(axis[1]);
  const bool first = along0 < T(0.6), second = !first && along1 < T(0.6);
  const T along = first ? axis[0] : second ? axis[1] : axis[2];
  T a[3] = {first ? T(1) : T(0), second ? T(1) : T(0), first || second ? T(0) : T(1)};
  for (int k = 0; k < 3; ++k) a[k] -= along * axis[k];
  const T inverse = 1 / std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  for (int k = 0; k < 3; ++k) a[k] *= inverse;
  const T b[3] = {axis[1] * a[2] - axis[2] * a[1], axis[2] * a[0] - axis[0] * a[2],
                  axis[0] * a[1] - axis[1] * a[0]};
  const T across = std::sqrt(down * (2 - down));
  T n[3];
  for (int k = 0; k < 3; ++k) n[k] = (1 - down) * axis[k] + across * (c * a[k] + s * b[k]);
  // (1 + n0, n1, n2) normalized; 1 + n0 without cancellation.
  const T beside = n[1] * n[1] + n[2] * n[2];
  const T up = n[0] > 0 ? 1 + n[0] : beside / (1 - n[0]);
  const T size = std::sqrt(up * up + beside);
  if (!(size > std::sqrt(detail::heatbath_least<T>))) return {{0, 1, 0, 0}};
  return {{up / size, n[1] / size, n[2] / size, 0}};
}

struct HeatbathStep {
  double temperature = 1;  // > 0; the functional's local value is in units of it
  std::uint64_t seed = 0;  // of copy 0, one more for each further one
  std::uint32_t sweep = 0;

  static constexpr const char* name = "heatbath";
  static constexpr std::uint32_t number = 1;
  bool is_valid() const { return temperature > 0; }
  static constexpr const char* wanted = "annealing takes a temperature above 0";

  template <class Functional, class Real, class Where>
  PLAQ_HD void change(Functional& functional, Matrix3<Real>& g, const Where& where) const {
    change_in_subgroups(*this, functional, g, where);
  }
  // The h of SU(2) by which g is multiplied. It is drawn in the precision of links: g is brought back to
  // SU(3) in its own.
  template <int Subgroup, class Functional, class Real, class Where>
  PLAQ_HD Quaternion<Real> in_subgroup(const Functional& functional, const Matrix3<Real>& g,
                                       const Where& where) const {
    using Draw = typename Where::Draw;
    const double most = detail::heatbath_most<Draw>, inverse = 1 / temperature;
    const auto weight = static_cast<Draw>(inverse < most ? inverse : most);
    Real seen[4];
    functional.template seen<Subgroup>(g, seen);
    Quaternion<Real> h{{Real(1), Real(0), Real(0), Real(0)}};
    where.template with_random<Subgroup>(*this, [&](int lane, const RandomStream& stream) {
      Draw one[4];
      for (int k = 0; k < 4; ++k) one[k] = static_cast<Draw>(get_lane(seen[k], lane));
      const Quaternion<Draw> drawn = Functional::draw(one, weight, stream);
      for (int k = 0; k < 4; ++k) set_lane(h.a[k], lane, drawn.a[k]);
    });
    return h;
  }
};

}  // namespace plaq
