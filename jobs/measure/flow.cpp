#include "jobs/measure/flow.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "jobs/schema/field.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/gauge/smearing_stability.hpp"

namespace plaq::jobs {
namespace {

Attributes described(const char* units, const char* meaning, bool by_step = true) {
  Attributes a = {{"units", std::string(units)}, {"meaning", std::string(meaning)}};
  a.emplace_back("axes", by_step ? std::vector<std::string>{"step"} : std::vector<std::string>{});
  return a;
}

}  // namespace

Table flow_table() {
  return {"flow",
          "The Wilson flow (Luescher 2010), third-order Runge-Kutta; measured when observables name it.",
          {field(&FlowRun::step, "step", "Step of the flow time, in units of a^2.")
               .between(0, largest_flow_step)
               .otherwise(0.02),
           field(&FlowRun::t_max, "t_max", "Flow time to go to, in units of a^2.")
               .between(0, 100000)
               .otherwise(4.0),
           field(&FlowRun::measure_interval, "measure_every", "Steps from one measured point to the next.")
               .within(1, 1e9)
               .otherwise(5)}};
}

void check_flow(Problems& problems, const FlowRun& flow) {
  if (flow.step > flow.t_max)
    problems.add("flow.step",
                 fmt::format("{} is above t_max = {}: nothing would flow", flow.step, flow.t_max));
}

Rule flow_rule() {
  return {{"flow.step", "flow.t_max"}, "A flow has at least one step to t_max.", check_flow};
}

void add_flow(Results& results, const FlowMeasurement& flow) {
  const std::size_t steps = flow.points.size();
  const auto column = [&](double FlowPoint::*member) {
    std::vector<double> values;
    for (const auto& point : flow.points) values.push_back(point.*member);
    return values;
  };
  const auto number = [](const std::optional<double>& x) {
    return std::vector<double>{x.value_or(std::numeric_limits<double>::quiet_NaN())};
  };
  results.dataset("/flow/t", {steps}, column(&FlowPoint::t), described("a^2", "flow time"));
  results.dataset("/flow/clover_energy", {steps}, column(&FlowPoint::clover_energy),
                  described("a^-4", "E = -(1/2) sum tr F F, average over sites, F from clover leaves"));
  results.dataset("/flow/plaquette_energy", {steps}, column(&FlowPoint::plaquette_energy),
                  described("a^-4", "E = 2 sum_{mu<nu} Re tr(1 - P), average over sites"));
  results.dataset("/flow/topological_charge", {steps}, column(&FlowPoint::topological_charge),
                  described("1", "-(1/32 pi^2) sum eps_xyzt tr F F from clover leaves, eps_xyzt = 1"));
  results.dataset("/flow/t0", {}, number(flow.t0),
                  described("a^2", "t^2 E = 0.3 with the clover energy", false));
  results.dataset("/flow/w0", {}, number(flow.w0),
                  described("a", "t d/dt (t^2 E) = 0.3 at t = w0^2, with the clover energy", false));
}

}  // namespace plaq::jobs
