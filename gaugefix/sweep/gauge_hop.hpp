// Terms of a site's neighbours in a gauge functional: their g with the links between,
//   U_mu(x) g(x+mu)^dagger  ahead,   (g(x-mu) U_mu(x-mu))^dagger  behind.
// The links of U^g = g(x) U_mu(x) g(x+mu)^dagger are never stored: half the memory traffic of sweeps over
// links, and rounding errors are those of g alone. Faces carry g ahead, the product g U behind.
#pragma once

#include "gaugefix/sweep/su3_view.hpp"
#include "gaugefix/sweep/update_site.hpp"
#include "kernels/dirac/hop/hop_kernel.hpp"

namespace plaq {

// The first so many copies of a gauge field's transformation.
struct GaugeCopies {
  int number = 1;
  PLAQ_HD int count() const { return number; }
  PLAQ_HD int operator[](int k) const { return k; }
};

// L: storage of the links; T: of g; A: arithmetic, and faces. Functional: TraceFunctional, AbelianFunctional
// or NeighborSum.
template <class TargetT, class L, class TT, class A, template <class> class Functional>
struct GaugeHop : EqualHops, WholeVectors<Matrix3<Number<TargetT, TT, A>>> {
  using T = TT;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = Number<TargetT, T, A>;
  using Draw = A;
  using Site = typename Arch::Site;
  using Active = GaugeCopies;
  using Link = Matrix3<Real>;
  using Sum = Functional<Real>;
  using Carried = Matrix3<Real>;
  using Face = Su3View<TargetT, T, A, sweep_reconstruction, A>;  // subfield copy
  static constexpr int hops = 8, depth = 1;
  static constexpr int least_directions = 3;  // of Coulomb gauge
  static constexpr bool directions_alike = true;
  // 512 threads a multiprocessor where sums are of 4 bytes, in double 384.
  template <int>
  static constexpr int threads = sizeof(T) == 4 ? 256 : 128;
  template <int>
  static constexpr int blocks = sizeof(T) == 4   ? 2
                                : sizeof(A) == 4 ? 4
                                                 : 3;

  Su3View<TargetT, T, A, sweep_reconstruction, L> links;  // subfield 2 mu + parity
  TransformationView<TargetT, T, A, T> g;                 // subfield 2 copy + parity
  int parity = 0;                                         // of the site
  int mus = 4;                                            // or least_directions

  PLAQ_HD int directions() const { return mus; }
  static PLAQ_HD Sum zero() { return {}; }

  template <class H, class Index>
  PLAQ_HD Link link(H h, int at_parity, const Index& index) const {
    return links.load(2 * h.mu + at_parity, index);
  }
  template <class Index>
  PLAQ_HD Carried load(int copy, const Index& index, Real&) const {
    return g.load(2 * copy + 1 - parity, index);
  }
  template <class H>
  static PLAQ_HD Carried multiply(H, const Link& u, const Carried& theirs) {
    if constexpr (H::ahead) {
      return product_with_dagger(u, theirs);
    } else {
      return product(theirs, u);
    }
  }
  template <class H>
  static PLAQ_HD void add(H, Sum& sum, const Carried& u_g, EqualWeights) {
    if constexpr (H::ahead) {
      sum.add(u_g);
    } else {
      sum.add(dagger(u_g));
    }
  }
};

// g follows the sum as the update says (Schroeck, Vogt 2013, algorithm 1). Update: a class as RelaxationStep
// and HeatbathStep are.
template <class TargetT, class L, class TT, template <class> class Functional, class Update>
struct GaugeUpdateHop : GaugeHop<TargetT, L, TT, L, Functional> {
  using Base = GaugeHop<TargetT, L, TT, L, Functional>;
  using Site = typename Base::Site;

  TransformationView<TargetT, TT> own;
  Update update;

  template <class Lattice>
  PLAQ_HD void finish(const Lattice& lattice, int parity, const Site& site, int copy,
                      const typename Base::Sum& sum) const {
    Functional<typename Base::Arch::Real> functional(sum);
    const UpdateSite<Site, typename Base::Draw> where{lattice.shape(), site, parity, copy};
    const int subfield = 2 * copy + parity;
    auto mine = own.load_mutable(subfield, site);
    functional.begin(mine);
    update.change(functional, mine, where);
    own.store(subfield, site, mine);
  }
};

}  // namespace plaq
