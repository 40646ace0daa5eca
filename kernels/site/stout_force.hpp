// The chain rule of a step of stout smearing. A force F' on the smeared links U' = exp(X) U, X = -rho TA(U V)
// (kernels/site/link_smearing.hpp), becomes the force F on the links U, both in the convention
//   dS = -2 sum over links of tr(T F),   dU = T U.
// With dU' = T' U', T' = exp(X) T exp(-X) + sum_k ad^k(dX)/(k+1)!, ad(Y) = [X, Y]:
//   F_mu(x) = exp(-X) F' exp(X) + rho TA(N),   exp(-X) F' exp(X) = F' - [X, G],
//   G = sum_k (-ad)^k(F')/(k+1)!,
// N the sum over the plaquettes with U_mu(x) and over their corners of the rest of the plaquette with an
// element G of the Lie algebra where a staple starts. That of U_mu(x) itself is -U V G_mu(x). Morningstar
// and Peardon, Phys. Rev. D 69 (2004) 054501, section III, have a closed form in place of the series. The
// series stays in the Lie algebra, and equal eigenvalues of X are no special case.
#pragma once

#include "kernels/site/matrix_sum.hpp"
#include "kernels/site/staple.hpp"
#include "kernels/site/su3_algebra.hpp"

namespace plaq {

// Terms of G: |ad| is at most 12 |rho|, or 8 |rho| in space alone, since no eigenvalue of U V is larger than
// the number of staples. Terms after the last one are below a tenth of a rounding.
template <class T>
struct ExpForceSeries {
  static constexpr int most = 40;  // enough for |rho| = 0.5
  int last = 0;
  T factor[most];  // 1/(k+1)

  ExpForceSeries(double rho, int directions) {
    const double bound = 4 * (directions - 1) * (rho < 0 ? -rho : rho);
    double term = 1;
    for (int k = 0; k < most; ++k) {
      factor[k] = static_cast<T>(1.0 / (k + 1));
      if (k > 0) term *= bound / (k + 1);
      if (term > 1e-17) last = k;
    }
  }
};

// From F' to exp(-X) F' exp(X) - rho TA(U V G), in place, and rho G beside it. Inner index of the launch:
// direction, among those that are smeared.
template <class TargetT, class T>
struct StoutLinkForce {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = matrix_block<T>;

  GaugeLattice<TargetT, T> gauge;
  AlgebraView<TargetT, T> force, insertion;
  T rho;
  ExpForceSeries<T> series;
  int directions;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    const auto staples = staple_sum(gauge, gauge.lattice.point(parity, site), mu, directions);
    const auto loops = gauge.links.load(mu, parity, site) * staples;
    const auto x = scale(Real(-rho), traceless_antihermitian(loops));
    const auto f = force.load_mutable(mu, parity, site);
    auto g = f;
#pragma unroll 1
    for (int k = series.last; k > 0; --k) g = fma(Real(-series.factor[k]), commutator(x, g), f);
    const auto inserted = scale(Real(rho), g);
    insertion.store(mu, parity, site, inserted);
    const auto own = traceless_antihermitian(loops * antihermitian(inserted));
    const Real minus = Real(T(-1));
    force.store(mu, parity, site, fma(minus, own, fma(minus, commutator(x, g), f)));
  }
};

// F <- F + TA(N), N without the part of U_mu(x) itself. On the sides nu of the link, with A B C the way from
// x + mu back to x (plaquette_side.hpp) and G for rho G,
//   up     N = U { [A B G_mu(x+nu) - G_nu(x+mu) A B] C + A B C G_nu(x) },
//   down   N = U A { G_nu(x+mu-nu) B + B [G_mu(x-nu) - G_nu(x-nu)] } C.
// Reads links and G with a halo of depth 1, corners included. Inner index of the launch: direction, among
// those that are smeared.
template <class TargetT, class T>
struct StoutStapleForce {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Point = typename GaugeLattice<TargetT, T>::Point;
  static constexpr int block_size = 384;  // four matrices in registers

  GaugeLattice<TargetT, T> gauge;
  AlgebraView<TargetT, T> insertion, force;
  int directions;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    const auto x = gauge.lattice.point(parity, site);
    auto sum = zero_matrix<Real>();
#pragma unroll 1
    for (int k = 0; k < 2 * directions; ++k) {
      const int nu = k / 2;
      if (nu == mu) continue;
      if (k % 2 == 0) {
        add_above(x, mu, nu, sum);
      } else {
        add_below(x, mu, nu, sum);
      }
    }
    const auto n = traceless_antihermitian(gauge.links.load(mu, parity, site) * sum);
    force.store(mu, parity, site, fma(Real(T(1)), n, force.load_mutable(mu, parity, site)));
  }

 private:
  PLAQ_HD Su3Algebra<Real> g(int direction, const Point& y) const {
    return insertion.load(direction, y.parity, GaugeLattice<TargetT, T>::Lattice::index(y));
  }
  PLAQ_HD void add_above(const Point& x, int mu, int nu, Matrix3<Real>& sum) const {
    const auto ahead = gauge.lattice.step(x, mu, true), beside = gauge.lattice.step(x, nu, true);
    const auto ab = times_dagger(gauge.link(nu, ahead), gauge.link(mu, beside));
    const auto far = ab * antihermitian(g(mu, beside)) - antihermitian(g(nu, ahead)) * ab;
    const auto c = gauge.link(nu, x);
    add_times_dagger(far, c, sum);
    sum = sum + times_dagger(ab, c) * antihermitian(g(nu, x));
  }
  PLAQ_HD void add_below(const Point& x, int mu, int nu, Matrix3<Real>& sum) const {
    const auto beside = gauge.lattice.step(x, nu, false), corner = gauge.lattice.step(beside, mu, true);
    const auto b = dagger(gauge.link(mu, beside));
    const auto near = fma(Real(T(-1)), g(nu, beside), g(mu, beside));
    const auto inner = antihermitian(g(nu, corner)) * b + b * antihermitian(near);
    add_product(dagger_times(gauge.link(nu, corner), inner), gauge.link(nu, beside), sum);
  }
};

}  // namespace plaq
