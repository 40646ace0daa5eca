// Pairs of the force of staggered quarks: the even and the odd sites of one field. For
// dS = (1/2) Re sum_i k_i Z_i,even^dagger dD_eo Z_i,odd, D of kernels/dirac/staggered/staggered_hop.hpp with
// hops of one step, kernels/dirac/force/hop_force.hpp has w_mu = 1/2,
//   P_i,mu(x) = Z_i(x+mu) Z_i(x)^dagger    and    e_mu(x) = eps(x) eta_mu(x),
// eps(x) = 1 on even sites and -1 on odd ones. S = k X^dagger (m^2 + b - D_eo D_oe/4)^-1 X varies like this
// with Z = X on even sites and D_oe X on odd ones, where X is the solution, since D_eo^dagger = -D_oe.
#pragma once

#include "core/field/views.hpp"
#include "kernels/site/outer_product.hpp"

namespace plaq {

// Z_i is subfield i.
template <class Target, class T>
struct StaggeredPairs {
  using Real = typename Arch<Target, T>::Real;
  static constexpr bool has_phases = true;

  StaggeredView<Target, T> of[2];  // by parity

  template <class Shape, class Coordinates>
  static PLAQ_HD int phase(const Shape& shape, const Coordinates& c, int parity, int mu) {
    int sum = parity;
    for (int d = 0; d < mu; ++d) sum += shape.global_coordinate(c, d);
    return sum % 2 == 0 ? 1 : -1;
  }
  // sum += k P_i,mu(x)
  template <class Site, class Neighbor>
  PLAQ_HD void add(int, int parity, const Site& site, const Neighbor& neighbor, int i, const Real& k,
                   Matrix3<Real>& sum) const {
    const auto here = of[parity].template load<StaggeredVector<Real>>(i, site);
    const auto ahead = of[1 - parity].template load<StaggeredVector<Real>>(i, neighbor);
    add_outer_product(k, ahead.s, here.s, sum);
  }
};

}  // namespace plaq
