// How launches of a hopping term that also exchange faces may be cut up, for plans of their memory.
#pragma once

#include <vector>

#include "core/lattice/fused_order.hpp"
#include "kernels/dirac/hop/hop_candidates.hpp"

namespace plaq {

// What the tuner tries on a device (kernels/dirac/hop/fused_launch.hpp); the untuned default comes first.
std::vector<FusedShape> fused_shapes(const Geometry& geometry, Precision precision);

}  // namespace plaq
