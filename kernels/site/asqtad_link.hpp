// Fat links and three-link products of improved staggered fermions (kernels/gauge/asqtad_links.hpp,
// hisq_links.hpp). Reads a halo of depth 2, corners included.
//
// A staple is linear in its middle: with s_nu[m](x) the sum of both ways V m V^dagger from x to x + mu around
// the sides of direction nu, all paths of F_mu are
//   A_nu = s_nu[U_mu],
//   C_nu = c3 U_mu + cL A_nu + c5 (A_rho + A_sigma) + c7 (s_rho[A_sigma] + s_sigma[A_rho]),
//   F_mu = (c1 - 6 cL) U_mu + sum over nu of s_nu[C_nu],
// nu, rho, sigma the three directions other than mu: 12 staples, 48 products of matrices a link, where the 85
// paths one by one would take 420. The double steps of cL lead twice to one side. s_nu[A_nu] has also the
// ways to one side and back, which are U_mu itself, six times in all, since links are unitary.
//
// Other matrices may be in the middle, in the place of U_mu: F is linear in them
// (kernels/site/fat_link_gradient.hpp).
#pragma once

#include "kernels/site/matrix_sum.hpp"
#include "kernels/site/staple.hpp"
#include "kernels/site/su3_polar.hpp"

namespace plaq {

// c3, c5, c7 and cL.
template <class T>
struct FatWeights {
  T three, five, seven, lepage;
};

// Fields of matrices that belong to links of direction mu have one for each other direction: number k = 0, 1,
// 2 is that of mu + 1 + k modulo 4.
PLAQ_HD int other_direction(int mu, int k) { return (mu + 1 + k) & 3; }

// sum <- sum + s_nu[m](x) for links of direction mu; middle(y) is m(y).
template <class Target, class T, class Middle>
PLAQ_HD void add_staple(const GaugeLattice<Target, T>& gauge,
                        const typename GaugeLattice<Target, T>::Point& x, int mu, int nu,
                        const Middle& middle, Matrix3<typename Arch<Target, T>::Real>& sum) {
  const auto above = gauge.lattice.step(x, nu, true);
  add_times_dagger(gauge.link(nu, x) * middle(above), gauge.link(nu, gauge.lattice.step(x, mu, true)), sum);
  const auto below = gauge.lattice.step(x, nu, false);
  add_product(dagger_times(gauge.link(nu, below), middle(below)),
              gauge.link(nu, gauge.lattice.step(below, mu, true)), sum);
}

// A_nu. Inner index of the launch: the number of nu.
template <class TargetT, class T>
struct FatLinkStaple {
  using Arch = plaq::Arch<TargetT, T>;
  using Point = typename GaugeLattice<TargetT, T>::Point;
  static constexpr int block_size = matrix_block<T>;

  GaugeLattice<TargetT, T> gauge, middle;
  GaugeView<TargetT, T> staples;
  int mu;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int k) const {
    auto sum = zero_matrix<typename Arch::Real>();
    add_staple(
        gauge, gauge.lattice.point(parity, site), mu, other_direction(mu, k),
        [&](const Point& y) { return middle.link(mu, y); }, sum);
    staples.store(k, parity, site, sum);
  }
};

// C_nu. Inner index of the launch: the number of nu.
template <class TargetT, class T>
struct FatLinkSide {
  using Arch = plaq::Arch<TargetT, T>;
  using Point = typename GaugeLattice<TargetT, T>::Point;
  static constexpr int block_size = matrix_block<T>;

  GaugeLattice<TargetT, T> gauge, middle, staples;
  GaugeView<TargetT, T> sides;
  FatWeights<T> weights;
  int mu;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int k) const {
    const auto x = gauge.lattice.point(parity, site);
    auto sum = zero_matrix<typename Arch::Real>();
#pragma unroll 1
    for (int j = 1; j <= 2; ++j) {
      const int rho = (k + j) % 3, sigma = (k + 3 - j) % 3;
      add_staple(
          gauge, x, mu, other_direction(mu, rho), [&](const Point& y) { return staples.link(sigma, y); },
          sum);
    }
    sum = scaled(weights.seven, sum);
#pragma unroll 1
    for (int j = 0; j < 3; ++j)
      add_scaled(j == 0 ? weights.lepage : weights.five, staples.link((k + j) % 3, x), sum);
    add_scaled(weights.three, middle.link(mu, x), sum);
    sides.store(k, parity, site, sum);
  }
};

// F_mu, or F_mu added to what is there.
template <class TargetT, class T>
struct FatLink {
  using Arch = plaq::Arch<TargetT, T>;
  using Point = typename GaugeLattice<TargetT, T>::Point;
  static constexpr int block_size = matrix_block<T>;

  GaugeLattice<TargetT, T> gauge, middle, sides;
  GaugeView<TargetT, T> fat;
  T weight;  // c1 - 6 cL
  int mu;
  bool adds;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int) const {
    const auto x = gauge.lattice.point(parity, site);
    auto sum = scaled(weight, middle.link(mu, x));
    if (adds) sum = sum + fat.load_mutable(mu, parity, site);
#pragma unroll 1
    for (int k = 0; k < 3; ++k)
      add_staple(
          gauge, x, mu, other_direction(mu, k), [&](const Point& y) { return sides.link(k, y); }, sum);
    fat.store(mu, parity, site, sum);
  }
};

// HISQ: the unitary factor of a fat link, perhaps in its place, and the link where that is not defined
// (su3_polar.hpp). Inner index of the launch: direction mu.
template <class TargetT, class T>
struct UnitaryLink {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int block_size = 128;

  GaugeView<TargetT, T> links, fat, unitary;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    unitary.store(mu, parity, site, project_unitary(fat.load_mutable(mu, parity, site), [&] {
                    return links.load(mu, parity, site);
                  }));
  }
};

// W_mu(x) = U_mu(x) U_mu(x+mu) U_mu(x+2mu). Inner index of the launch: direction mu.
template <class TargetT, class T>
struct ThreeLinkProduct {
  using Arch = plaq::Arch<TargetT, T>;

  GaugeLattice<TargetT, T> gauge;
  GaugeView<TargetT, T> product;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    const auto x = gauge.lattice.point(parity, site);
    const auto second = gauge.lattice.step(x, mu, true);
    const auto third = gauge.lattice.step(second, mu, true);
    product.store(mu, parity, site, (gauge.link(mu, x) * gauge.link(mu, second)) * gauge.link(mu, third));
  }
};

}  // namespace plaq
