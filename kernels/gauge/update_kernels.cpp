#include "core/launch/launch.hpp"
#include "kernels/gauge/gauge_lattice.hpp"
#include "kernels/gauge/gauge_launch.hpp"
#include "kernels/site/heatbath.hpp"
#include "kernels/site/overrelaxation.hpp"

namespace plaq {

template <class Target, class T>
void launch_heatbath(Field& gauge, const HeatbathCall& call, int mu, int parity, const Queue& queue) {
  const auto lattice = gauge_lattice<Target, T>(gauge);
  for_each(make_domain(gauge.geometry(), Region::all, parity, location_of<Target>), queue,
           Heatbath<Target, T>{lattice, {call.beta / 3, call.seed, call.sweep, mu}, parity});
}

template <class Target, class T>
void launch_overrelaxation(Field& gauge, int mu, int parity, const Queue& queue) {
  const auto lattice = gauge_lattice<Target, T>(gauge);
  for_each(make_domain(gauge.geometry(), Region::all, parity, location_of<Target>), queue,
           Overrelaxation<Target, T>{lattice, mu, parity});
}

template void launch_heatbath<BuildTarget, float>(Field&, const HeatbathCall&, int, int, const Queue&);
template void launch_heatbath<BuildTarget, double>(Field&, const HeatbathCall&, int, int, const Queue&);
template void launch_overrelaxation<BuildTarget, float>(Field&, int, int, const Queue&);
template void launch_overrelaxation<BuildTarget, double>(Field&, int, int, const Queue&);

}  // namespace plaq
