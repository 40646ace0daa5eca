#include "jobs/measure/flow.hpp"

#include <limits>
#include <optional>

namespace plaq::jobs {
namespace {

Attributes described(const char* units, const char* meaning, bool by_step = true) {
  Attributes a = {{"units", std::string(units)}, {"meaning", std::string(meaning)}};
  a.emplace_back("axes", by_step ? std::vector<std::string>{"step"} : std::vector<std::string>{});
  return a;
}

}  // namespace

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
