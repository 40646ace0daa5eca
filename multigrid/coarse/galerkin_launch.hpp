// The launches of the Galerkin product at coarse sites, for one machine; C: float or double.
#pragma once

#include "comms/halo/halo.hpp"

namespace plaq {

template <class Target, class C>
struct GalerkinLaunch {
  // Vector k of `vectors` becomes 1 in component first + k of all sites, and 0 elsewhere.
  static void unit_vectors(const Field& vectors, int first, const Queue& queue);
  // Vectors become columns of matrix `matrix` of `links` from `first` on, or are added to them.
  static void store_columns(const Field& links, const Field& vectors, int matrix, int first, bool add,
                            const Queue& queue);
  static void add_inner_hops(const Field& links, const Field& inner, const Queue& queue);
  // Hops ahead to the faces of `halo`, of sites of `parity`; hops behind of sites of `parity` from theirs.
  static void pack_hops_ahead(const Field& links, const Halo& halo, int parity, const Queue& queue);
  static void fill_hops_behind(const Field& links, const Halo& halo, int parity, const Queue& queue);
};

}  // namespace plaq
