#include "core/launch/launch.hpp"
#include "gaugefix/fourier/momentum_weights.hpp"
#include "kernels/site/lane_wise.hpp"

namespace plaq {
namespace {

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
void launch_weights<BuildTarget>(const MomentumWeights& weights, ComplexPair* field, int count,
                                 const Queue& queue) {
  for_each(index_domain(count), queue, Weigh{weights, field});
}

}  // namespace plaq
