#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/gauge/gauge_launch.hpp"
#include "kernels/site/gauge_start.hpp"

namespace plaq {
namespace {

Domain stored(const Field& gauge) { return index_domain(gauge.geometry().shape().half_volume, 4); }

}  // namespace

template <class Target, class T>
void launch_reunitarize(Field& gauge, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(stored(gauge), queue, Reunitarize<Target, T>{gauge_view<Target, T>(gauge), parity});
}

template <class Target, class T>
void launch_cold_start(Field& gauge, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(stored(gauge), queue, ColdStart<Target, T>{gauge_view<Target, T>(gauge), parity});
}

template <class Target, class T>
void launch_hot_start(Field& gauge, std::uint64_t seed, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(stored(gauge), queue,
             HotStart<Target, T>{gauge.geometry().shape(), gauge_view<Target, T>(gauge), seed, parity});
}

template void launch_reunitarize<BuildTarget, float>(Field&, const Queue&);
template void launch_reunitarize<BuildTarget, double>(Field&, const Queue&);
template void launch_cold_start<BuildTarget, float>(Field&, const Queue&);
template void launch_cold_start<BuildTarget, double>(Field&, const Queue&);
template void launch_hot_start<BuildTarget, float>(Field&, std::uint64_t, const Queue&);
template void launch_hot_start<BuildTarget, double>(Field&, std::uint64_t, const Queue&);

}  // namespace plaq
