#include "plaq/flow.hpp"

#include "comms/grid/shared_lattice.hpp"
#include "observables/gauge/flow.hpp"

namespace plaq {

Flow wilson_flow(const GaugeField& gauge, const FlowRun& settings,
                 const std::function<void(const GaugeField&, const FlowPoint&)>& at_point) {
  Field links = with_halo(gauge);
  WilsonFlow::AtPoint visit;
  if (at_point) visit = [&](const FlowPoint& point) { at_point(GaugeField(gauge.lattice(), links), point); };
  FlowMeasurement found = measure_flow(gauge.lattice().shared(), links, settings, visit);
  return {GaugeField(gauge.lattice(), links), std::move(found.points), found.t0, found.w0};
}

}  // namespace plaq
