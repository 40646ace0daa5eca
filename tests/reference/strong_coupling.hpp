// The average plaquette of the Wilson gauge action for SU(3) in four dimensions at small beta, up to
// O(beta^5).
#pragma once

namespace plaq::reference {

inline double strong_coupling_plaquette(double beta) {
  const double beta2 = beta * beta;
  return beta / 18.0 + beta2 / 216.0 - 5.0 * beta2 * beta2 / 93312.0;
}

}  // namespace plaq::reference
