// The kernel between the Fourier transforms of
// gaugefix/fourier/inverse_laplacian.hpp: momenta get their weights.
#pragma once

#include <cstdint>

#include "core/launch/queue.hpp"
#include "gaugefix/fourier/algebra_rows.hpp"
#include "kernels/fourier/fourier_launch.hpp"

namespace plaq {

// Multiplies by scale / (sum over mu of squares[mu][p_mu]), p = 0 by 0. Elements are those of rows, or whole
// lines in direction `whole` (-1: none) by position and line, from line `first_line` on, `line_count` of
// them.
struct MomentumWeights {
  int extent[4];  // of rows
  int stride[4];
  int offset[4];  // coordinates of the first site in the whole lattice
  Divisor by_extent[4], by_stride[4], by_line_count;
  std::uint32_t directions = 0xf;                                  // that are transformed
  const float* squares[4] = {nullptr, nullptr, nullptr, nullptr};  // sin^2(p/2) of each momentum
  float scale = 1;
  int whole = -1, first_line = 0, line_count = 1;
  SplitLines lines;
};
template <class Target>
void launch_weights(const MomentumWeights& weights, ComplexPair* field, int count, const Queue& queue);

}  // namespace plaq
