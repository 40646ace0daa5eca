#include "settings/gauge/flow_table.hpp"

#include <fmt/format.h>

#include "kernels/gauge/smearing_stability.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

Table flow_table() {
  return {"flow",
          "The Wilson flow (Luescher 2010), integrated by a third-order Runge-Kutta scheme. It is measured "
          "if [measure] observables contains flow.",
          {field(&FlowRun::step, "step", "Step of the flow time, in units of a^2.")
               .between(0, largest_flow_step)
               .otherwise(0.02),
           field(&FlowRun::t_max, "t_max", "Largest flow time, in units of a^2.")
               .between(0, 100000)
               .otherwise(4.0),
           field(&FlowRun::measure_interval, "measure_every", "Number of steps between two measurements.")
               .within(1, 1e9)
               .otherwise(5)}};
}

void check_flow(Problems& problems, const FlowRun& flow) {
  if (flow.step > flow.t_max)
    problems.add("flow.step",
                 fmt::format("{} is above t_max = {}: nothing would flow", flow.step, flow.t_max));
}

Rule flow_rule() { return {{"flow.step", "flow.t_max"}, "step must not be larger than t_max.", check_flow}; }

}  // namespace plaq::settings
