// The plain parameters and the values of residual masses (observables/quark/residual_masses.hpp).
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "kernels/quark/plateau.hpp"

namespace plaq {

struct ResidualMassSettings {
  bool midpoint = false;  // also in time, by the pion in the middle of the fifth dimension
  std::optional<Plateau> plateau =
      {};  // over which masses in time are averaged; none: the middle half of all slices
};

/// In lattice units; t counts from the source.
struct ResidualMassMeasurement {
  double summed = 0;         // by the axial Ward identity summed over the lattice
  std::vector<double> pcac;  // [t], (m + m_res) / Z_A away from the source
  double pcac_plateau = 0;
  // With a midpoint, else empty:
  std::vector<std::complex<double>> midpoint_pion;
  std::vector<double> midpoint;  // [t], C_mid(t) / C_pion(t)
  double midpoint_plateau = 0;
};

}  // namespace plaq
