// Correlators of Polyakov lines L(x) = prod_t U_t(x, t), by their distance: free energies of a static
// quark and an antiquark at finite temperature, exp(-F(r)/T) = C(r) (McLerran, Svetitsky, Phys. Rev. D 24
// (1981) 450; Nadkarni, Phys. Rev. D 34 (1986) 3904). With the average over x, and over all r of a length:
//   average   C(r) = <tr L(x) tr L(x + r)^dagger> / 9
//   singlet   C_1(r) = <tr [L(x) L(x + r)^dagger]> / 3, on links in Coulomb gauge
// The octet is C_8 = (9 C - C_1) / 8.
#pragma once

#include <cstdint>
#include <vector>

#include "core/lattice/geometry.hpp"

namespace plaq {

class Field;
struct SharedLattice;

/// Numbers by length, the shortest r first, which is 0. Components of r are those of the shortest way around
/// the lattice.
struct PolyakovCorrelators {
  std::vector<std::int64_t> r_squared;  ///< r^2 in a^2
  std::vector<std::int64_t>
      separations;              ///< vectors r of this length; r and -r are two, unless they are the same
  std::vector<double> average;  ///< Re C(r)
  std::vector<double> singlet;  ///< Re C_1(r)
};

/// Measures the correlators on the links as they are. The bits do not depend on the process grid. Collective.
PolyakovCorrelators polyakov_correlators(const SharedLattice& lattice, const Field& gauge);

}  // namespace plaq
