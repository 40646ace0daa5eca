#include "multigrid/cycle/coarse_gcr.hpp"

#include <algorithm>
#include <utility>

#include "core/system/dry_run.hpp"
#include "solvers/krylov/krylov_method.hpp"

namespace plaq {
namespace {

MethodSettings settings_of(const CoarseSolveSettings& s, LinearOperator* preconditioner) {
  MethodSettings settings;
  settings.restart_length = s.most_iterations;
  settings.preconditioner = preconditioner;
  return settings;
}

}  // namespace

CoarseGcr::CoarseGcr(const ProcessGrid& grid, std::unique_ptr<SchurOperator> reduced,
                     std::unique_ptr<LinearOperator> preconditioner, int batch,
                     const CoarseSolveSettings& settings)
    : settings_(settings),
      reduced_(std::move(reduced)),
      preconditioner_(std::move(preconditioner)),
      gcr_(make_method("gcr", *reduced_, batch, settings_of(settings, preconditioner_.get())), grid, batch),
      source_(reduced_->geometry(), reduced_->spec(batch)),
      solution_(reduced_->geometry(), reduced_->spec(batch)) {}

// Counts operators alone.
Work CoarseGcr::work(int batch) const {
  Work work = reduced_->work(batch);
  if (preconditioner_ != nullptr) work += preconditioner_->work(batch);
  return (iterations_ + 1) * work;  // once to reduce and to reconstruct
}

void CoarseGcr::solve(Field& e, const Field& b, const ActiveSet& active) {
  reduced_->reduce_source(source_, b);
  SolverParameters parameters;
  parameters.tolerance = settings_.tolerance;
  parameters.max_iterations =
      runs_dry() ? std::min(settings_.most_iterations, DryRun::current()->assumptions().coarse_iterations)
                 : settings_.most_iterations;
  parameters.within_iteration = true;
  parameters.trust_iterated = true;
  parameters.zero_guess = true;
  parameters.active.assign(static_cast<std::size_t>(b.batch()), 0);
  for (int k = 0; k < active.count(); ++k) parameters.active[static_cast<std::size_t>(active[k])] = 1;
  iterations_ = gcr_.solve(solution_, source_, parameters).iterations;
  reduced_->reconstruct(e, solution_, b);
}

}  // namespace plaq
