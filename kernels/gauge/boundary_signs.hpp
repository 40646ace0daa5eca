// Boundary conditions of quarks in space, as signs on links.
#pragma once

#include <array>

#include "core/field/field.hpp"

namespace plaq {

/// Signs of a quark field around the lattice in x, y, z: 1 periodic, -1 antiperiodic.
using SpaceSigns = std::array<int, 3>;
inline constexpr SpaceSigns periodic_in_space{1, 1, 1};

/// The links with U_i(x) times signs[i] on the last slice of direction i, from which hops cross the edge of
/// the lattice. Covariant hops over these links carry the boundary sign of the quarks. `links` have 18 reals,
/// in single or double precision, without halo, at any location. Returns the field itself where all signs
/// are 1, else a new one on the host.
Field with_boundary_signs(const Field& links, const SpaceSigns& signs);

}  // namespace plaq
