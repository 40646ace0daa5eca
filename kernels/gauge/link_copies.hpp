// Copies of links with the signs of boundary conditions in space, and with and without the halo that
// smearing, flow and clover leaves need.
#pragma once

#include <array>

#include "core/field/field.hpp"

namespace plaq {

struct SharedLattice;

/// Signs of a quark field around the lattice in x, y, z: 1 periodic, -1 antiperiodic.
using SpaceSigns = std::array<int, 3>;
inline constexpr SpaceSigns periodic_in_space{1, 1, 1};  ///< periodic in x, y and z

/// The links with U_i(x) times signs[i] on the last slice of direction i, from which hops cross the edge of
/// the lattice. Covariant hops over these links carry the boundary sign of the quarks. `links` have 18 reals,
/// in single or double precision, without halo, at any location. Returns the field itself where all signs
/// are 1, else a new one on the host.
Field with_boundary_signs(const Field& links, const SpaceSigns& signs);

/// The links with U_i(x) times exp(-2 pi i n_i / L_i), on all sites. On unit links a function of hops over
/// these is that of hops over unit links between the phases exp(2 pi i n x / L) and their conjugates.
/// `links` as with_boundary_signs() takes them. Returns the field itself where n is 0, else a new one on the
/// host.
Field with_momentum_phases(const Field& links, const std::array<double, 3>& n);

/// Links on the extended geometry of depth 1 with a filled halo; on the plain geometry if no direction is
/// split. Collective.
Field links_with_halo(const SharedLattice& lattice, const Field& links);
/// Links without halo, 18 reals in double precision, at the lattice's location.
Field links_without_halo(const SharedLattice& lattice, const Field& links);

}  // namespace plaq
