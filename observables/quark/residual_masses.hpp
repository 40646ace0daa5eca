// The residual mass and the bare PCAC mass of domain-wall quarks, from the propagator of one source; the formulas are in
// kernels/quark/residual_mass.hpp. All correlators have point sinks and momentum 0.
#pragma once

#include <vector>

#include "comms/grid/shared_lattice.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/residual_mass.hpp"

namespace plaq {

struct ResidualMassSettings {
  bool midpoint = false;  // also in time, by the pion in the middle of the fifth dimension
  Plateau plateau;        // over which masses in time are averaged
};

/// In lattice units; t counts from the source.
struct ResidualMassMeasurement {
  double summed = 0;         // by the axial Ward identity summed over the lattice
  std::vector<double> pcac;  // [t], (m + m_res) / Z_A away from the source
  double pcac_plateau = 0;
  // With a midpoint, else empty:
  CorrelatorInTime midpoint_pion;
  std::vector<double> midpoint;  // [t], C_mid(t) / C_pion(t)
  double midpoint_plateau = 0;
};

class ResidualMasses {
 public:
  /// `mass`: m of the quarks.
  ResidualMasses(const SharedLattice& lattice, double mass, const ResidualMassSettings& settings);

  /// Takes all columns of a source at `position`: the source b, the quark field q = M^-1 b and, with a midpoint, the quark field in
  /// the middle of the fifth dimension. Collective.
  ResidualMassMeasurement operator()(const Field& source, const Field& quark, const Field& midpoint,
                                     const Extents& position);

  const ResidualMassSettings& settings() const { return settings_; }

 private:
  SharedLattice lattice_;
  double mass_;
  ResidualMassSettings settings_;
  MesonContraction mesons_;
};

}  // namespace plaq
