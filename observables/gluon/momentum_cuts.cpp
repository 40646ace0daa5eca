#include "observables/gluon/momentum_cuts.hpp"

#include <algorithm>
#include <cstdint>

namespace plaq {
namespace {

constexpr double cut_rounding = 1e-9;  // of lengths and angles that are compared with a cut

}  // namespace

int MomentumCuts::last_in_time(int max_n, const Extents& extents, int half) const {
  const int longest = std::max({extents[0], extents[1], extents[2]});
  const auto as_far = static_cast<std::int64_t>(std::min(max_n, longest / 2)) * extents[3] / longest;
  return std::min(max_n_t.value_or(static_cast<int>(as_far)), extents[3] / 2 - half);
}

bool MomentumCuts::in_cylinder(const DiagonalDistance& distance) const {
  return distance.length <= cylinder + cut_rounding;
}

bool MomentumCuts::in_cone(const DiagonalDistance& distance) const {
  return distance.degrees <= cone + cut_rounding;
}

}  // namespace plaq
