// Contribution of the hopping term of Wilson quarks to the force. For dS = -2 Re sum_i k_i Y_i^dagger dM
// X_i, M = C - (1/2) sum of w_mu hops, and dU = T U, dS = Re sum over links of tr(T N) with
//   N_mu(x) = w_mu s_mu(x) U_mu(x) sum_i k_i sum_spin [ X_i(x+mu) ((1 - gamma_mu) Y_i(x))^dagger
//                                                     + ((1 + gamma_mu) Y_i(x+mu)) X_i(x)^dagger ],
// s_mu(x) the sign of the boundary condition where the hop leaves the lattice. Both terms are products of
// half spinors. F = -TA(N)/2.
#pragma once

#include "kernels/site/lane_wise.hpp"
#include "kernels/site/staple.hpp"
#include "kernels/site/su3_algebra.hpp"

namespace plaq {

// Pairs of spinor fields on the lattice of the links, with a filled halo: X_i is subfield i, Y_i subfield
// first_y + i.
template <class Target, class T>
struct PairViews {
  SpinorView<Target, T> of[2];  // by parity
  int pairs, first_y;
};

constexpr int most_pairs = 16;

// F <- F - TA(N)/2. Inner index of the launch: direction.
template <class TargetT, class T>
struct HopForce {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 384;

  GaugeLattice<TargetT, T> gauge;
  PairViews<TargetT, T> fields;
  AlgebraView<TargetT, T> force;
  T weight[most_pairs];  // k_i
  T hop_weight[4];       // w_mu
  int boundary[4];       // sign

  PLAQ_HD void operator()(int parity, const Site& site, int mu) const {
    const auto ahead = gauge.lattice.step(gauge.lattice.point(parity, site), mu, true);
    auto sum = zero_matrix<Real>();
#pragma unroll 1
    for (int i = 0; i < fields.pairs; ++i) {
      const auto neighbor = GaugeLattice<TargetT, T>::Lattice::index(ahead);
      switch (mu) {
        case 0:
          add_pair<0>(parity, site, neighbor, i, sum);
          break;
        case 1:
          add_pair<1>(parity, site, neighbor, i, sum);
          break;
        case 2:
          add_pair<2>(parity, site, neighbor, i, sum);
          break;
        default:
          add_pair<3>(parity, site, neighbor, i, sum);
      }
    }
    const Real factor = Real(T(-0.5) * hop_weight[mu]) * sign(parity, site, mu);
    const auto n = traceless_antihermitian(gauge.links.load(mu, parity, site) * sum);
    force.store(mu, parity, site, fma(factor, n, force.load_mutable(mu, parity, site)));
  }

 private:
  template <int Mu, class Neighbor>
  PLAQ_HD void add_pair(int parity, const Site& site, const Neighbor& neighbor, int i,
                        Matrix3<Real>& sum) const {
    const Real plus = Real(T(1)), minus = Real(T(-1)), k = Real(weight[i]);
    const auto &here = fields.of[parity], &beyond = fields.of[1 - parity];
    const auto x_ahead = beyond.template load<Spinor<Real>>(i, neighbor);
    const auto y_here = here.template load<Spinor<Real>>(fields.first_y + i, site);
    add_outer(k, project<Mu>(x_ahead, minus), project<Mu>(y_here, minus), sum);
    const auto y_ahead = beyond.template load<Spinor<Real>>(fields.first_y + i, neighbor);
    const auto x_here = here.template load<Spinor<Real>>(i, site);
    add_outer(k, project<Mu>(y_ahead, plus), project<Mu>(x_here, plus), sum);
  }
  // sum += k sum over spins of a b^dagger
  static PLAQ_HD void add_outer(const Real& k, const HalfSpinor<Real>& a, const HalfSpinor<Real>& b,
                                Matrix3<Real>& sum) {
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) {
        const auto product = conj_fma(b.s[1].c[j], a.s[1].c[i], conj_times(b.s[0].c[j], a.s[0].c[i]));
        sum.e[i][j] = fma(k, product, sum.e[i][j]);
      }
  }
  PLAQ_HD Real sign(int parity, const Site& site, int mu) const {
    Real s = Real(T(1));
    if (boundary[mu] == 1) return s;
    const auto& shape = gauge.lattice.shape();
    for_each_lane(site, [&](int lane, int index) {
      const auto c = shape.coordinates(parity, index);
      if (shape.global_coordinate(c, mu) == shape.global_extent[mu] - 1) set_lane(s, lane, boundary[mu]);
    });
    return s;
  }
};

}  // namespace plaq
