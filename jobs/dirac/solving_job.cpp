#include "jobs/dirac/solving_job.hpp"

#include <algorithm>

#include "core/field/field.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/dirac/multigrid_memory.hpp"
#include "settings/action/action_table.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/solver_table.hpp"
#include "solvers/schur_solve.hpp"

namespace plaq::jobs {

std::vector<std::string> SolvingJob::setups_of(const JobFile& job,
                                               const std::vector<std::string>& gauge_files) {
  return job.get<SolverSettings>().multigrid ? setup_names(job, gauge_files) : std::vector<std::string>();
}

JobFiles SolvingJob::files() const {
  JobFiles files = EnsembleJob::files();
  files.may_differ.push_back({"solver", "max_iterations"});
  files.may_differ.push_back({"solver", "tolerance"});
  if (job().get<SolverSettings>().multigrid) add_setups(files.paths, job(), input().files);
  for (const auto& name :
       field_files(job(), job().get<DeflationFiles>().directory, input().files, modes_ending))
    files.paths.reads(name, "eigenvectors ([solver] deflation)");
  return files;
}

void SolvingJob::check_outputs(const std::vector<std::string>& gauge_files, bool ours) const {
  EnsembleJob::check_outputs(gauge_files, ours);
  if (job().get<SolverSettings>().multigrid) check_setup_outputs(job(), input().files);
}

int SolvingJob::least_slices() const { return jobs::least_slices(job()); }

void SolvingJob::prepare() {
  const ActionPtr action = action_parameters(job());
  const Location location = context().location();
  const auto of_a_quark = field_bytes(*context().geometry, action->quark_spec(action->columns(), location));
  // A solver's solution is a quark field itself, but for walls, whose source has four dimensions, too.
  const int beside = quark_fields() + (action->Ls() > 1 ? 1 : -1);
  together_ = columns_with_room(context(), action, solver_settings(job(), location),
                                static_cast<std::uint64_t>(beside) * of_a_quark);
  const auto warning = tolerance_warning(job());
  if (warning) log::warning(*warning);
  if (DryRun* dry = DryRun::current()) {
    if (warning) dry->note("The " + *warning + ".");
    if (job().get<SolverSettings>().fallback)
      dry->note("A fallback of the solver, where one is needed, takes memory of its own on top.");
  }
}

bool SolvingJob::counts(const Results& part) const {
  const auto settings = job().get<SolverSettings>();
  if (find_dataset(part, "/solves/true_residual") == nullptr) return false;
  if (settings.slice_tolerance) {
    const Dataset* slices = find_dataset(part, "/solves/slice_residual");
    if (slices == nullptr) return false;
    const auto& values = std::get<std::vector<double>>(slices->values);
    if (!(*std::max_element(values.begin(), values.end()) <= *settings.slice_tolerance)) return false;
  }
  return std::all_of(part.datasets.begin(), part.datasets.end(), [&](const Dataset& residuals) {
    if (!residuals.path.ends_with("/true_residual")) return true;
    const auto& values = std::get<std::vector<double>>(residuals.values);
    return reached(*std::max_element(values.begin(), values.end()), settings.tolerance);
  });
}

void SolvingJob::describe(OutputFile& out) const {
  out.group("/action", smeared_action_attributes(job()));
  out.group("/solves", solver_attributes(solver_settings(job(), context().location())));
}

std::vector<std::string> setup_names(const Settings& job, const std::vector<std::string>& gauge_files) {
  return field_files(job, job.get<SetupKeys>().directory, gauge_files, setup_ending);
}

void add_setups(PathRegistry& paths, const Settings& job, const std::vector<std::string>& gauge_files) {
  for (const auto& name : setup_names(job, gauge_files))
    paths.writes(name, "a setup of multigrid ([multigrid] directory)");
}

void check_setup_outputs(const Settings& job, const std::vector<std::string>& gauge_files) {
  for (const auto& name : setup_names(job, gauge_files)) check_output(name, true);
}

}  // namespace plaq::jobs
