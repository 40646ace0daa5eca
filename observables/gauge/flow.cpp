#include "observables/gauge/flow.hpp"

#include "core/system/dry_run.hpp"
#include "kernels/gauge/gradient_flow.hpp"

namespace plaq {
namespace {

constexpr double scale_target = 0.3;  // of t^2 E and of t d/dt (t^2 E)

}  // namespace

Field links_for_flow(const SharedLattice& lattice, const Field& links, FlowAction action) {
  const auto extended = lattice.geometry->extended(flow_halo_depth(action));
  Field deep(extended, links.spec());
  copy(deep, links);
  ExtendedHalo(*lattice.grid, extended, links.spec(), lattice.transport).exchange(deep, lattice.queue);
  return deep;
}

FlowMeasurement measure_flow(const SharedLattice& lattice, Field& gauge, const FlowRun& run,
                             const GradientFlow::AtPoint& at_point) {
  const Phase phase("flowing");
  GradientFlow flow(*lattice.grid, gauge, lattice.transport, run.action);
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
