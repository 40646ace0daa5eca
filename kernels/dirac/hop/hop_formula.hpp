// Formula of the hopping term of a discretisation,
//   (D psi)(x) = sum over directed hops h = (mu, ahead or behind) of  c_h(x) [ U_h (P_h psi(x + h)) ],
// U_h being U_mu(x) ahead and U_mu(x-mu)^dagger behind. All else is written once for all (kernels/dirac/hop/
// hop_kernel.hpp): where neighbours come from, ghosts, weights, links that are 1,
// what waits in shared memory, faces.
//
// A class of a discretisation (WilsonHop, StaggeredHop, LaplacianHop, FaddeevPopovHop, GaugeHop) satisfies
// HopFormula. The compiler checks it for hops ahead and behind; h is a DirectedHop.
// Two members may be there or not:
//   at_site(h, lattice, point, c)  c_h(x) of a weight c, where it depends on the site: staggered phases
//   least_directions               directions that hop in every call, where directions() depends on the call
#pragma once

#include <concepts>

#include "core/algebra/su3.hpp"
#include "core/lattice/lattice_view.hpp"
#include "kernels/dirac/hop/directed_hop.hpp"
#include "kernels/dirac/hop/hop_weights.hpp"

namespace plaq {

// Weights and contributions of hops that have none of their own.
struct EqualHops {
  static constexpr bool weighted = false;  // hops are added as they are
  static constexpr bool scaled = false;
};
// For hops that need all of a neighbour's vector: P_h = 1.
template <class Vector>
struct WholeVectors {
  template <class H>
  static PLAQ_HD Vector project(H, const Vector& v) {
    return v;
  }
};

namespace detail {

template <class F>
using WeightOf = std::conditional_t<F::weighted, typename F::Real, EqualWeights>;

// `Index`: a site, or a neighbour.
template <class F, class H, class Index>
concept HasHop = requires(const F& f, H h, const Index& index, typename F::Sum& sum, typename F::Real& factor,
                          const typename F::Link& u, const typename F::Carried& carried,
                          const WeightOf<F>& weight) {
  // The link of hop h that belongs to a site of a parity.
  { f.link(h, 0, index) } -> std::same_as<typename F::Link>;
  // psi of a neighbour, divided by `factor` where vectors are `scaled`; the argument is the right-hand side.
  f.load(0, index, factor);
  // P_h psi: what hop h needs of it, and a face carries.
  { f.project(h, f.load(0, index, factor)) } -> std::same_as<typename F::Carried>;
  // U v ahead, U^dagger v behind.
  { F::multiply(h, u, carried) } -> std::same_as<typename F::Carried>;
  // sum + weight times what hop h contributes.
  { f.add(h, sum, carried, weight) } -> std::same_as<void>;
};

}  // namespace detail

template <class F>
concept HopFormula = requires {
  // The machine (core/launch/arch.hpp): its numbers and sites.
  typename F::T;
  typename F::Arch;
  typename F::Real;
  typename F::Site;
  // Links in registers; what a hop carries; what hops add up to; the view of a
  // face that stores what they carry.
  typename F::Link;
  typename F::Carried;
  typename F::Sum;
  typename F::Face;
  // The right-hand sides that are meant: an ActiveSet, or like it.
  typename F::Active;
  // Directed hops of a site, and slices that they reach: 1 or 3.
  { F::hops } -> std::convertible_to<int>;
  { F::depth } -> std::convertible_to<int>;
  // True if the direction of a hop is a mere number to it.
  { F::directions_alike } -> std::convertible_to<bool>;
  // True if hops have weights (HopWeights); if vectors have factors of their own.
  { F::weighted } -> std::convertible_to<bool>;
  { F::scaled } -> std::convertible_to<bool>;
  // Threads of a device's block, and blocks of a multiprocessor, with so many right-hand sides a thread.
  { F::template threads<1> } -> std::convertible_to<int>;
  { F::template blocks<1> } -> std::convertible_to<int>;
  { F::zero() } -> std::same_as<typename F::Sum>;
}
&&
    // Directions that hop at all.
    requires(const F& f) {
  { f.directions() } -> std::same_as<int>;
}
&&detail::HasHop<F, NumberedHop<0>, typename F::Site>&& detail::HasHop<F, NumberedHop<1>, typename F::Site>&&
    detail::HasHop<F, NumberedHop<1>, typename F::Arch::Neighbor>;

// A formula that also says what is done with the sum at a site: the store.
template <class F>
concept FinishedHopFormula = HopFormula<F> &&
    requires(const F& f, const LatticeView<typename F::Arch::Target, typename F::T>& lattice,
             const typename F::Site& site, typename F::Sum& sum) {
  f.finish(lattice, 0, site, 0, sum);
};

}  // namespace plaq
