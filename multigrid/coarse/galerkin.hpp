// The Galerkin product M_c = R M P, part by part (Clark et al. 2016, section 3.4; M_c is eq. (3) there): of
// each near-null vector and chirality, what a hop of M takes from the next aggregate gives a column of Y,
// what it takes from the same one, and what stays at a site, columns of the matrix of the site.
//
// Where chirality is kept, Gamma5 M_c Gamma5 = M_c^dagger: hops ahead are enough, and
//   Y_2mu+1(X + mu) = Gamma5 Y_2mu(X)^dagger Gamma5,   Y_8 = site + F + Gamma5 F^dagger Gamma5
// with F of hops ahead within aggregates.
#pragma once

#include "comms/transport/transport.hpp"
#include "core/operator/nearest_neighbor_operator.hpp"
#include "multigrid/transfer/transfer.hpp"

namespace plaq {

// Matrices as coarse_links_spec has them, made in the precision of M's vectors, which is single or double,
// and kept in `storage`. `transport` of M's grid. Collective.
Field galerkin_links(const ProcessGrid& grid, NearestNeighborOperator& m, const Transfer& transfer,
                     Precision storage, std::shared_ptr<Transport> transport);

}  // namespace plaq
