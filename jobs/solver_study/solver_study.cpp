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

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "jobs/common/collective_check.hpp"
#include "jobs/common/wrap.hpp"
#include "jobs/dirac/action_smearing.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/field_files.hpp"
#include "jobs/dirac/multigrid_memory.hpp"
#include "jobs/dirac/setup_keys.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/solver_study/mass_study.hpp"
#include "jobs/solver_study/study_tables.hpp"
#include "jobs/study/run_study.hpp"

namespace plaq::jobs {
namespace {

void note_solves(DryRun& dry, const StudySpec& spec, int files) {
  const auto masses = static_cast<int>(spec.masses.size()), solvers = static_cast<int>(spec.solvers.size());
  dry.note(fmt::format("{}, {} and {}, one after the other: {} solves of {} at once.",
                       counted(files, "gauge field"), counted(masses, "mass"), counted(solvers, "solver"),
                       files * masses * solvers * spec.batches() * spec.keys.repeats,
                       counted(spec.batch, "right-hand side")));
}

int run_solver_study(const JobFile& job) {
  const EnsembleInput input = find_ensemble(job);
  const StudySpec spec(job);
  if (DryRun* dry = DryRun::current()) note_solves(*dry, spec, static_cast<int>(input.files.size()));
  JobFiles files = files_of_ensemble(job, input);
  if (spec.has_multigrid()) add_setups(files.paths, job, input.files);
  for (const auto& name : field_files(job, spec.keys.deflation, input.files, modes_ending))
    files.paths.reads(name, "eigenvectors ([study] deflation)");
  EarlierRun earlier;  // on rank 0
  if (is_complete_job(earlier, job, files)) return 0;
  on_first_rank([&] {
    if (spec.has_multigrid()) check_setup_outputs(job, input.files);
  });
  const JobContext context = start_job(job, input.extents, least_slices(job));
  for (const SolverSettings& solver : spec.solvers)
    expect_room_for_multigrid(context, spec.masses.front(), solver, spec.batch);
  MassStudy study(context, spec, input.files);
  EnsembleTask task;
  task.title = "solver study";
  task.axis = "mass";
  task.parts = static_cast<int>(spec.masses.size());
  task.begin = [&](LoadedGauge& gauge) { study.begin(gauge); };
  task.compute = [&](const LoadedGauge& gauge, int mass) { return study(gauge, mass); };
  task.report = [](const std::string&, const Results&) {};
  StudyOutcome outcome{context.extents, run_ensemble(context, input, earlier, task)};
  on_first_rank([&] {
    if (!runs_dry()) outcome.text = '\n' + study_tables(spec, outcome.results);
    outcome.results.group("/action", smeared_action_attributes(job));
    outcome.results.group("/study", spec.attributes());
    outcome.may_replace = !earlier.rows.empty();
    finish_study(job, *earlier.journal, outcome);
  });
  return 0;
}

}  // namespace

extern constinit const JobType solver_study_job{
    .name = "solver_study", .schema = solver_study_schema, .run = run_solver_study};

}  // namespace plaq::jobs
