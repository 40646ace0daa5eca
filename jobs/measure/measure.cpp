// Job type measure: observables of gauge fields that exist. Results:
//
//   /                    attributes: plaq_version, job_type, job, extents
//   /observables/...     [configuration] one dataset an observable (jobs/results/observable_columns.hpp)
//   /flow/...            [configuration][step] jobs/measure/measure.hpp
//   /wilson_loops/...    [configuration][n][t] jobs/measure/measure.hpp
//   /polyakov_correlators/...   [configuration][n] jobs/measure/measure.hpp
//   /gauge/000000, ...   one group a file in the order of measurement: file, checksum, plaquette, link_trace
#include "comms/communicator/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/measure/measure.hpp"
#include "jobs/measure/smeared_files.hpp"
#include "jobs/results/observable_columns.hpp"
#include "jobs/run/ensemble_job.hpp"
#include "jobs/schema/job_types.hpp"
#include "kernels/gauge/gradient_flow.hpp"
#include "settings/gauge/link_smearing.hpp"

namespace plaq::jobs {
namespace {

// The field as it is measured: smeared where the job says so, and then of another plaquette than the file.
Results results_of(const JobContext& context, LoadedGauge loaded) {
  const Phase phase("measuring");
  const auto keys = context.job.get<MeasureKeys>();
  const auto wanted = [&](const char* name) { return keys.wants(name); };
  Results results;
  results.numbered_group("/gauge", attributes_of(loaded));
  Field& gauge = loaded.field;
  const auto smearing = context.job.get<LinkSmearing>();
  smear_links(context, gauge, smearing);
  const GaugeObservables o =
      smearing.smears() ? measure_gauge(*context.grid, gauge, context.queue) : loaded.observables;
  write_smeared_field(context, gauge, loaded.report.info, o);
  add_observables(results, "/observables", o, wanted);
  if (wanted("clover")) {
    const CloverObservables clover = measure_clover(*context.grid, gauge, context.queue);
    const auto number = [&](const char* name, double value, const char* units, const char* meaning) {
      results.dataset(std::string("/observables/") + name, {}, std::vector<double>{value},
                      {{"axes", std::vector<std::string>{}},
                       {"units", std::string(units)},
                       {"meaning", std::string(meaning)}});
    };
    number("clover_energy", clover.energy, "a^-4",
           "E = -(1/2) sum tr F F, average over sites, F from clover leaves");
    number("topological_charge", clover.topological_charge, "1",
           "-(1/32 pi^2) sum eps_xyzt tr F F from clover leaves, eps_xyzt = 1");
  }
  if (wanted("wilson_loops"))
    add_wilson_loops(results, static_loops(context, gauge, context.job.get<StaticLoopSettings>()));
  if (wanted("polyakov_correlators")) add_polyakov_correlators(results, polyakov_correlators(context, gauge));
  if (wanted("flow")) {
    const auto run = context.job.get<FlowRun>();
    if (run.action != FlowAction::wilson) gauge = links_for_flow(context, gauge, run.action);
    add_flow(results, measure_flow(context, gauge, run));
  }
  return results;
}

double value_of(const Results& results, const std::string& name, std::size_t i = 0) {
  const auto at = std::find_if(results.datasets.begin(), results.datasets.end(),
                               [&](const Dataset& d) { return d.path == name; });
  require(at != results.datasets.end(), "an observable that was not measured was asked for");
  return std::get<std::vector<double>>(at->values).at(i);
}

// W of one step and one slice.
std::string loops_line(const Results& results) {
  std::string line;
  for (const Dataset& d : results.datasets)
    if (const std::string start = "/wilson_loops/r_"; d.path.starts_with(start))
      line += fmt::format("  W({}; 1) {:.12f}", d.path.substr(start.size()), value_of(results, d.path));
  return line;
}

// On rank 0.
void print_line(const JobFile& job, const std::string& file, const Results& results) {
  std::string line = file;
  const auto keys = job.get<MeasureKeys>();
  const auto wanted = [&](const char* name) { return keys.wants(name); };
  const auto value = [&](const char* name, std::size_t i = 0) {
    return value_of(results, std::string("/observables/") + name, i);
  };
  if (wanted("plaquette"))
    line += fmt::format("  plaquette {:.12f} (space {:.12f}, time {:.12f})", value("plaquette"),
                        value("plaquette_spatial"), value("plaquette_temporal"));
  if (wanted("link_trace")) line += fmt::format("  link trace {:.12f}", value("link_trace"));
  if (wanted("polyakov_loop"))
    line +=
        fmt::format("  Polyakov loop {:.12f} {:+.12f} i", value("polyakov_loop"), value("polyakov_loop", 1));
  if (wanted("unitarity")) line += fmt::format("  unitarity violation {:.1e}", value("unitarity_violation"));
  if (wanted("clover")) line += fmt::format("  topological charge {:.9f}", value("topological_charge"));
  if (wanted("wilson_loops")) line += loops_line(results);
  if (wanted("flow"))
    line +=
        fmt::format("  t0 {:.9f}  w0 {:.9f}", value_of(results, "/flow/t0"), value_of(results, "/flow/w0"));
  print_safely("{}\n", line);
  std::fflush(stdout);
}

class MeasureJob : public EnsembleJob {
 public:
  explicit MeasureJob(const JobFile& job)
      : EnsembleJob(job, [&](std::vector<std::string>& files) { leave_out_smeared_files(job, files); }) {
    expect_loops_fit(job, input().extents);
  }

 private:
  std::vector<std::string> made_files(const std::vector<std::string>& gauge_files) const override {
    return smeared_file_names(job(), gauge_files);
  }
  std::string use_of_made_file() const override { return "a smeared field ([output] directory)"; }
  Results compute(LoadedGauge& gauge, int /*part*/) override {
    return results_of(context(), std::move(gauge));
  }
  void report(const std::string& gauge_file, const Results& field) const override {
    print_line(job(), gauge_file, field);
  }
};

}  // namespace

extern constinit const JobType measure_job{
    .name = "measure",
    .schema = measure_schema,
    .run = run_as<MeasureJob>,
    .written_field = smeared_file,
    .written_files = [](const JobFile& job,
                        const std::string& gauge_file) { return smeared_file_names(job, {gauge_file}); },
    .written_directory = "output.directory"};

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

void add_polyakov_correlators(Results& results, const PolyakovCorrelators& correlators) {
  const auto column = [&](const char* name, std::vector<double> values, const char* units,
                          const char* meaning) {
    const std::size_t lengths = values.size();
    results.dataset(std::string("/polyakov_correlators/") + name, {lengths}, std::move(values),
                    {{"axes", std::vector<std::string>{"n"}},
                     {"units", std::string(units)},
                     {"meaning", std::string(meaning)}});
  };
  const auto whole = [](const std::vector<std::int64_t>& numbers) {
    return std::vector<double>(numbers.begin(), numbers.end());
  };
  column("r_squared", whole(correlators.r_squared), "a^2", "r^2 of the shortest way around the lattice");
  column("separations", whole(correlators.separations), "1", "vectors r of this length");
  column("average", correlators.average, "1", "tr L(x) tr L(x + r)^dagger / 9, average over x and r");
  column("singlet", correlators.singlet, "1", "tr [L(x) L(x + r)^dagger] / 3, average over x and r");
}

void expect_loops_fit(const Settings& job, const Extents& extents) {
  if (!job.get<MeasureKeys>().wants("wilson_loops")) return;
  if (const auto fault = validate_loops(job.get<StaticLoopSettings>(), extents))
    throw Error(ErrorKind::job_file,
                fmt::format("{}: '{}' in [wilson_loops]: {}", job.origin(), fault->setting, fault->why));
}

void add_wilson_loops(Results& results, const std::vector<StaticLoops>& loops) {
  for (const auto& [step, multiples, slices, values] : loops)
    results.dataset(
        fmt::format("/wilson_loops/r_{}_{}_{}", step[0], step[1], step[2]),
        {static_cast<std::size_t>(multiples), static_cast<std::size_t>(slices)}, values,
        {{"axes", std::vector<std::string>{"n", "t"}},
         {"units", std::string("1")},
         {"meaning",
          fmt::format("W(r, t) = Re tr / 3 of loops with r = n ({}, {}, {}), n and t from 1, average "
                      "over sites and {} directions",
                      step[0], step[1], step[2], loop_directions(step).size())},
         {"step", std::vector<std::int64_t>(step.begin(), step.end())}});
}

}  // namespace plaq::jobs
