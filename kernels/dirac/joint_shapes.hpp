// How launches of a hopping term that also exchange faces may be cut up, for plans of their memory.
#pragma once

#include <vector>

#include "core/joint_order.hpp"
#include "kernels/dirac/hop_candidates.hpp"

namespace plaq {

// What the tuner tries on a device (wilson_joint_launch_impl.hpp); the untuned default comes first.
std::vector<JointShape> joint_shapes(const Geometry& geometry, Precision precision);

}  // namespace plaq
