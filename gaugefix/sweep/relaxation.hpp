// Updates with the h of SU(2) that is best at a site (Schroeck, Vogt 2013, section 2.2):
//   overrelaxation       h^omega to first order (figure A.11), omega = 1: relaxation
//   microcanonical       h^2 = (2 h0^2 - 1, 2 h0 h): the functional stays
//   stochastic           h^2 with probability p, else h
// as one kernel: h^2 with probability `reflect`, else h^omega.
#pragma once

#include <cstdint>

#include "gaugefix/sweep/update_site.hpp"
#include "kernels/site/su2_subgroup.hpp"

namespace plaq {

template <class Real>
PLAQ_HD Quaternion<Real> overrelaxed(const Quaternion<Real>& h, const Real& omega) {
  const Real square = h.a[0] * h.a[0];
  const Real across = fma(h.a[3], h.a[3], fma(h.a[2], h.a[2], h.a[1] * h.a[1]));
  const Real b = fma(omega, square, across) / (square + across);
  const Real c = Real(1) / sqrt(fma(b * b, across, square));
  return {{h.a[0] * c, h.a[1] * (b * c), h.a[2] * (b * c), h.a[3] * (b * c)}};
}

template <class Real>
PLAQ_HD Quaternion<Real> squared(const Quaternion<Real>& h) {
  const Real twice = h.a[0] + h.a[0];
  return {{fma(twice, h.a[0], Real(-1)), twice * h.a[1], twice * h.a[2], twice * h.a[3]}};
}

struct RelaxationStep {
  double omega = 1;    // 1 <= omega < 2
  double reflect = 0;  // 0 <= probability <= 1
  std::uint64_t seed = 0;
  std::uint32_t sweep = 0;  // number of this sweep: of the random numbers

  static RelaxationStep overrelaxation(double omega) { return {omega, 0, 0, 0}; }
  static RelaxationStep microcanonical() { return {1, 1, 0, 0}; }
  static RelaxationStep stochastic(double probability, std::uint64_t seed, std::uint32_t sweep) {
    return {1, probability, seed, sweep};
  }

  static constexpr const char* name = "relaxation";
  static constexpr std::uint32_t number = 0;
  bool is_valid() const { return omega >= 1 && omega < 2 && reflect >= 0 && reflect <= 1; }
  static constexpr const char* wanted = "overrelaxation takes 1 <= omega < 2, reflections a probability";

  template <class Functional, class Real, class Where>
  PLAQ_HD void change(Functional& functional, Matrix3<Real>& g, const Where& where) const {
    change_in_subgroups(*this, functional, g, where);
  }
  // The h of SU(2) by which g is multiplied.
  template <int Subgroup, class Functional, class Real, class Where>
  PLAQ_HD Quaternion<Real> in_subgroup(const Functional& functional, const Matrix3<Real>& g,
                                       const Where& where) const {
    const Quaternion<Real> best = functional.template optimum<Subgroup>(g);
    if (reflect >= 1) return squared(best);
    Quaternion<Real> h = overrelaxed(best, Real(static_cast<typename ScalarOf<Real>::type>(omega)));
    if (reflect > 0) {
      const Quaternion<Real> reflected = squared(best);
      where.template with_random<Subgroup>(*this, [&](int lane, const RandomStream& stream) {
        if (stream.draw(0).uniform(0) >= reflect) return;
        for (int k = 0; k < 4; ++k) set_lane(h.a[k], lane, get_lane(reflected.a[k], lane));
      });
    }
    return h;
  }
};

}  // namespace plaq
