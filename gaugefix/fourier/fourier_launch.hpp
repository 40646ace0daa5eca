// Kernels around the Fourier transforms of gaugefix/fourier/inverse_laplacian.hpp: lines of sites that are split over
// ranks change their order, and momenta get their weights.
#pragma once

#include <cstdint>

#include "core/lattice/lattice_shape.hpp"
#include "core/launch/queue.hpp"
#include "gaugefix/fourier/algebra_rows.hpp"

namespace plaq {

// Lines of sites in a direction that is split over `parts` ranks: line l = outer * stride + inner of element
// (outer * extent + position) * stride + inner. Part k takes lines begin(k) .. begin(k+1) - 1 whole. Packed,
// a rank's elements are by part, position, line; so what a part receives is by position in the whole lattice,
// and line.
struct SplitLines {
  int extent = 1, stride = 1, lines = 1, parts = 1;
  Divisor by_extent, by_stride;

  SplitLines() = default;
  SplitLines(int extent_, int stride_, int total, int parts_)
      : extent(extent_),
        stride(stride_),
        lines(total / extent_),
        parts(parts_),
        by_extent(static_cast<std::uint32_t>(extent_)),
        by_stride(static_cast<std::uint32_t>(stride_)) {}
  PLAQ_HD int begin(int part) const {
    return static_cast<int>(static_cast<std::int64_t>(part) * lines / parts);
  }
  PLAQ_HD int part_of(int line) const {
    return static_cast<int>(((static_cast<std::int64_t>(line) + 1) * parts - 1) / lines);
  }
  // The element of position 0 of a line.
  PLAQ_HD int first_of(int line) const {
    const auto outer = static_cast<int>(by_stride.divide(static_cast<std::uint32_t>(line)));
    return line + outer * stride * (extent - 1);
  }
};

// packed = the elements of `rows` in their other order, or back.
template <class Target>
void launch_reorder(const SplitLines& lines, ComplexPair* rows, ComplexPair* packed, bool back, int total,
                    const Queue& queue);

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
