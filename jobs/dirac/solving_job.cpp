#include "jobs/dirac/solving_job.hpp"

#include <algorithm>

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/field_files.hpp"
#include "jobs/dirac/multigrid_memory.hpp"
#include "jobs/dirac/setup_keys.hpp"
#include "solvers/schur_solve.hpp"

namespace plaq::jobs {

JobFiles files_of_solves(const JobFile& job, const EnsembleInput& input) {
  JobFiles files = files_of_ensemble(job, input);
  files.may_differ.push_back({"solver", "max_iterations"});
  files.may_differ.push_back({"solver", "tolerance"});
  if (job.get<SolverKeys>().multigrid) add_setups(files.paths, job, input.files);
  for (const auto& name : field_files(job, job.get<SolverKeys>().deflation, input.files, modes_ending))
    files.paths.reads(name, "eigenvectors ([solver] deflation)");
  return files;
}

void prepare_solves(const JobContext& context) {
  const JobFile& job = context.job;
  const ActionPtr action = action_parameters(job);
  expect_room_for_multigrid(context, action, solver_settings(job, context.location()),
                            columns_at_once(job, action->columns(), action->slices()));
  const auto doubt = doubt_of_tolerance(job);
  if (doubt) log::warning(*doubt);
  if (DryRun* dry = DryRun::current()) {
    if (doubt) dry->note("The " + *doubt + ".");
    if (job.get<SolverSettings>().fallback)
      dry->note("A fallback of the solver, where one is needed, takes memory of its own on top.");
  }
}

bool has_reached(const Results& part, const SolverSettings& spec) {
  if (find_dataset(part, "/solves/true_residual") == nullptr) return false;
  if (spec.slice_tolerance) {
    const Dataset* slices = find_dataset(part, "/solves/slice_residual");
    if (slices == nullptr) return false;
    const auto& values = std::get<std::vector<double>>(slices->values);
    if (!(*std::max_element(values.begin(), values.end()) <= *spec.slice_tolerance)) return false;
  }
  return std::all_of(part.datasets.begin(), part.datasets.end(), [&](const Dataset& residuals) {
    if (!residuals.path.ends_with("/true_residual")) return true;
    const auto& values = std::get<std::vector<double>>(residuals.values);
    return reached(*std::max_element(values.begin(), values.end()), spec.tolerance);
  });
}

}  // namespace plaq::jobs
