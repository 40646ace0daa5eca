// One step of link smearing: from one gauge field to another. V_mu(x): the staples of
// kernels/site/staple.hpp, so that V^dagger runs from x to x + mu.
#pragma once

#include "kernels/site/staple.hpp"
#include "kernels/site/su3_exp.hpp"
#include "kernels/site/su3_polar.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {

// U' = P((1 - alpha) U + alpha/k V^dagger), k the number of staples; P: su3_polar.hpp.
// Inner index of the launch: direction; those from `directions` on are copied.
template <class TargetT, class T>
struct ApeStep {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = matrix_block<T>;

  GaugeLattice<TargetT, T> gauge;
  GaugeView<TargetT, T> smeared;
  T link_weight, staple_weight;
  int directions;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    const auto link = [&] { return gauge.links.load(mu, parity, site); };
    if (mu >= directions) {
      smeared.store(mu, parity, site, link());
      return;
    }
    const auto staples = staple_sum(gauge, gauge.lattice.point(parity, site), mu, directions);
    const auto u = link();
    const Real a = Real(link_weight), b = Real(staple_weight);
    Matrix3<Real> v;
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) v.e[i][j] = fma(b, conj(staples.e[j][i]), scale(a, u.e[i][j]));
    smeared.store(mu, parity, site, project_polar(v, link));
  }
};

// U' = exp(-rho A) U, A the traceless antihermitian part of U V: Morningstar and Peardon 2004, eqs. (1) to
// (3), with Omega = rho (U V)^dagger and i Q = -rho A. Rounding is kept from
// piling up over steps.
// Inner index of the launch: direction; those from `directions` on are copied.
template <class TargetT, class T>
struct StoutStep {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = matrix_block<T>;

  GaugeLattice<TargetT, T> gauge;
  GaugeView<TargetT, T> smeared;
  T rho;
  int directions;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    if (mu >= directions) {
      smeared.store(mu, parity, site, gauge.links.load(mu, parity, site));
      return;
    }
    const auto staples = staple_sum(gauge, gauge.lattice.point(parity, site), mu, directions);
    const auto u = gauge.links.load(mu, parity, site);
    auto moved = exp(scale(Real(-rho), traceless_antihermitian(u * staples))) * u;
    project_to_su3(moved);
    smeared.store(mu, parity, site, moved);
  }
};

}  // namespace plaq
