#pragma once

namespace plaq {

// Coefficients of the clover term, for planes in space and planes with time. Anisotropic: c_R/xi and c_T.
struct CloverCoefficients {
  double spatial = 0, temporal = 0;
  static CloverCoefficients isotropic(double c_sw) { return {c_sw, c_sw}; }
};

}  // namespace plaq
