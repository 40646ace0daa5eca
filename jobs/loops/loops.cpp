// Job type loops: on each gauge field, quark loops of time slices by noise vectors with dilution. Results:
//
//   /                     attributes: plaq_version, job_type, job, extents
//   /action, /noise       attributes: what was solved, and the noise
//   /noise/...            [configuration][noise][t][real, imaginary], jobs/loops/loop_measurement.hpp
//   /loops/...            [configuration][t][real, imaginary], their averages; condensate [configuration]
//   /solves/...           [configuration][noise][part] true_residual, iterations; [configuration][noise] attempts;
//                         attributes: what solved it
//   /gauge/000000, ...    one group a configuration
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "jobs/common/collective_check.hpp"
#include "jobs/common/print_whole.hpp"
#include "jobs/dirac/action_smearing.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/setup_keys.hpp"
#include "jobs/dirac/solving_job.hpp"
#include "jobs/loops/loop_measurement.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/job_description.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

Attributes noise_attributes(const JobFile& job, int parts) {
  const auto noise = job.get<LoopNoise>();
  const auto dilution = job.get<NoiseDilution>();
  constexpr const char* names[] = {"z2", "z4", "u1"};
  return {{"type", std::string(names[static_cast<std::size_t>(noise.type)])},
          {"seed", noise.seed},
          {"vectors", std::int64_t{noise.vectors}},
          {"parts", std::int64_t{parts}},
          {"part",
           std::string("color + 3 * (spin + spins * (parity + parities * (x + n_x * (y + n_y * (z + n_z * "
                       "t))))), of what is diluted, coordinates modulo that of [dilution]")},
          {"dilution_time", std::int64_t{dilution.time}},
          {"dilution_space", std::vector<std::int64_t>(dilution.space.begin(), dilution.space.end())},
          {"dilution_even_odd", std::int64_t{dilution.even_odd}},
          {"dilution_spin", std::int64_t{dilution.spin}},
          {"dilution_color", std::int64_t{dilution.color}}};
}

// On rank 0.
void write_loops(const JobContext& context, const OutputKeys& output, int parts, const Results& results) {
  OutputFile out(output);
  describe_job(out, context.job, context.extents);
  out.group("/action", smeared_action_attributes(context.job));
  out.group("/noise", noise_attributes(context.job, parts));
  out.write(results);
  for (const auto& [name, value] : solver_attributes(solver_settings(context.job, context.location())))
    out.attribute("/solves", name, value);
  out.commit();
}

// On rank 0.
void print_condensate(const std::string& file, const Results& results) {
  const Dataset* condensate = find_dataset(results, "/loops/condensate");
  if (condensate == nullptr) return;
  print_safely("{}  tr M^-1 / V {:.9f}\n", file, std::get<std::vector<double>>(condensate->values)[0]);
  std::fflush(stdout);
}

int run_loops(const JobFile& job) {
  const std::string output = job.get<OutputKeys>().file;
  const EnsembleInput input = find_ensemble(job);
  note_fields(input);
  EarlierRun earlier;  // on rank 0
  if (is_complete_job(earlier, job, files_of_solves(job, input))) return 0;
  on_first_rank([&] {
    if (job.get<SolverKeys>().multigrid) check_setup_outputs(job, input.files);
  });
  const JobContext context = start_job(job, input.extents, least_slices(job));
  prepare_solves(context);
  LoopMeasurement measurement(context, input);
  EnsembleTask task;
  task.title = "loops";
  task.axis = "noise";
  task.parts = measurement.vectors();
  task.begin = [&](LoadedGauge& gauge) { measurement.begin(gauge); };
  task.compute = [&](const LoadedGauge& gauge, int vector) { return measurement(gauge, vector); };
  task.complete = [&](Results& results) { measurement.complete(results); };
  task.report = print_condensate;
  task.counts = [&](const Results& vector) { return has_reached(vector, job.get<SolverSettings>()); };
  const Results results = run_ensemble(context, input, earlier, task);
  on_first_rank([&] {
    write_loops(context, output_keys(job, earlier), measurement.parts(), results);
    earlier.journal->remove();
  });
  log::info(fmt::format("wrote {}", output));
  return 0;
}

}  // namespace

extern constinit const JobType loops_job{
    .name = "loops",
    .schema = loops_schema,
    .run = run_loops,
    .written_files = [](const JobFile& job, const std::string& gauge_file) {
      return job.get<SolverKeys>().multigrid ? setup_names(job, {gauge_file}) : std::vector<std::string>();
    }};

}  // namespace plaq::jobs
