#include "jobs/dirac/dirac_solver.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/profiler.hpp"
#include "core/timer.hpp"
#include "kernels/gauge/observables.hpp"
#include "solvers/defect_correction.hpp"
#include "solvers/fallback.hpp"
#include "solvers/krylov_solver.hpp"
#include "solvers/reliable_update.hpp"

namespace plaq::jobs {
namespace {

const LinkStorage exact(Precision::double_precision, 18);
// Of links that temporal gauge is fixed with: single precision files have less.
constexpr double largest_violation = 1e-6;

// The solver of one attempt, with its numbers, and with its inner operator, which may go when it does.
class AttemptSolver final : public Solver {
 public:
  AttemptSolver(const SolverSpec& spec, std::shared_ptr<DiracOperator> inner, std::unique_ptr<Solver> solver)
      : spec_(spec), inner_(std::move(inner)), solver_(std::move(solver)) {}
  std::string_view name() const override { return solver_->name(); }
  SolveReport solve(Field& x, const Field& b, const SolverParameters& parameters) override {
    SolverParameters mine = parameters;
    mine.delta = spec_.delta;
    mine.inner_tolerance = inner_tolerance_of(spec_);
    SolveReport report = solver_->solve(x, b, mine);
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

DiracSolver::DiracSolver(const ProcessGrid& grid, const Field& gauge, const WilsonParameters& parameters,
                         const SolverSpec& spec, const Queue& queue, std::shared_ptr<Transport> transport,
                         int batch, std::shared_ptr<CloverField> clover)
    : matrix_{&grid, parameters, spec.preconditioning, queue, std::move(transport), batch},
      spec_(spec),
      clover_(std::move(clover)) {
  require(!clover_ || (clover_->diagonal() == parameters.diagonal() &&
                       clover_->coefficients().spatial == parameters.clover.spatial &&
                       clover_->coefficients().temporal == parameters.clover.temporal),
          "a clover field of other parameters than its solver's");
  const auto plain = clover_ ? clover_ : make_clover_field(grid, gauge, parameters, queue, matrix_.transport);
  links_ = make_hopping(matrix_, gauge, exact);
  judge_ = std::make_unique<WilsonOperator>(
      links_, make_clover_blocks(grid, gauge, *links_, CloverNeed::operator_full, 0, plain.get()));
  outer_ = spec.outer == exact ? std::make_shared<DiracOperator>(matrix_, gauge, links_, plain.get())
                               : std::make_shared<DiracOperator>(matrix_, gauge, spec.outer, plain.get());
  inner_ = iterated_storage(spec) == spec.outer ? outer_ : inner_operator(spec, gauge, plain.get());
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

// `clover`: that of `gauge`, where it is at hand.
std::shared_ptr<DiracOperator> DiracSolver::inner_operator(const SolverSpec& attempt, const Field& gauge,
                                                           CloverField* clover) const {
  const Field& links = links_->links();
  DiracMatrix matrix = matrix_;
  matrix.short_faces = has_short_halo(attempt);
  if (has_temporal_gauge(attempt) &&
      unitarity_violation(*matrix_.grid, links, matrix_.queue) <= largest_violation)
    return make_in_temporal_gauge(matrix, links, attempt.inner);
  return std::make_shared<DiracOperator>(matrix, gauge, iterated_storage(attempt), clover);
}

// Those that are kept, or one made for the moment from the judge's links.
std::shared_ptr<DiracOperator> DiracSolver::operator_of(const SolverSpec& attempt) const {
  for (const auto& known : {outer_, inner_})
    if (known->storage() == iterated_storage(attempt)) return known;
  return inner_operator(attempt, links_->links(), clover_.get());
}

std::unique_ptr<Solver> DiracSolver::make_solver(const SolverSpec& attempt) {
  const auto inner = operator_of(attempt);
  auto method = make_method(attempt, inner->iterated(), matrix_.batch);
  LinearOperator& outer = outer_->iterated();
  const ProcessGrid& grid = *matrix_.grid;
  const int batch = matrix_.batch;
  std::unique_ptr<Solver> solver;
  switch (attempt.scheme) {
    case MixedScheme::none:
      solver = std::make_unique<KrylovSolver>(std::move(method), grid, batch);
      break;
    case MixedScheme::reliable_updates:
      solver = std::make_unique<ReliableUpdates>(outer, std::move(method), grid, batch);
      break;
    case MixedScheme::defect_correction:
      solver = std::make_unique<DefectCorrection>(
          outer, inner->iterated(), std::make_unique<KrylovSolver>(std::move(method), grid, batch), grid,
          batch);
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
  const ProcessGrid& grid = *matrix_.grid;
  return profiled(matrix_.queue, [&] {
    return outer_->schur() != nullptr
               ? solve_schur(*outer_->schur(), *solver_, *judge_, grid, x, b, parameters)
               : solve_full(outer_->iterated(), *solver_, *judge_, grid, x, b, parameters);
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
