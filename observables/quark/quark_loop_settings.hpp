// The plain parameters and the values of quark loops (observables/quark/quark_loops.hpp).
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/quark/momentum.hpp"
#include "kernels/quark/noise_dilution.hpp"
#include "kernels/site/gamma_matrix.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq {

/// Gamma of a loop, and the name that results give it.
struct LoopCurrent {
  std::string name;                  ///< name in results
  GammaMatrix gamma = unit_gamma();  ///< Gamma
};
/// scalar, pseudoscalar, vector_x, ..., tensor_zt: all 16.
const std::vector<LoopCurrent>& all_loop_currents();
/// Currents that quarks of so many spins have: all, or the scalar alone of staggered quarks.
std::vector<LoopCurrent> loop_currents_of(int spins);

/// Noise of quark loops.
struct LoopNoise {
  Noise type = Noise::z4;  ///< kind of random numbers
  std::int64_t seed = 0;   ///< seed of the random numbers
  int vectors = 8;         ///< noise vectors, each an estimate of its own
};

/// Settings of quark loops.
struct QuarkLoopSettings {
  LoopNoise noise = {};                    ///< random numbers and their count
  NoiseDilution dilution = {};             ///< must fit the lattice
  std::vector<LoopCurrent> currents = {};  ///< none: all that the quarks have
  std::vector<Momentum> momenta = {{}};    ///< integers n
  bool squared = false;                    ///< tr M^-2 as well, by a second solve for each part
  /// Limit of the solves, of the truncated solver method (Bali, Collins, Schaefer, Comput. Phys. Commun. 181
  /// (2010) 1570); none: solves to the tolerance. Not with `squared`.
  std::optional<Approximation> approximation = {};
  /// Order n of the hopping expansion M^-1 = sum_{k<n} H^k / d + H^n M^-1, 0 to 4; of Wilson quarks. The
  /// terms k < n are exact: only k = 0 of the scalar at momentum 0 is not 0. Every extent is at least n.
  int hopping = 0;
  /// Loops of the difference of both flavours of a twisted-mass doublet, M(mu)^-1 - M(-mu)^-1 in the place of
  /// M^-1, by the one-end trick (Michael, McNeile, hep-lat/0603007; Boucaud et al., arXiv:0803.0224): the
  /// solves of one flavour are those of both. Not with `squared` and `hopping`.
  bool one_end = false;
};

/// The loops of one noise vector.
struct QuarkLoop {
  Correlators values;  ///< [current][momentum][t]
  /// [t] of sum_x tr[M^-2(x, x)]; nothing unless settings.squared. With M = m + ..., d/dm of tr M^-1 is
  /// -tr M^-2.
  std::vector<std::complex<double>> squared;
  /// ||b - M x|| / ||b|| of each part of the noise vector, which are solved one by one; of two solves, the
  /// larger.
  std::vector<double> true_residuals;
  std::vector<std::int64_t> iterations;  ///< iterations of each part
  std::vector<double> slice_residuals;   ///< [t of the lattice], the largest of all parts
  std::int64_t attempts = 0;             ///< the most solvers that any part took
};

}  // namespace plaq
