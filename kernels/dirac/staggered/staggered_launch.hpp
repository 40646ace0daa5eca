// Parameters of a launch of the staggered hopping terms
// (kernels/dirac/hop/hop_launch.hpp), and launches on fat links.
#pragma once

#include "kernels/dirac/hop/hop_launch.hpp"
#include "kernels/dirac/hop/hop_weights.hpp"

namespace plaq {

// `Reconstruction` of its HopLaunch: of the links, or where the operator is improved of the long ones.
struct StaggeredHopCall : HopCall {
  const Field* links = nullptr;       // fat ones, of 18 reals, where there are
  const Field* long_links = nullptr;  // these: then the operator is improved
  // The coefficient, negative for hops behind, for the dagger for those ahead.
  // The phases eta_mu are the kernel's.
  HopWeights<double> weights, long_weights;
};

// In double precision, 18 reals: the largest magnitude of any component on this rank (NaN where one is), and
// every link times `factor`.
template <class Target>
double launch_largest_component(const Field& links, const Queue& queue);
template <class Target>
void launch_scale_links(Field& links, double factor, const Queue& queue);

}  // namespace plaq
