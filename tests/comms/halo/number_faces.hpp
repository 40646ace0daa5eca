// Packs faces of a field of numbers, for a test of the halo exchange by itself.
#pragma once

#include "comms/halo/halo.hpp"

namespace plaq::test {

// Sends real 0 and 1 (1x1 components) of the sites of `parity`, for each right-hand side. Shape: how the
// lattice is walked, LatticeShape or GeneralShape.
template <class Target, class T, class Shape>
void launch_pack_numbers(const Halo& halo, const Field& numbers, int parity, const Queue& queue);

}  // namespace plaq::test
