// Gauge conditions: Schroeck, Vogt 2013, section 2.
#pragma once

#include <vector>

namespace plaq {

// Gauge functionals, which are maximised, and the links that they sum over.
//   landau               F = sum_{x, mu} Re tr U^g / (3 * 4 V)
//   coulomb              the same over mu in space, over 3 * 3 V; each time slice for itself
//   maximally_abelian    F = sum_{x, mu, i} |(U^g)_ii|^2 / (3 * 4 V)
enum class Gauge { landau, coulomb, maximally_abelian };
/// "Landau", "Coulomb", "maximally Abelian".
const char* name_of(Gauge gauge);

// Precision of links in sweeps, of the sums over a site's neighbours, and of g and its update: mixed is
// single, single, double. Functional and theta are computed in the precision of g.
enum class FixingPrecision { single, mixed, full };

// Functional and theta of a copy. theta = (1 / 3V) sum of tr Delta Delta^dagger (eqs. (6), (7)), or of
// sum_{i<j} |C_ij|^2 in maximally Abelian gauge (gaugefix/sweep/abelian_functional.hpp). In Coulomb gauge
// also of each time slice alone.
struct GaugeQuality {
  double functional = 0;
  double theta = 0;
  double worst_slice = 0;                             // largest theta of a time slice
  std::vector<double> slice_functional, slice_theta;  // [t] of the whole lattice
};

}  // namespace plaq
