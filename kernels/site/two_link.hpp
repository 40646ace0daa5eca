// Two-link products W_i(x) = U_i(x) U_i(x+i), and one step of smearing by hops over them
// (kernels/quark/staggered_smearing.hpp). Both read a halo of depth 2.
#pragma once

#include "kernels/site/staple.hpp"

namespace plaq {

// Inner index of the launch: direction, x to z.
template <class TargetT, class T>
struct TwoLinkProduct {
  using Arch = plaq::Arch<TargetT, T>;

  GaugeLattice<TargetT, T> gauge;
  GaugeView<TargetT, T> product;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    const auto x = gauge.lattice.point(parity, site);
    product.store(mu, parity, site, gauge.link(mu, x) * gauge.link(mu, gauge.lattice.step(x, mu, true)));
  }
};

// out = a psi + b sum_i [ W_i(x) psi(x+2i) + W_i(x-2i)^dagger psi(x-2i) ], i = x, y, z: of the sites of one
// parity, whose neighbours are of the same. Inner index of the launch: right-hand side.
template <class TargetT, class T>
struct TwoLinkStep {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Lattice = typename GaugeLattice<TargetT, T>::Lattice;
  using Vector = StaggeredVector<Real>;

  GaugeLattice<TargetT, T> links;  // W
  StaggeredView<TargetT, T> in, out;
  T a, b;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int rhs) const {
    const auto x = links.lattice.point(parity, site);
    Vector sum;
#pragma unroll
    for (int c = 0; c < 3; ++c) sum.s[0].c[c] = {Real(0), Real(0)};
#pragma unroll 1
    for (int mu = 0; mu < 3; ++mu) {
      const auto ahead = step(x, mu, true), behind = step(x, mu, false);
      add(links.link(mu, x) * load(ahead, rhs), sum);
      add(dagger_times(links.link(mu, behind), load(behind, rhs)), sum);
    }
    const auto here = in.template load<Vector>(rhs, site);
#pragma unroll
    for (int c = 0; c < 3; ++c) sum.s[0].c[c] = fma(Real(b), sum.s[0].c[c], scale(Real(a), here.s[0].c[c]));
    out.store(rhs, site, sum);
  }

 private:
  template <class Point>
  PLAQ_HD Point step(const Point& x, int mu, bool ahead) const {
    return links.lattice.step(links.lattice.step(x, mu, ahead), mu, ahead);
  }
  template <class Point>
  PLAQ_HD ColorVector<Real> load(const Point& x, int rhs) const {
    return in.template load<Vector>(rhs, Lattice::index(x)).s[0];
  }
  static PLAQ_HD void add(const ColorVector<Real>& v, Vector& sum) {
#pragma unroll
    for (int c = 0; c < 3; ++c) sum.s[0].c[c] = sum.s[0].c[c] + v.c[c];
  }
};

}  // namespace plaq
