// Values of gluon and ghost propagators, and the gluon propagator in momentum space: Leinweber et al., Phys.
// Rev. D 60 (1999) 094507, in Coulomb gauge that of equal times.
#pragma once

#include <optional>
#include <vector>

#include "observables/gluon/gluon_momenta.hpp"

namespace plaq {

class Field;
struct SharedLattice;

/// One number a row of the momenta, all of one gauge field.
struct GluonPropagator {
  /// Landau gauge: D(p^2) = sum_mu,a |A_mu^a(p)|^2 / (8 * 3 V), at p = 0 / (8 * 4 V), in a^2. Coulomb gauge:
  /// the equal-time D(p) = sum_i,a |A_i^a(p, t)|^2 / (8 * 2 L^3), at p = 0 / (8 * 3 L^3), average over t, in
  /// a. Divided by g0^2 if the settings have beta.
  std::vector<double> propagator;
  /// Coulomb gauge alone: D_44(p) = sum_a |A_t^a(p, t)|^2 / (8 L^3), average over t, in a.
  std::vector<double> temporal;
  /// |p A(p)| / (|p| |A(p)|), the root of averages of squares: 0 where the field is transverse.
  std::vector<double> divergence;
};

/// The ghost propagator at one momentum.
struct GhostPoint {
  double propagator = 0;     ///< a^2
  double true_residual = 0;  ///< ||b - M x|| / ||b||, the largest of the eight
  int iterations = 0;        ///< the most of the eight
};

/// The links are in double precision, without halo, and fixed to the gauge of the settings that the momenta
/// were made of. Collective.
/// @param lattice  ranks and sites
/// @param links  the fixed gauge field
/// @param momenta  classes of momenta
/// @param beta  6/g0^2; none: no factor
GluonPropagator gluon_propagator(const SharedLattice& lattice, const Field& links,
                                 const GluonMomenta& momenta, const std::optional<double>& beta = {});

}  // namespace plaq
