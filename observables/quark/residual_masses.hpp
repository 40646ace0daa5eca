// The residual mass and the bare PCAC mass of domain-wall quarks, from the propagator of one source; the
// formulas are in kernels/quark/residual_mass.hpp. All correlators have point sinks and momentum 0.
#pragma once

#include "comms/start/shared_lattice.hpp"
#include "kernels/quark/mesons.hpp"
#include "observables/quark/residual_mass_settings.hpp"

namespace plaq {

class ResidualMasses {
 public:
  /// `mass`: m of the quarks.
  ResidualMasses(const SharedLattice& lattice, double mass, const ResidualMassSettings& settings);

  /// Takes all columns of a source at `position`: the source b, the quark field q = M^-1 b and, with a
  /// midpoint, the quark field in the middle of the fifth dimension. Collective.
  ResidualMassMeasurement operator()(const Field& source, const Field& quark, const Field& midpoint,
                                     const Extents& position);

  const ResidualMassSettings& settings() const { return settings_; }
  const Plateau& plateau() const { return plateau_; }

 private:
  SharedLattice lattice_;
  double mass_;
  ResidualMassSettings settings_;
  Plateau plateau_;
  MesonContraction mesons_;
};

}  // namespace plaq
