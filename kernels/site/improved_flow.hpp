// Flows down improved actions (kernels/gauge/gradient_flow.hpp): the force of all links first, then a stage
// of the Runge-Kutta scheme that may average the force along each link's direction.
#pragma once

#include "kernels/site/flow_stage.hpp"
#include "kernels/site/loop_staple.hpp"

namespace plaq {

// F = TA(U V), V the weighted staples of plaquettes and rectangles. Inner index of the launch: direction.
template <class TargetT, class T>
struct FlowForce {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int block_size = sizeof(T) == 8 ? 256 : 384;

  GaugeLattice<TargetT, T> gauge;
  AlgebraView<TargetT, T> force;
  LoopWeights weights;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    const LoopStaple<TargetT, T, true, false> staple(gauge, weights);
    const auto v = staple(gauge.lattice.point(parity, site), mu);
    force.store(mu, parity, site, traceless_antihermitian(gauge.links.load(mu, parity, site) * v));
  }
};

// A stage with the force, or with its average along the direction of the link,
//   A = F_mu(x) + share [ U_mu(x) F_mu(x+mu) U_mu(x)^dagger
//                       + U_mu(x-mu)^dagger F_mu(x-mu) U_mu(x-mu) - 2 F_mu(x) ]:
// share = 1/12 for the Zeuthen flow, and 0 else. Inner index of the launch: direction.
template <class TargetT, class T>
struct ImprovedFlowStage {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = sizeof(T) == 8 ? 384 : 768;

  GaugeLattice<TargetT, T> gauge;
  AlgebraView<TargetT, T> force;
  FlowMove<TargetT, T> move;
  T share;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    const auto u = gauge.links.load(mu, parity, site);
    auto a = force.load_mutable(mu, parity, site);
    if (share != T(0)) {
      const auto x = gauge.lattice.point(parity, site);
      const auto ahead = gauge.lattice.step(x, mu, true), behind = gauge.lattice.step(x, mu, false);
      const auto back = gauge.link(mu, behind);
      const auto sum =
          times_dagger(u * force_at(ahead, mu), u) + dagger_times(back, force_at(behind, mu) * back);
      a = fma(Real(share), traceless_antihermitian(sum), scale(Real(T(1) - T(2) * share), a));
    }
    move(site, mu, parity, u, a);
  }

 private:
  PLAQ_HD Matrix3<Real> force_at(const typename GaugeLattice<TargetT, T>::Point& x, int mu) const {
    return to_matrix(force.load(mu, x.parity, LatticeView<TargetT, T>::index(x)));
  }
};

// |V - exp(9/4 X1 + 1/4 X0) W0|^2, sum over elements: the square of the distance between the third-order step
// V and the second-order one of the same forces. Inner index of the launch: direction.
template <class TargetT, class T>
struct FlowError {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int maxima = 1;

  GaugeView<TargetT, T> start, end;
  AlgebraView<TargetT, T> first, second;  // X0, X1
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu, RealDouble (&value)[maxima]) const {
    const auto x = fma(Real(T(2.25)), second.load_mutable(mu, parity, site),
                       scale(Real(T(0.25)), first.load_mutable(mu, parity, site)));
    const auto difference = end.load(mu, parity, site) - exp(x) * start.load(mu, parity, site);
    value[0] = to_double(real_trace_times_dagger(difference, difference));
  }
};

}  // namespace plaq
