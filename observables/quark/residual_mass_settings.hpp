// The plain parameters and the values of residual masses (observables/quark/residual_masses.hpp).
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "kernels/quark/plateau.hpp"

namespace plaq {

/// Settings of residual masses.
struct ResidualMassSettings {
  bool midpoint = false;  ///< also in time, by the pion in the middle of the fifth dimension
  /// Time slices over which masses are averaged; none: the middle half of all slices.
  std::optional<Plateau> plateau = {};
};

/// Residual masses and bare PCAC masses in lattice units; t counts from the source.
struct ResidualMassMeasurement {
  double summed = 0;         ///< by the axial Ward identity summed over the lattice
  std::vector<double> pcac;  ///< [t], (m + m_res) / Z_A away from the source
  double pcac_plateau = 0;   ///< average of pcac over the plateau
  /// C_mid(t), with a midpoint, else empty.
  std::vector<std::complex<double>> midpoint_pion;
  std::vector<double> midpoint;  ///< [t], C_mid(t) / C_pion(t)
  double midpoint_plateau = 0;   ///< average of midpoint over the plateau
};

}  // namespace plaq
