// The Galerkin product M_c = R M P, part by part (Clark et al. 2016, section 3.4; M_c is eq. (3) there): of
// each near-null vector and chirality, what a hop of M takes from the next aggregate gives a column of Y,
// what it takes from the same one, and what stays at a site, columns of the matrix of the site.
//
// M may have hops to other sites, too, each of which leads to this aggregate or to the next one in each of
// its directions, two of them at most.
//
// If chirality is kept, Gamma5 M_c Gamma5 = M_c^dagger: hops ahead are enough, and
//   Y_2mu+1(X + mu) = Gamma5 Y_2mu(X)^dagger Gamma5,   Y_8 = site + F + Gamma5 F^dagger Gamma5
// with F of hops ahead within aggregates.
#pragma once

#include "comms/halo/halo.hpp"
#include "comms/transport/transport.hpp"
#include "core/operator/linear_operator.hpp"
#include "multigrid/coarse/coarse_links.hpp"
#include "multigrid/transfer/transfer.hpp"

namespace plaq {

// Matrices as coarse_links_spec has them, made in the precision of M's vectors, which is single or double,
// and kept in `storage`; those of diagonal neighbours if M has hops in more than one direction, or of two
// steps. `transport` of M's grid. Collective. Throws Error(job_file) where a hop is longer than a block.
CoarseLinks galerkin_links(const ProcessGrid& grid, StencilOperator& m, const Transfer& transfer,
                           Precision storage, std::shared_ptr<Transport> transport);

// Work on this rank where a chirality has `count` near-null vectors.
Work galerkin_work(const StencilOperator& m, const Transfer& transfer, int count);

// The launches at coarse sites for one machine; C: float or double.
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
