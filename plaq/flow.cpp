#include "plaq/flow.hpp"

#include "comms/grid/shared_lattice.hpp"
#include "kernels/gauge/smearing_stability.hpp"
#include "observables/gauge/flow.hpp"

namespace plaq {

Flow wilson_flow(const GaugeField& gauge, const FlowRun& settings,
                 const std::function<void(const GaugeField&, const FlowPoint&)>& at_point) {
  if (settings.step > largest_flow_step)
    throw Error(ErrorKind::usage, "wilson_flow(): step " + std::to_string(settings.step) +
                                      " amplifies the highest momenta; at most " +
                                      std::to_string(largest_flow_step));
  Field links = with_halo(gauge);
  WilsonFlow::AtPoint visit;
  if (at_point) visit = [&](const FlowPoint& point) { at_point(GaugeField(gauge.lattice(), links), point); };
  FlowMeasurement found = measure_flow(gauge.lattice().shared(), links, settings, visit);
  return {GaugeField(gauge.lattice(), links), std::move(found.points), found.t0, found.w0};
}

}  // namespace plaq
