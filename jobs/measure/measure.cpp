// Job type measure: observables of gauge fields that exist. Results:
//
//   /                    attributes: plaq_version, job_type, job, extents
//   /observables/...     [configuration] one dataset an observable (jobs/results/observable_columns.hpp)
//   /flow/...            [configuration][step] jobs/measure/flow.hpp
//   /wilson_loops/...    [configuration][n][t] jobs/measure/wilson_loops.hpp
//   /gauge/000000, ...   one group a file in the order of measurement: file, checksum, plaquette, link_trace
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/common/collective_check.hpp"
#include "jobs/common/print_whole.hpp"
#include "jobs/measure/flow.hpp"
#include "jobs/measure/measure_keys.hpp"
#include "jobs/measure/smeared_files.hpp"
#include "jobs/measure/wilson_loops.hpp"
#include "jobs/results/observable_columns.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/job_description.hpp"
#include "jobs/run/link_smearing.hpp"
#include "jobs/run/saved_fields.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "kernels/gauge/wilson_flow.hpp"

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
  const auto smearing = context.job.get<LinkSmearingKeys>();
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
  if (wanted("flow")) add_flow(results, measure_flow(context, gauge, context.job.get<FlowRun>()));
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

// On rank 0.
void write_results(const JobContext& context, const OutputKeys& output, const Results& results) {
  const JobFile& job = context.job;
  OutputFile out(output);
  describe_job(out, job, context.extents);
  out.write(results);
  out.commit();
}

JobFiles files_of_measurement(const JobFile& job, const EnsembleInput& input) {
  JobFiles files = files_of_ensemble(job, input);
  add_made_files(files, job, smeared_file_names(job, input.files), "a smeared field ([output] directory)");
  return files;
}

int run_measure(const JobFile& job) {
  const std::string output = job.get<OutputKeys>().file;
  const EnsembleInput input =
      find_ensemble(job, [&](std::vector<std::string>& files) { leave_out_smeared_files(job, files); });
  expect_loops_fit(job, input.extents);
  note_fields(input);
  EarlierRun earlier;  // on rank 0
  if (is_complete_job(earlier, job, files_of_measurement(job, input))) return 0;
  on_first_rank([&] {
    for (const auto& name : smeared_file_names(job, files_to_come(input, earlier)))
      check_output(name, earlier.resumes || job.get<OutputKeys>().overwrite);
    // Before the first smeared field is there: the run after a kill knows it by the journal as its own.
    if (job.get<SmearedFileKeys>().fields) begin_job(*earlier.journal, job);
  });
  const JobContext context = start_job(job, input.extents);
  EnsembleTask task;
  task.title = "measure";
  task.compute = [&](LoadedGauge& gauge, int) { return results_of(context, std::move(gauge)); };
  task.report = [&](const std::string& file, const Results& found) { print_line(job, file, found); };
  task.holds = [&](const std::string& file, int) { return are_there(smeared_file_names(job, {file})); };
  const Results results = run_ensemble(context, input, earlier, task);
  on_first_rank([&] {
    write_results(context, output_keys(job, earlier), results);
    earlier.journal->remove();
  });
  log::info(fmt::format("wrote {}", output));
  return 0;
}

}  // namespace

extern constinit const JobType measure_job{
    .name = "measure",
    .schema = measure_schema,
    .run = run_measure,
    .written_field = smeared_file,
    .written_files = [](const JobFile& job,
                        const std::string& gauge_file) { return smeared_file_names(job, {gauge_file}); },
    .written_directory = "output.directory"};

}  // namespace plaq::jobs
