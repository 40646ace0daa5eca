#include "core/launch/launch.hpp"
#include "kernels/gauge/gauge_lattice.hpp"
#include "kernels/gauge/loop_update_launch.hpp"
#include "kernels/site/loop_update.hpp"

namespace plaq {

template <class Target, class T>
void launch_loop_heatbath(Field& gauge, const LoopHeatbathCall& call, int mu, int parity, const Domain& sites,
                          const Queue& queue) {
  const auto lattice = gauge_lattice<Target, T>(gauge);
  for_each(sites, queue,
           LoopHeatbath<Target, T>{lattice, call.weights, {1.0 / 3, call.seed, call.sweep, mu}, parity});
}

template <class Target, class T>
void launch_loop_overrelaxation(Field& gauge, const LoopWeights& weights, int mu, int parity,
                                const Domain& sites, const Queue& queue) {
  const auto lattice = gauge_lattice<Target, T>(gauge);
  for_each(sites, queue, LoopOverrelaxation<Target, T>{lattice, weights, mu, parity});
}

template void launch_loop_heatbath<BuildTarget, float>(Field&, const LoopHeatbathCall&, int, int,
                                                       const Domain&, const Queue&);
template void launch_loop_heatbath<BuildTarget, double>(Field&, const LoopHeatbathCall&, int, int,
                                                        const Domain&, const Queue&);
template void launch_loop_overrelaxation<BuildTarget, float>(Field&, const LoopWeights&, int, int,
                                                             const Domain&, const Queue&);
template void launch_loop_overrelaxation<BuildTarget, double>(Field&, const LoopWeights&, int, int,
                                                              const Domain&, const Queue&);

}  // namespace plaq
