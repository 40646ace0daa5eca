// What is done with the h of SU(2) that is best at a site (Schroeck, Vogt 2013, section 2.2):
//   overrelaxation       h^omega to first order (figure A.11), omega = 1: relaxation
//   microcanonical       h^2 = (2 h0^2 - 1, 2 h0 h): the functional stays
//   stochastic           h^2 with probability p, else h
// as one kernel: h^2 with probability `reflect`, else h^omega.
#pragma once

#include <cstdint>

#include "core/random.hpp"
#include "kernels/site/lane_wise.hpp"
#include "kernels/site/su2_subgroup.hpp"

namespace plaq {

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
};

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

}  // namespace plaq
