// How launches of a hopping term that also exchange faces may be cut up, for plans of their memory.
#pragma once

#include <cstddef>
#include <vector>

#include "core/lattice/fused_order.hpp"
#include "core/launch/queue.hpp"
#include "kernels/dirac/hop/hop_candidates.hpp"

namespace plaq {

// What the tuner tries on a device (kernels/dirac/hop/fused_launch.hpp); the untuned default comes first.
std::vector<FusedShape> fused_shapes(const Geometry& geometry, Precision precision);

// What such a launch takes, in a dry run of a plaq that has no kernels for devices.
void count_fused_launch(const Geometry& geometry, Precision precision, const Queue& queue);

}  // namespace plaq
