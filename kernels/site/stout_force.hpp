// The chain rule of a step of stout smearing. A force F' on the smeared links U' = exp(X) U, X = -rho TA(U V)
// (kernels/site/link_smearing.hpp), becomes the force F on the links U, both in the convention
//   dS = -2 sum over links of tr(T F),   dU = T U.
// With dU' = T' U', T' = exp(X) T exp(-X) + sum_k ad^k(dX)/(k+1)!, ad(Y) = [X, Y]:
//   F_mu(x) = exp(-X) F' exp(X) + rho TA(N),   exp(-X) F' exp(X) = F' - [X, G],
//   G = sum_k (-ad)^k(F')/(k+1)!,
// N the sum over the plaquettes with U_mu(x) and over their corners of the rest of the plaquette with an
// element G of the Lie algebra where a staple starts. Morningstar and Peardon, Phys. Rev. D 69 (2004) 054501,
// section III, have a closed form in place of the series. The series stays in the Lie algebra, and equal
// eigenvalues of X are no special case.
#pragma once

#include "kernels/site/plaquette_side.hpp"
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

// From F' to exp(-X) F' exp(X), in place, and rho G beside it. Inner index of the launch: direction, among
// those that are smeared.
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
    const auto x = scale(Real(-rho), traceless_antihermitian(gauge.links.load(mu, parity, site) * staples));
    const auto f = force.load_mutable(mu, parity, site);
    auto g = f;
#pragma unroll 1
    for (int k = series.last; k > 0; --k) g = fma(Real(-series.factor[k]), commutator(x, g), f);
    insertion.store(mu, parity, site, scale(Real(rho), g));
    force.store(mu, parity, site, fma(Real(T(-1)), commutator(x, g), f));
  }
};

// F <- F + TA(N). On the side nu up and down of a link, with A, B, C of kernels/site/plaquette_side.hpp,
//   up     N = U { -G_nu(x+mu) A B C + A B [G_mu(x+nu) C + C (G_nu(x) - G_mu(x))] }
//   down   N = U { A G_nu(x+mu-nu) B C + A B [(G_mu(x-nu) - G_nu(x-nu)) C - C G_mu(x)] }
// Reads links and G with a halo of depth 1, corners included. Inner index of the launch: direction, among
// those that are smeared.
template <class TargetT, class T>
struct StoutStapleForce {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Point = typename GaugeLattice<TargetT, T>::Point;
  static constexpr int block_size = matrix_block<T>;

  GaugeLattice<TargetT, T> gauge;
  AlgebraView<TargetT, T> insertion, force;
  int directions;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    const auto x = gauge.lattice.point(parity, site);
    auto sum = zero_matrix<Real>();
#pragma unroll 1
    for (int k = 0; k < 2 * directions; ++k) {
      const int nu = k / 2;
      if (nu != mu) sum = sum + around(x, mu, nu, k % 2 == 0);
    }
    const auto n = traceless_antihermitian(gauge.links.load(mu, parity, site) * sum);
    force.store(mu, parity, site, fma(Real(T(1)), n, force.load_mutable(mu, parity, site)));
  }

 private:
  PLAQ_HD Matrix3<Real> around(const Point& x, int mu, int nu, bool up) const {
    const auto side = plaquette_side(gauge, x, mu, nu, up);
    auto g = [&](int direction, const Point& y) {
      return insertion.load(direction, y.parity, GaugeLattice<TargetT, T>::Lattice::index(y));
    };
    const Real minus = Real(T(-1));
    auto beside = g(mu, side.beside), here = scale(minus, g(mu, x));
    if (up) {
      here = fma(Real(T(1)), g(nu, x), here);
      return side.with_insertions(to_matrix(scale(minus, g(nu, side.ahead))) * side.a,
                                  to_matrix(beside) * side.c + side.c * to_matrix(here));
    }
    beside = fma(minus, g(nu, side.beside), beside);
    return side.with_insertions(side.a * to_matrix(g(nu, side.corner)),
                                to_matrix(beside) * side.c + side.c * to_matrix(here));
  }
};

}  // namespace plaq
