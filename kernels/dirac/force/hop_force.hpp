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
    const Real factor = Real(T(-0.5) * hop_weight[mu]) * sign(parity, site, mu);
    const auto n = traceless_antihermitian(gauge.links.load(mu, parity, site) * sum);
    force.store(mu, parity, site, fma(factor, n, force.load_mutable(mu, parity, site)));
  }

 private:
  // e_mu(x) s_mu(x)
  PLAQ_HD Real sign(int parity, const Site& site, int mu) const {
    Real s = Real(T(1));
    if (!Pairs::has_phases && boundary[mu] == 1) return s;
    const auto& shape = gauge.lattice.shape();
    for_each_lane(site, [&](int lane, int index) {
      const auto c = shape.coordinates(parity, index);
      const int phase = Pairs::phase(shape, c, parity, mu);
      const bool leaves = shape.global_coordinate(c, mu) == shape.global_extent[mu] - 1;
      set_lane(s, lane, leaves ? phase * boundary[mu] : phase);
    });
    return s;
  }
};

}  // namespace plaq
