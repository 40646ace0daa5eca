#include "observables/gauge/flow.hpp"

#include "core/system/dry_run.hpp"
#include "kernels/gauge/wilson_flow.hpp"

namespace plaq {
namespace {

constexpr double scale_target = 0.3;  // of t^2 E and of t d/dt (t^2 E)

}  // namespace

FlowMeasurement measure_flow(const SharedLattice& lattice, Field& gauge, const FlowRun& run,
                             const WilsonFlow::AtPoint& at_point) {
  const Phase phase("flowing");
  WilsonFlow flow(*lattice.grid, gauge, lattice.transport);
  FlowMeasurement found;
  found.points = flow.run(gauge, run, lattice.queue, at_point);
  std::vector<double> t, energy;
  for (const FlowPoint& point : found.points) {
    t.push_back(point.t);
    energy.push_back(point.clover_energy);
  }
  found.t0 = find_t0(t, energy, scale_target);
  found.w0 = find_w0(t, energy, scale_target);
  return found;
}

}  // namespace plaq
