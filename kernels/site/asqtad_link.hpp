// Fat links and three-link products of improved staggered fermions (kernels/gauge/asqtad_links.hpp,
// hisq_links.hpp). Reads a halo of depth 2, corners included.
#pragma once

#include "kernels/site/staple.hpp"
#include "kernels/site/su3_polar.hpp"

namespace plaq {

// Coefficients of paths of one, three, five and seven links, and of the double-step ones.
template <class T>
struct FatWeights {
  T one, three, five, seven, lepage;
};

// F_mu(x). Staples of staples, from outside: a path that leaves x by a step +-nu comes back to x + mu by its
// reverse, and what lies between is again a link with staples, along the directions not yet taken; double
// steps go on in nu once more. 168 products of matrices a link for 85 paths, that one by one would take 420.
// Loops stay loops: on the device the matrices of three levels fill the registers as it is.
// Inner index of the launch: direction mu.
template <class TargetT, class T>
struct AsqtadFatLink {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Point = typename GaugeLattice<TargetT, T>::Point;
  static constexpr int block_size = matrix_block<T>;

  GaugeLattice<TargetT, T> gauge;
  GaugeView<TargetT, T> fat;
  FatWeights<T> weights;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    const auto x = gauge.lattice.point(parity, site);
    auto sum = scaled(weights.one, gauge.link(mu, x));
    for_each_staple(x, 1 << mu, [&](int nu, bool up, const Point& beside) {
      auto path = scaled(weights.three, gauge.link(mu, beside));
      add(weights.lepage, around(beside, mu, nu, up, gauge.link(mu, gauge.lattice.step(beside, nu, up))),
          path);
      for_each_staple(beside, 1 << mu | 1 << nu, [&](int rho, bool up2, const Point& beside2) {
        auto path2 = scaled(weights.five, gauge.link(mu, beside2));
        const int taken = 1 << mu | 1 << nu | 1 << rho;
        for_each_staple(beside2, taken, [&](int sigma, bool up3, const Point& beside3) {
          add(weights.seven, around(beside2, mu, sigma, up3, gauge.link(mu, beside3)), path2);
        });
        path = path + around(beside, mu, rho, up2, path2);
      });
      sum = sum + around(x, mu, nu, up, path);
    });
    fat.store(mu, parity, site, sum);
  }

 private:
  static PLAQ_HD Matrix3<Real> scaled(T weight, Matrix3<Real> m) {
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) m.e[i][j] = scale(Real(weight), m.e[i][j]);
    return m;
  }
  static PLAQ_HD void add(T weight, const Matrix3<Real>& m, Matrix3<Real>& sum) {
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) sum.e[i][j] = fma(Real(weight), m.e[i][j], sum.e[i][j]);
  }

  // f(nu, up, y + nu or y - nu) for the directions that are not taken: nu = 0..3, up before down.
  template <class F>
  PLAQ_HD void for_each_staple(const Point& y, int taken, const F& f) const {
#pragma unroll 1
    for (int k = 0; k < 8; ++k) {
      const int nu = k / 2;
      const bool up = k % 2 == 0;
      if (((taken >> nu) & 1) == 0) f(nu, up, gauge.lattice.step(y, nu, up));
    }
  }
  // V(y) m V(y+mu)^dagger, V(y) the way from y to y + nu or y - nu, along which m leads by mu.
  PLAQ_HD Matrix3<Real> around(const Point& y, int mu, int nu, bool up, const Matrix3<Real>& m) const {
    const auto ahead = gauge.lattice.step(y, mu, true);
    if (up) return times_dagger(gauge.link(nu, y) * m, gauge.link(nu, ahead));
    const auto below = gauge.lattice.step(y, nu, false);
    return dagger_times(gauge.link(nu, below), m) * gauge.link(nu, gauge.lattice.step(ahead, nu, false));
  }
};

// HISQ: the unitary factor of a fat link, in place of the link, which stays where it is not defined
// (su3_polar.hpp). Inner index of the launch: direction mu.
template <class TargetT, class T>
struct UnitaryLink {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int block_size = 128;

  GaugeView<TargetT, T> fat, links;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    const auto v = fat.load(mu, parity, site), u = links.load_mutable(mu, parity, site);
    links.store(mu, parity, site, project_unitary(v, u));
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
