// One of the three stages of a Runge-Kutta step of the Wilson flow (kernels/gauge/wilson_flow.hpp).
#pragma once

#include "kernels/site/staple.hpp"
#include "kernels/site/su3_exp.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {

// X <- previous X - step A,  U' = exp(X) U,  A the traceless antihermitian part of U V (staple.hpp): the flow
// goes down the Wilson action, dU/dt = -A U. X is read only where previous is not 0, and stored only if
// `keep`; otherwise this is the last stage, and U' is put back on SU(3), which costs little and keeps
// rounding from piling up over a few hundred steps. Inner index of the launch: direction.
template <class TargetT, class T>
struct FlowStage {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = 128;

  GaugeLattice<TargetT, T> gauge;
  GaugeView<TargetT, T> flowed;
  AlgebraView<TargetT, T> algebra;
  T step, previous;
  bool keep;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    const auto staples = staple_sum(gauge, gauge.lattice.point(parity, site), mu);
    const auto u = gauge.links.load(mu, parity, site);
    auto x = scale(Real(-step), traceless_antihermitian(u * staples));
    if (previous != T(0)) x = fma(Real(previous), algebra.load_mutable(mu, parity, site), x);
    if (keep) algebra.store(mu, parity, site, x);
    auto moved = exp(x) * u;
    if (!keep) project_to_su3(moved);
    flowed.store(mu, parity, site, moved);
  }
};

}  // namespace plaq
