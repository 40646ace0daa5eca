// Field strength from clover leaves: Q_mu,nu(x) is the sum of the four plaquettes of the plane that start and
// end at x and turn from mu to nu,
//   U_mu(x) U_nu(x+mu) U_mu(x+nu)^dagger U_nu(x)^dagger
// + U_nu(x) U_mu(x-mu+nu)^dagger U_nu(x-mu)^dagger U_mu(x-mu)
// + U_mu(x-mu)^dagger U_nu(x-mu-nu)^dagger U_mu(x-mu-nu) U_nu(x-nu)
// + U_nu(x-nu)^dagger U_mu(x-nu) U_nu(x+mu-nu) U_mu(x)^dagger.
// Reads a halo of depth 1, corners included.
#pragma once

#include "kernels/site/matrix_sum.hpp"
#include "kernels/site/staple.hpp"
#include "kernels/site/su3_algebra.hpp"

namespace plaq {

// Calls add(w, M) twice, such that
//   (Q - Q^dagger)/8 = sum of w (M - M^dagger)/2,   w = 1/4 or -1/4.
// Two leaves share the link V_s(x) from x to x + s nu, s = 1 or -1: taken together, one of them as its
// adjoint, they need five products and not six,
//   Q - Q^dagger = B - B^dagger,   B = B_1 - B_-1,
//   B_s = V_s(x) [ (V_s(x-mu) U_mu(x-mu+s nu))^dagger U_mu(x-mu) - U_mu(x+s nu) (U_mu(x) V_s(x+mu))^dagger ].
// The loop over s stays a loop: half the code, and on the device the matrices stay in registers.
template <class Target, class T, class Add>
PLAQ_HD void add_leaves(const GaugeLattice<Target, T>& gauge,
                        const typename GaugeLattice<Target, T>::Point& x, int mu, int nu, Add&& add) {
  using Real = typename Arch<Target, T>::Real;
  using Point = typename GaugeLattice<Target, T>::Point;
  const auto& lattice = gauge.lattice;
#pragma unroll 1
  for (int s = 0; s < 2; ++s) {
    const bool forward = s == 0;
    auto along = [&](const Point& y) {
      return forward ? gauge.link(nu, y) : dagger(gauge.link(nu, lattice.step(y, nu, false)));
    };
    const auto west = lattice.step(x, mu, false);
    auto b =
        dagger_times(along(west) * gauge.link(mu, lattice.step(west, nu, forward)), gauge.link(mu, west));
    add_times_dagger(gauge.link(mu, lattice.step(x, nu, forward)),
                     negative(gauge.link(mu, x) * along(lattice.step(x, mu, true))), b);
    add(Real(forward ? T(0.25) : T(-0.25)), along(x) * b);
  }
}

// F_mu,nu(x) = (Q - Q^dagger)/8 without its trace.
template <class Target, class T>
PLAQ_HD Su3Algebra<typename Arch<Target, T>::Real> clover_field_strength(
    const GaugeLattice<Target, T>& gauge, const typename GaugeLattice<Target, T>::Point& x, int mu, int nu) {
  using Real = typename Arch<Target, T>::Real;
  const Real zero = Real(0);
  Su3Algebra<Real> field{{zero, zero}, {{zero, zero}, {zero, zero}, {zero, zero}}};
  add_leaves(gauge, x, mu, nu, [&](const Real& weight, const Matrix3<Real>& m) {
    field = fma(weight, traceless_antihermitian(m), field);
  });
  return field;
}

// Sum 0: -sum_{mu<nu} tr F_mu,nu^2. Sum 1: -tr(F_01 F_23 - F_02 F_13 + F_03 F_12). Inner index of the launch:
// the pair of planes (0, mu) and (nu, rho), an even permutation, mu = 1, 2, 3.
template <class TargetT, class T>
struct CloverSum {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = 2;
  static constexpr int block_size = sizeof(T) == 8 ? 256 : 512;

  GaugeLattice<TargetT, T> gauge;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int pair,
                          RealDouble (&sum)[sums]) const {
    const auto x = gauge.lattice.point(parity, site);
    const int mu = pair + 1, nu = mu % 3 + 1, rho = nu % 3 + 1;
    const Real zero = Real(0);
    Su3Algebra<Real> before{{zero, zero}, {{zero, zero}, {zero, zero}, {zero, zero}}};
    Real square = zero, product = zero;
#pragma unroll 1
    for (int plane = 0; plane < 2; ++plane) {
      const auto f = clover_field_strength(gauge, x, plane == 0 ? 0 : nu, plane == 0 ? mu : rho);
      square = square + scalar_product(f, f);
      product = scalar_product(before, f);
      before = f;
    }
    sum[0] = to_double(square);
    sum[1] = to_double(product);
  }
};

}  // namespace plaq
