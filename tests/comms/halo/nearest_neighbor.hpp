// A nearest-neighbour operator on one complex number a site, for tests of lattices of any extents:
//   out(x) = a in(x) + sum_d w_d in(x + d),  d = x+, x-, y+, ..., one after the other.
#pragma once

#include <array>

#include "comms/halo/halo.hpp"

namespace plaq::test {

struct HopWeight {
  double re, im;
};
inline constexpr double toy_mass = 0.7;
inline constexpr std::array<HopWeight, 8> toy_weights = {{{0.3, 0.1},
                                                          {-0.2, 0.4},
                                                          {0.15, -0.35},
                                                          {0.6, 0.05},
                                                          {-0.45, 0.2},
                                                          {0.25, 0.55},
                                                          {0.1, -0.7},
                                                          {-0.3, -0.1}}};

// One parity of `out`, after its neighbours' faces are in `halo`.
template <class Target, class T>
void launch_nearest_neighbor(const Halo& halo, const Field& out, const Field& in, int parity, Region region,
                             const Queue& queue);
// |x|^2 of one parity of each right-hand side, added to `sums`.
template <class Target, class T>
void launch_norm(const Field& x, int parity, SumBuffer& sums, const Queue& queue);

}  // namespace plaq::test
