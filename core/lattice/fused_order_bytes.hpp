// How long the list of a FusedOrder is, for plans: without looking at every site.
#pragma once

#include <cstddef>

#include "core/lattice/fused_order.hpp"

namespace plaq {

// Memory of FusedOrder(shape, parity, fused, location) at its location.
std::size_t fused_order_bytes(const LatticeShape& shape, int parity, const FusedShape& fused);

}  // namespace plaq
