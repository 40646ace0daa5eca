// The plain parameters and the values of quark loops (observables/quark/quark_loops.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/quark/momentum.hpp"
#include "kernels/quark/noise_dilution.hpp"
#include "kernels/site/gamma_matrix.hpp"

namespace plaq {

/// Gamma of a loop, and the name that results give it.
struct LoopCurrent {
  std::string name;
  GammaMatrix gamma = unit_gamma();
};
/// scalar, pseudoscalar, vector_x, ..., tensor_zt: all 16.
const std::vector<LoopCurrent>& all_loop_currents();
/// Currents that quarks of so many spins have: all, or the scalar alone of staggered quarks.
std::vector<LoopCurrent> loop_currents_of(int spins);

struct LoopNoise {
  Noise type = Noise::z4;
  std::int64_t seed = 0;
  int vectors = 8;
};

struct QuarkLoopSettings {
  LoopNoise noise = {};
  NoiseDilution dilution = {};             // must fit the lattice
  std::vector<LoopCurrent> currents = {};  // none: all that the quarks have
  std::vector<Momentum> momenta = {{}};    // integers n
};

/// The loops of one noise vector.
struct QuarkLoop {
  Correlators values;  // [current][momentum][t]
  // Its parts, solved one by one, have these as in ColumnReport.
  std::vector<double> true_residuals;
  std::vector<std::int64_t> iterations;
  std::vector<double> slice_residuals;  // [t of the lattice], the largest of all parts
  std::int64_t attempts = 0;
};

}  // namespace plaq
