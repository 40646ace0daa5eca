// One of the three stages of a Runge-Kutta step of a gradient flow (kernels/gauge/gradient_flow.hpp).
#pragma once

#include "kernels/site/staple.hpp"
#include "kernels/site/su3_exp.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {

// X <- previous X - step A,  U' = exp(X) U: the flow goes down an action, dU/dt = -A U. X is read only where
// previous is not 0, and stored only if `keep`; otherwise this is the last stage, and U' is put back on
// SU(3), which costs little and keeps rounding from piling up over a few hundred steps.
template <class TargetT, class T>
struct FlowMove {
  using Real = typename Arch<TargetT, T>::Real;

  GaugeView<TargetT, T> flowed;
  AlgebraView<TargetT, T> algebra;
  T step, previous;
  bool keep;

  template <class Site>
  PLAQ_HD void operator()(const Site& site, int mu, int parity, const Matrix3<Real>& u,
                          const Su3Algebra<Real>& a) const {
    auto x = scale(Real(-step), a);
    if (previous != T(0)) x = fma(Real(previous), algebra.load_mutable(mu, parity, site), x);
    if (keep) algebra.store(mu, parity, site, x);
    auto moved = exp(x) * u;
    if (!keep) project_to_su3(moved);
    flowed.store(mu, parity, site, moved);
  }
};

// The Wilson flow: A is the traceless antihermitian part of U V (staple.hpp). Inner index of the launch:
// direction.
template <class TargetT, class T>
struct FlowStage {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int block_size = matrix_block<T>;

  GaugeLattice<TargetT, T> gauge;
  FlowMove<TargetT, T> move;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    const auto staples = staple_sum(gauge, gauge.lattice.point(parity, site), mu);
    const auto u = gauge.links.load(mu, parity, site);
    move(site, mu, parity, u, traceless_antihermitian(u * staples));
  }
};

}  // namespace plaq
