#include "plaq/gauge_observables.hpp"

#include "comms/start/shared_lattice.hpp"
#include "kernels/gauge/smearing_stability.hpp"
#include "observables/gauge/flow.hpp"
#include "observables/gauge/static_loops.hpp"
#include "settings/gauge/gauge_observable_tables.hpp"
#include "settings/schema/filled_settings.hpp"

namespace plaq {

Flow wilson_flow(const GaugeField& gauge, const FlowRun& settings,
                 const std::function<void(const GaugeField&, const FlowPoint&)>& at_point) {
  const double largest = largest_flow_step(settings.action);
  if (settings.step > largest)
    throw Error(ErrorKind::usage, "wilson_flow(): step " + std::to_string(settings.step) +
                                      " amplifies the highest momenta; at most " + std::to_string(largest));
  Field links = links_for_flow(gauge.lattice().shared(), gauge.field(), settings.action);
  GradientFlow::AtPoint visit;
  if (at_point) visit = [&](const FlowPoint& point) { at_point(GaugeField(gauge.lattice(), links), point); };
  FlowMeasurement found = measure_flow(gauge.lattice().shared(), links, settings, visit);
  return {GaugeField(gauge.lattice(), links), std::move(found.points), found.t0, found.w0};
}

namespace {

const settings::Schema& loops_schema() {
  static const settings::Schema schema{"wilson_loops", "Wilson loops.", {settings::wilson_loops_table()}, {}};
  return schema;
}

}  // namespace

std::vector<StaticLoops> wilson_loops(const GaugeField& gauge, const StaticLoopSettings& settings) {
  settings::expect_valid(loops_schema(), "wilson_loops()", settings);
  if (const auto fault = validate_loops(settings, gauge.lattice().extents()))
    throw Error(ErrorKind::usage, std::string("wilson_loops(): ") + fault->setting + ": " + fault->why);
  return static_loops(gauge.lattice().shared(), with_halo(gauge), settings);
}

PolyakovCorrelators polyakov_correlators(const GaugeField& gauge) {
  return polyakov_correlators(gauge.lattice().shared(), with_halo(gauge));
}

}  // namespace plaq
