// Job type solver_study: on each gauge field and at each mass the same random right-hand sides, by one solver
// after the other. Results:
//
//   /                     attributes: plaq_version, job_type, job, extents
//   /action, /study       attributes: what was solved, and by which solvers
//   /solves/...           [configuration][mass][solver][source] iterations, updates, outcome, true_residual;
//                         [configuration][mass][solver][batch] seconds, seconds_median, flops, bytes,
//                         inner_applications, outer_applications; [configuration][mass][solver] setup_seconds
//   /gauge/000000, ...    one group a configuration
#include <fmt/format.h>

#include <cstdio>

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "jobs/common/collective_check.hpp"
#include "jobs/dirac/action_keys.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/job_description.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/solver_study/mass_study.hpp"
#include "jobs/solver_study/study_tables.hpp"

namespace plaq::jobs {
namespace {

// On rank 0.
void write_results(const JobContext& context, const StudySpec& spec, const Results& results) {
  const JobFile& job = context.job;
  OutputFile out(job.get<OutputKeys>());
  describe_job(out, job, context.extents);
  out.group("/action", action_attributes(job));
  out.group("/study", spec.attributes());
  out.write(results);
  out.commit();
}

}  // namespace

int run_solver_study(const JobFile& job) {
  const std::string output = job.get<OutputKeys>().file;
  const EnsembleInput input = find_ensemble(job);
  const StudySpec spec(job);
  if (DryRun* dry = DryRun::current()) {
    const auto count = [](std::size_t n, const char* what, const char* plural) {
      return fmt::format("{} {}{}", n, what, n == 1 ? "" : plural);
    };
    const std::size_t files = input.files.size(), masses = spec.masses.size(), solvers = spec.solvers.size(),
                      solves = files * masses * solvers *
                               static_cast<std::size_t>(spec.batches() * spec.keys.repeats);
    dry->note(fmt::format("{}, {} and {}, one after the other: {} solves of {} at once.",
                          count(files, "gauge field", "s"), count(masses, "mass", "es"),
                          count(solvers, "solver", "s"), solves,
                          count(static_cast<std::size_t>(spec.batch), "right-hand side", "s")));
  }
  EarlierRun earlier;  // on rank 0
  if (is_complete_job(earlier, job, files_of_ensemble(job, input))) return 0;
  const JobContext context = start_job(job, input.extents, least_slices(job));
  MassStudy study(context, spec);
  EnsembleTask task;
  task.title = "solver study";
  task.axis = "mass";
  task.parts = static_cast<int>(spec.masses.size());
  task.begin = [&](LoadedGauge& gauge) { study.begin(gauge); };
  task.compute = [&](const LoadedGauge& gauge, int mass) { return study(gauge, mass); };
  task.report = [](const std::string&, const Results&) {};
  const Results results = run_ensemble(context, input, earlier.journal.get(), task);
  on_first_rank([&] {
    write_results(context, spec, results);
    earlier.journal->remove();
    if (runs_dry()) return;
    fmt::print("\n{}", study_tables(spec, results));
    std::fflush(stdout);
  });
  log::info(fmt::format("wrote {}", output));
  return 0;
}

}  // namespace plaq::jobs
