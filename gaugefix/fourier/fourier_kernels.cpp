#include "core/launch/launch.hpp"
#include "gaugefix/fourier/fourier_launch.hpp"
#include "kernels/site/lane_wise.hpp"

namespace plaq {
namespace {

struct Reorder {
  using Arch = plaq::Arch<BuildTarget, float>;

  SplitLines lines;
  ComplexPair *rows, *packed;
  bool back;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    for_each_lane(site, [&](int, int element) {
      const int along = static_cast<int>(lines.by_stride.divide(static_cast<std::uint32_t>(element)));
      const int outer = static_cast<int>(lines.by_extent.divide(static_cast<std::uint32_t>(along)));
      const int position = along - outer * lines.extent;
      const int line = outer * lines.stride + element - along * lines.stride;
      const int part = lines.part_of(line), begin = lines.begin(part);
      const int at = begin * lines.extent + position * (lines.begin(part + 1) - begin) + line - begin;
      if (back) {
        rows[element] = packed[at];
      } else {
        packed[at] = rows[element];
      }
    });
  }
};

struct Weigh {
  using Arch = plaq::Arch<BuildTarget, float>;

  MomentumWeights weights;
  ComplexPair* field;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    for_each_lane(site, [&](int, int index) {
      int element = index, position = 0;
      if (weights.whole >= 0) {
        position = static_cast<int>(weights.by_line_count.divide(static_cast<std::uint32_t>(index)));
        element = weights.lines.first_of(weights.first_line + index - position * weights.line_count);
      }
      float sum = 0;
#pragma unroll
      for (int mu = 0; mu < 4; ++mu) {
        if (((weights.directions >> mu) & 1u) == 0) continue;
        const std::uint32_t steps = weights.by_stride[mu].divide(static_cast<std::uint32_t>(element));
        const std::uint32_t turns = weights.by_extent[mu].divide(steps);
        int n = static_cast<int>(steps) - static_cast<int>(turns) * weights.extent[mu] + weights.offset[mu];
        if (mu == weights.whole) n = position;
        sum += weights.squares[mu][n];
      }
      const float factor = sum > 0 ? weights.scale / sum : 0.0f;
      ComplexPair value = field[index];
      value.re *= factor;
      value.im *= factor;
      field[index] = value;
    });
  }
};

}  // namespace

template <>
void launch_reorder<BuildTarget>(const SplitLines& lines, ComplexPair* rows, ComplexPair* packed, bool back,
                                 int total, const Queue& queue) {
  for_each(index_domain(total), queue, Reorder{lines, rows, packed, back});
}

template <>
void launch_weights<BuildTarget>(const MomentumWeights& weights, ComplexPair* field, int count,
                                 const Queue& queue) {
  for_each(index_domain(count), queue, Weigh{weights, field});
}

}  // namespace plaq
