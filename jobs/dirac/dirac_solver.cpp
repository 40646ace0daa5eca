#include "jobs/dirac/dirac_solver.hpp"

#include <fmt/format.h>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/profiler.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/tape.hpp"
#include "core/system/timer.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "solvers/krylov/make_method.hpp"
#include "solvers/mixed/defect_correction.hpp"
#include "solvers/mixed/fallback.hpp"
#include "solvers/mixed/reliable_update.hpp"

namespace plaq::jobs {
namespace {

// The solver of one attempt, by its name, and with its inner operator, which may go when it does.
class AttemptSolver final : public Solver {
 public:
  AttemptSolver(const SolverSpec& spec, std::shared_ptr<DiracOperator> inner, std::unique_ptr<Solver> solver)
      : spec_(spec), inner_(std::move(inner)), solver_(std::move(solver)) {}
  std::string_view name() const override { return solver_->name(); }
  SolveReport solve(Field& x, const Field& b, const SolverParameters& parameters) override {
    SolveReport report = solver_->solve(x, b, parameters);
    for (Attempt& attempt : report.attempts) attempt.method = name_of(spec_);
    return report;
  }

 private:
  SolverSpec spec_;
  std::shared_ptr<DiracOperator> inner_;
  std::unique_ptr<Solver> solver_;
};

// Tells the queue's profiler, where there is one, how much of a solve operators take.
template <class Solve>
FullSolveReport profiled(const Queue& queue, const Solve& solve) {
  Profiler* profiler = profiler_of(queue);
  if (profiler == nullptr) return solve();
  queue.synchronize();
  const double before = profiler->operator_seconds();
  const Timer timer;
  FullSolveReport report = solve();
  queue.synchronize();
  profiler->add_solve(timer.seconds(), profiler->operator_seconds() - before);
  return report;
}

}  // namespace

DiracSolver::DiracSolver(const ProcessGrid& grid, const Field& gauge, const ActionParameters& parameters,
                         const SolverSpec& spec, const Queue& queue, std::shared_ptr<Transport> transport,
                         int batch, std::shared_ptr<CloverField> clover)
    : grid_(&grid), parameters_(parameters), spec_(spec), queue_(queue), batch_(batch) {
  const Phase phase("making the operator");
  operators_ = std::make_unique<DiracOperators>(Background{&grid, gauge, queue, std::move(transport)},
                                                parameters, spec.preconditioning, batch, std::move(clover));
  {
    const MemoryName name("operator");
    outer_ = operators_->outer(spec.outer);
  }
  const MemoryName name("inner operator");
  inner_ = iterated_storage(spec) == spec.outer ? outer_ : operators_->inner(spec);
  operators_->settle();
  const auto attempts = attempts_of(spec);
  if (attempts.size() == 1) {
    solver_ = make_solver(spec);
    return;
  }
  std::vector<FallbackStep> steps;
  for (const SolverSpec& attempt : attempts)
    steps.push_back({name_of(attempt), [this, attempt] { return make_solver(attempt); }});
  solver_ = std::make_unique<Fallback>(outer_->iterated(), grid, batch, std::move(steps),
                                       AfterLimit::goes_on_if_lost);
}

// Those that are kept, or one made for the moment from the true-residual operator's links.
std::shared_ptr<DiracOperator> DiracSolver::operator_of(const SolverSpec& attempt) const {
  for (const auto& known : {outer_, inner_})
    if (known->storage() == iterated_storage(attempt)) return known;
  return operators_->inner(attempt);
}

std::unique_ptr<Solver> DiracSolver::make_solver(const SolverSpec& attempt) {
  const MemoryName name("solver");
  const auto inner = operator_of(attempt);
  const ProcessGrid& grid = *grid_;
  const int batch = batch_;
  const bool positive = parameters_->positive() && attempt.preconditioning != Preconditioning::none;
  auto method = attempt.method == SolverMethod::cg && positive
                    ? plaq::make_method("hermitian-cg", inner->iterated(), batch)
                    : make_method(attempt, inner->iterated(), batch);
  LinearOperator& outer = outer_->iterated();
  const MethodSettings settings = settings_of(attempt);
  std::unique_ptr<Solver> solver;
  switch (attempt.scheme) {
    case MixedScheme::none:
      solver = std::make_unique<KrylovSolver>(std::move(method), grid, batch);
      break;
    case MixedScheme::reliable_updates:
      solver = std::make_unique<ReliableUpdates>(outer, std::move(method), grid, batch, settings,
                                                 inner->conversion());
      break;
    case MixedScheme::defect_correction:
      solver = std::make_unique<DefectCorrection>(
          outer, inner->iterated(), std::make_unique<KrylovSolver>(std::move(method), grid, batch), grid,
          batch, settings, inner->conversion());
      break;
  }
  return std::make_unique<AttemptSolver>(attempt, inner, std::move(solver));
}

FullSolveReport DiracSolver::solve(Field& x, const Field& b, const SolveWatch& watch) {
  return solve(x, b, spec_.max_iterations, watch);
}

FullSolveReport DiracSolver::solve(Field& x, const Field& b, int max_iterations, const SolveWatch& watch) {
  SolverParameters parameters;
  parameters.tolerance = spec_.tolerance;
  parameters.max_iterations = max_iterations;
  parameters.watch = watch;
  const ProcessGrid& grid = *grid_;
  LinearOperator& residual_operator = operators_->residual_operator();
  const TapeLabel label(runs_dry() ? name_of(spec_) : "");
  return profiled(queue_, [&] {
    return outer_->schur() != nullptr
               ? solve_schur(*outer_->schur(), *solver_, residual_operator, grid, x, b, parameters)
               : solve_full(outer_->iterated(), *solver_, residual_operator, grid, x, b, parameters);
  });
}

std::string describe_attempts(const FullSolveReport& report) {
  std::string text;
  int number = 0;
  for (const Attempt& attempt : report.solve.attempts)
    text += fmt::format("{}{}: {}: {} after {} iterations", text.empty() ? "" : "; ", ++number,
                        attempt.method, name_of(attempt.reason), attempt.iterations);
  return text;
}

}  // namespace plaq::jobs
