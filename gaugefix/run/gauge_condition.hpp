// Gauge conditions, and how well a gauge field meets them: Schroeck, Vogt 2013, section 2.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plaq {

class Field;
struct SharedLattice;

/// Gauge conditions by their functionals, which are maximised, and the links that they sum over.
///   landau               F = sum_{x, mu} Re tr U^g / (3 * 4 V)
///   coulomb              the same over mu in space, over 3 * 3 V; each time slice for itself
///   maximally_abelian    F = sum_{x, mu, i} |(U^g)_ii|^2 / (3 * 4 V)
enum class Gauge { landau, coulomb, maximally_abelian };
/// "Landau", "Coulomb", "maximally Abelian".
const char* name_of(Gauge gauge);

/// Precision of links in sweeps, of the sums over a site's neighbours, and of g and its update: mixed is
/// single, single, double. Functional and theta are computed in the precision of g.
enum class FixingPrecision { single, mixed, full };

/// Functional and theta of a copy. theta = (1 / 3V) sum of tr Delta Delta^dagger (eqs. (6), (7)), or of
/// sum_{i<j} |C_ij|^2 in maximally Abelian gauge (gaugefix/sweep/abelian_functional.hpp). In Coulomb gauge
/// also of each time slice alone.
struct GaugeQuality {
  double functional = 0;                              ///< F
  double theta = 0;                                   ///< average over the lattice
  double worst_slice = 0;                             ///< largest theta of a time slice
  std::vector<double> slice_functional, slice_theta;  ///< [t] of the whole lattice
};

/// Functional and theta of links as they are, in double precision and without halo. Collective.
GaugeQuality quality_of(const SharedLattice& lattice, const Field& links, Gauge gauge);

/// Why links with this `theta` do not count as fixed, or nothing. `where`: the place of max_theta, such as "
/// in [gluon]".
/// @param gauge  the gauge condition
/// @param theta  measured theta
/// @param max_theta  the largest theta of a fixed field
/// @param where  place of max_theta in messages
std::optional<std::string> validate_theta(Gauge gauge, double theta, double max_theta,
                                          const std::string& where = {});

}  // namespace plaq
