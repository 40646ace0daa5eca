// Parameters of a launch of the Wilson hopping term (kernels/dirac/hop/hop_launch.hpp).
#pragma once

#include "kernels/dirac/hop/hop_launch.hpp"
#include "kernels/dirac/hop/hop_weights.hpp"

namespace plaq {

struct WilsonHopCall : HopCall {
  const Field* links = nullptr;
  HopWeights<double> weights;
  double projector_sign = -1;  // of gamma_mu in hops ahead; for the dagger +1
  // Chiral blocks C that multiply D in, or `add`; on the sites of `parity`.
  const Field* clover = nullptr;
  bool clover_on_add = false;
};

}  // namespace plaq
