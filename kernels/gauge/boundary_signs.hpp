// Links with the signs of boundary conditions in all directions.
#pragma once

#include <array>

#include "core/field/field.hpp"

namespace plaq {

/// The links with U_mu(x) times signs[mu] on the last slice of direction mu, from which hops cross the edge
/// of the lattice, as with_boundary_signs() of link_copies.hpp has them in space. 0 in
/// time: of Dirichlet boundaries.
Field with_boundary_signs(const Field& links, const std::array<int, 4>& signs);

}  // namespace plaq
