// The Galerkin image of a twist i mu gamma5 that differs between the parities of the finest lattice. With
// Pi_e, the projector on its even sites, and transfers that keep chirality and have R P = 1,
//   R i gamma5 (mu_e Pi_e + mu_o Pi_o) P = i Gamma5 ((mu_e - mu_o) B + mu_o),   B = R Pi_e P
// where B is a Hermitian matrix of each coarse site and does not mix chiralities. On a lattice further down B
// is R B' P of the one above. One B serves all twists.
#pragma once

#include "multigrid/coarse/coarse_operator.hpp"
#include "multigrid/transfer/transfer.hpp"

namespace plaq {

// B of the lattice below the finest one, coarse_links_spec of coarse_site_alone.
// `even`: spec of vectors on even sites of the finest lattice, in single or double precision. Collective.
Field even_share(const Transfer& transfer, GeometryPtr finest, const FieldSpec& even, const Queue& queue);

// B of a lattice further down, `above` being B' of the one above as an operator. Collective.
Field even_share(const Transfer& transfer, CoarseOperator& above);

}  // namespace plaq
