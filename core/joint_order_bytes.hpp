// How long the list of a JointOrder is, for plans: without looking at every site.
#pragma once

#include <cstddef>

#include "core/joint_order.hpp"

namespace plaq {

// Memory of JointOrder(shape, parity, joint, location) at its location.
std::size_t joint_order_bytes(const LatticeShape& shape, int parity, const JointShape& joint);

}  // namespace plaq
