// Pairs of spinor fields of the force of Wilson quarks. For dS = -2 Re sum_i k_i Y_i^dagger dM X_i and
// M = C - (1/2) sum of w_mu hops, P of kernels/dirac/force/hop_force.hpp is
//   P_i,mu(x) = sum_spin [ X_i(x+mu) ((1 - gamma_mu) Y_i(x))^dagger
//                        + ((1 + gamma_mu) Y_i(x+mu)) X_i(x)^dagger ].
// Both terms are products of half spinors. There are no phases.
#pragma once

#include "core/field/views.hpp"
#include "kernels/site/outer_product.hpp"

namespace plaq {

// X_i is subfield i, Y_i subfield first_y + i.
template <class Target, class T>
struct WilsonPairs {
  using Real = typename Arch<Target, T>::Real;
  static constexpr bool has_phases = false;

  SpinorView<Target, T> of[2];  // by parity
  int first_y;

  template <class Shape, class Coordinates>
  static PLAQ_HD int phase(const Shape&, const Coordinates&, int, int) {
    return 1;
  }
  // sum += k P_i,mu(x)
  template <class Site, class Neighbor>
  PLAQ_HD void add(int mu, int parity, const Site& site, const Neighbor& neighbor, int i, const Real& k,
                   Matrix3<Real>& sum) const {
    switch (mu) {
      case 0:
        return add_in<0>(parity, site, neighbor, i, k, sum);
      case 1:
        return add_in<1>(parity, site, neighbor, i, k, sum);
      case 2:
        return add_in<2>(parity, site, neighbor, i, k, sum);
      default:
        return add_in<3>(parity, site, neighbor, i, k, sum);
    }
  }

 private:
  template <int Mu, class Site, class Neighbor>
  PLAQ_HD void add_in(int parity, const Site& site, const Neighbor& neighbor, int i, const Real& k,
                      Matrix3<Real>& sum) const {
    const Real plus = Real(T(1)), minus = Real(T(-1));
    const auto &here = of[parity], &beyond = of[1 - parity];
    const auto x_ahead = beyond.template load<Spinor<Real>>(i, neighbor);
    const auto y_here = here.template load<Spinor<Real>>(first_y + i, site);
    add_outer_product(k, project<Mu>(x_ahead, minus).s, project<Mu>(y_here, minus).s, sum);
    const auto y_ahead = beyond.template load<Spinor<Real>>(first_y + i, neighbor);
    const auto x_here = here.template load<Spinor<Real>>(i, site);
    add_outer_product(k, project<Mu>(y_ahead, plus).s, project<Mu>(x_here, plus).s, sum);
  }
};

}  // namespace plaq
