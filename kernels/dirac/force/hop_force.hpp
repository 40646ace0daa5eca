// Contribution of hopping terms to the force. For dU = T U and dS = Re sum over links of tr(T N) with
//   N_mu(x) = w_mu e_mu(x) s_mu(x) U_mu(x) sum_i k_i P_i,mu(x),
// the force is F = -TA(N)/2. P_i is the sum of outer products of pair i of quark fields, e_mu(x) the phase of
// the hop and s_mu(x) the sign of the boundary condition where it leaves the lattice. Both P and e follow
// from the discretisation: kernels/dirac/force/wilson_pairs.hpp and staggered_pairs.hpp.
#pragma once

#include "kernels/site/lane_wise.hpp"
#include "kernels/site/staple.hpp"
#include "kernels/site/su3_algebra.hpp"

namespace plaq {

constexpr int most_pairs = 16;

// e_mu(x), and the sign of the boundary condition for each time that a hop of `steps` steps leaves the
// lattice.
template <class Real, class Pairs, class Shape, class Site>
PLAQ_HD Real hop_sign(const Shape& shape, int parity, const Site& site, int mu, int steps, int boundary) {
  Real s = Real(1);
  if (!Pairs::has_phases && boundary == 1) return s;
  for_each_lane(site, [&](int lane, int index) {
    const auto c = shape.coordinates(parity, index);
    const int phase = Pairs::phase(shape, c, parity, mu);
    const int leaves = (shape.global_coordinate(c, mu) + steps) / shape.global_extent[mu];
    set_lane(s, lane, leaves % 2 == 1 ? phase * boundary : phase);
  });
  return s;
}

// F <- F - TA(N)/2. Inner index of the launch: direction. `Pairs`: quark fields on the lattice of the links,
// with a filled halo.
template <class TargetT, class T, class Pairs>
struct HopForce {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 384;

  GaugeLattice<TargetT, T> gauge;
  Pairs fields;
  AlgebraView<TargetT, T> force;
  int pairs;
  T weight[most_pairs];  // k_i
  T hop_weight[4];       // w_mu
  int boundary[4];       // sign

  PLAQ_HD void operator()(int parity, const Site& site, int mu) const {
    const auto ahead = gauge.lattice.step(gauge.lattice.point(parity, site), mu, true);
    auto sum = zero_matrix<Real>();
#pragma unroll 1
    for (int i = 0; i < pairs; ++i)
      fields.add(mu, parity, site, GaugeLattice<TargetT, T>::Lattice::index(ahead), i, Real(weight[i]), sum);
    const Real phase = hop_sign<Real, Pairs>(gauge.lattice.shape(), parity, site, mu, 1, boundary[mu]);
    const Real factor = Real(T(-0.5) * hop_weight[mu]) * phase;
    const auto n = traceless_antihermitian(gauge.links.load(mu, parity, site) * sum);
    force.store(mu, parity, site, fma(factor, n, force.load_mutable(mu, parity, site)));
  }
};

// Gradients of links L of hops of `steps` steps, which need not be unitary: for dS = Re sum over links of
// tr(dL Sigma)
//   Sigma_mu(x) <- Sigma_mu(x) + w e_mu(x) s_mu(x) sum_i k_i P_i,mu(x),
// with P of x + steps mu in the place of x + mu, and a sign s for each time that the hop leaves the lattice.
// Inner index of the launch: direction. `Pairs`: quark fields on the lattice of the links, with a halo that
// is filled to this depth.
template <class TargetT, class T, class Pairs>
struct HopGradient {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 384;

  GaugeLattice<TargetT, T> gradient;
  Pairs fields;
  int pairs, steps;
  T weight[most_pairs];  // k_i
  T hop_weight;          // w
  int boundary[4];       // sign

  PLAQ_HD void operator()(int parity, const Site& site, int mu) const {
    auto ahead = gradient.lattice.point(parity, site);
    for (int step = 0; step < steps; ++step) ahead = gradient.lattice.step(ahead, mu, true);
    auto sum = zero_matrix<Real>();
#pragma unroll 1
    for (int i = 0; i < pairs; ++i)
      fields.add(mu, parity, site, GaugeLattice<TargetT, T>::Lattice::index(ahead), i, Real(weight[i]), sum);
    const Real phase = hop_sign<Real, Pairs>(gradient.lattice.shape(), parity, site, mu, steps, boundary[mu]);
    const Real factor = Real(hop_weight) * phase;
    auto sigma = gradient.links.load_mutable(mu, parity, site);
#pragma unroll
    for (int a = 0; a < 3; ++a)
#pragma unroll
      for (int b = 0; b < 3; ++b) sigma.e[a][b] = fma(factor, sum.e[a][b], sigma.e[a][b]);
    gradient.links.store(mu, parity, site, sigma);
  }
};

}  // namespace plaq
