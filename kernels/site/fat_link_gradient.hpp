// The chain rule of fat links and three-link products (kernels/site/asqtad_link.hpp). A function of links L
// has the gradient G if dS = Re sum over links of tr(dL G^dagger): G turns with the gauge as L does. From G
// on F, or on W, to G on the links U, by gathering: each link adds its terms in one order.
//
// The sum of both ways around the sides of direction nu, s_nu, is its own transpose:
//   sum over x of Re tr(s_nu[m](x) G(x)^dagger) = sum over x of Re tr(m(x) s_nu[G](x)^dagger).
// With G = G_mu on F_mu and B_nu = s_nu[G],
//   D_nu = c3 G + cL B_nu + c5 (B_rho + B_sigma) + c7 (s_rho[B_sigma] + s_sigma[B_rho]),
// the links in the middle have the gradient (c1 - 6 cL) G + sum over nu of s_nu[D_nu]: a fat link with G in
// the middle. A staple s_nu[m] with the gradient g gives its sides V = U_nu the gradient t(g, m) + t(m, g),
//   t(a, b)(x) = a(x) V(x+mu) b(x+nu)^dagger + a(x-mu)^dagger V(x-mu) b(x-mu+nu),
// and the staples of F_mu with sides nu are those with (g, m) = (G, C_nu - c3 U_mu), (D_nu, U_mu),
// (c7 B_rho, A_sigma), (c7 B_sigma, A_rho), the c3 U_mu of the first being part of the second: 144 products
// of matrices a link beside those that make A and C.
//
// Links are unitary, and the gradient is that of dU = T U with T antihermitian: c1 - 6 cL is in the place of
// c1 (asqtad_link.hpp), and parts of G that only other changes of U would see are not those of the paths.
#pragma once

#include "kernels/site/asqtad_link.hpp"
#include "kernels/site/su3_algebra.hpp"

namespace plaq {

// Adds the gradients of sides of F_mu. Inner index of the launch: the number of the direction nu of the side.
template <class TargetT, class T>
struct FatLinkSideGradient {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Point = typename GaugeLattice<TargetT, T>::Point;
  using View = GaugeView<TargetT, T>;
  static constexpr int block_size = matrix_block<T>;

  GaugeLattice<TargetT, T> gauge;
  View gradient, staples, gradient_staples, sides, gradient_sides;  // G, A, B, C - c3 U_mu, D
  View sum;
  T seven;  // c7
  int mu;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int k) const {
    const int nu = other_direction(mu, k);
    const auto x = gauge.lattice.point(parity, site);
    auto total = zero_matrix<Real>();
#pragma unroll 1
    for (int j = 1; j <= 2; ++j)
      add_both(x, nu, gradient_staples, (k + j) % 3, staples, (k + 3 - j) % 3, total);
    total = scaled(seven, total);
    add_both(x, nu, gradient, mu, sides, k, total);
    add_both(x, nu, gradient_sides, k, gauge.links, mu, total);
    sum.store(nu, parity, site, sum.load_mutable(nu, parity, site) + total);
  }

 private:
  // total <- total + t(a, b) + t(b, a), a and b being those subfields.
  PLAQ_HD void add_both(const Point& x, int nu, const View& a, int of_a, const View& b, int of_b,
                        Matrix3<Real>& total) const {
    const auto at = [](const View& view, int subfield, const Point& y) {
      return view.load(subfield, y.parity, GaugeLattice<TargetT, T>::Lattice::index(y));
    };
    {
      const auto above = gauge.lattice.step(x, nu, true);
      const auto v = gauge.link(nu, gauge.lattice.step(x, mu, true));
      add_times_dagger(at(a, of_a, x) * v, at(b, of_b, above), total);
      add_times_dagger(at(b, of_b, x) * v, at(a, of_a, above), total);
    }
    const auto behind = gauge.lattice.step(x, mu, false);
    const auto above = gauge.lattice.step(behind, nu, true);
    const auto v = gauge.link(nu, behind);
    add_product(dagger_times(at(a, of_a, behind), v), at(b, of_b, above), total);
    add_product(dagger_times(at(b, of_b, behind), v), at(a, of_a, above), total);
  }
};

// Adds the gradient of W_mu(x) = U_mu(x) U_mu(x+mu) U_mu(x+2mu),
//   G(x) [U(x+mu) U(x+2mu)]^dagger + U(x-mu)^dagger G(x-mu) U(x+mu)^dagger
//     + [U(x-2mu) U(x-mu)]^dagger G(x-2mu).
// Inner index of the launch: direction mu.
template <class TargetT, class T>
struct ThreeLinkGradient {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int block_size = matrix_block<T>;

  GaugeLattice<TargetT, T> gauge, gradient;
  GaugeView<TargetT, T> sum;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    const auto x = gauge.lattice.point(parity, site);
    const auto ahead = gauge.lattice.step(x, mu, true), behind = gauge.lattice.step(x, mu, false);
    const auto second = gauge.lattice.step(ahead, mu, true), first = gauge.lattice.step(behind, mu, false);
    auto total = sum.load_mutable(mu, parity, site);
    add_times_dagger(times_dagger(gradient.link(mu, x), gauge.link(mu, second)), gauge.link(mu, ahead),
                     total);
    add_times_dagger(dagger_times(gauge.link(mu, behind), gradient.link(mu, behind)), gauge.link(mu, ahead),
                     total);
    add_dagger_times(gauge.link(mu, behind), dagger_times(gauge.link(mu, first), gradient.link(mu, first)),
                     total);
    sum.store(mu, parity, site, total);
  }
};

// to <- keep to + weight from^dagger. Inner index of the launch: direction mu.
template <class TargetT, class T>
struct AddAdjointLinks {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;

  GaugeView<TargetT, T> to, from;  // `to` may be `from`
  T keep, weight;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    auto total = scaled(keep, to.load_mutable(mu, parity, site));
    add_scaled(weight, dagger(from.load_mutable(mu, parity, site)), total);
    to.store(mu, parity, site, total);
  }
};

// to <- to + weight from. Inner index of the launch: direction mu.
template <class TargetT, class T>
struct AddLinks {
  using Arch = plaq::Arch<TargetT, T>;

  GaugeView<TargetT, T> to, from;
  T weight;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    auto total = to.load_mutable(mu, parity, site);
    add_scaled(weight, from.load(mu, parity, site), total);
    to.store(mu, parity, site, total);
  }
};

// F <- F - TA(U G^dagger)/2 with G on U. Inner index of the launch: direction mu.
template <class TargetT, class T>
struct ForceOfGradient {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;

  GaugeView<TargetT, T> links, gradient;
  AlgebraView<TargetT, T> force;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    const auto n = times_dagger(links.load(mu, parity, site), gradient.load(mu, parity, site));
    force.store(mu, parity, site,
                fma(Real(T(-0.5)), traceless_antihermitian(n), force.load_mutable(mu, parity, site)));
  }
};

}  // namespace plaq
