#include "quarks/solve/system_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/performance_region.hpp"
#include "core/system/profiler.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "core/system/trace_counts.hpp"
#include "kernels/blas/operations.hpp"
#include "quarks/solve/low_modes.hpp"
#include "quarks/solve/solve_stop.hpp"
#include "solvers/krylov/krylov_method.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "solvers/mixed/defect_correction.hpp"
#include "solvers/mixed/fallback.hpp"
#include "solvers/mixed/low_mode_solver.hpp"
#include "solvers/mixed/reliable_update.hpp"
#include "solvers/schur_solve.hpp"

namespace plaq {
namespace {

// The solver of one attempt, by its name, and with its inner operator, which may go when it does.
class AttemptSolver final : public Solver {
 public:
  AttemptSolver(const SolverSettings& settings, std::shared_ptr<StoredOperator> inner,
                std::unique_ptr<Solver> solver)
      : settings_(settings), inner_(std::move(inner)), solver_(std::move(solver)) {}
  std::string_view name() const override { return solver_->name(); }
  SolveReport solve(Field& x, const Field& b, const SolverParameters& parameters) override {
    SolveReport report = solver_->solve(x, b, parameters);
    for (Attempt& attempt : report.attempts) attempt.method = name_of(settings_);
    return report;
  }

 private:
  SolverSettings settings_;
  std::shared_ptr<StoredOperator> inner_;
  std::unique_ptr<Solver> solver_;
};

constexpr std::string_view approximate_label = "approximate";

constexpr double least_reduction = 0.9;  // of a multigrid preconditioner: above it is worth nothing

// "16x16x16x32, 24 vectors to 4x4x4x8", on every rank, also where a rank has no part of a lattice.
std::string lattices_of(const DiracMultigrid& multigrid) {
  Extents lattice = multigrid.geometry()->global();
  std::string text;
  for (const LevelSettings& level : multigrid.settings().levels) {
    text += fmt::format("{}, {} vectors to ", to_string(lattice), level.vectors);
    for (std::size_t mu = 0; mu < 4; ++mu) lattice[mu] /= level.block[mu];
  }
  return text + to_string(lattice);
}

// "4 smoothing steps, coarse tolerance 0.25", of the finest lattice.
std::string cycle_of(const SetupReport& report) {
  const CycleParameters finest = finest_cycle(report);
  std::string text = fmt::format("; {} smoothing steps, coarse tolerance {:g}", finest.smoothing_steps,
                                 finest.coarse_tolerance);
  if (report.choice.size() > 1) text += fmt::format(", of {} probed", report.choice.size());
  return text;
}

// "multigrid: 16x16x16x32, 24 vectors to 4x4x4x8; ..."
std::string describe(const DiracMultigrid& multigrid) {
  const SetupReport& report = multigrid.report();
  return fmt::format(
      "multigrid: {}; {} rounds for {:g} solves, {:.2f} s{}; an iteration leaves {:.3f} of a residual",
      lattices_of(multigrid), report.rounds, multigrid.settings().solves, report.seconds, cycle_of(report),
      report.kept.reduction);
}

// For plans.
std::string what_is_assumed(const DiracMultigrid& multigrid) {
  const int iterations = std::min(DryRun::current()->assumptions().coarse_iterations,
                                  multigrid.settings().levels.front().coarse.most_iterations);
  return fmt::format(
      "Multigrid: {}. Its setup is assumed to make {} rounds, and a coarse solve {} iteration{} where it is "
      "not by a dense inverse.",
      lattices_of(multigrid), multigrid.report().rounds, iterations, iterations == 1 ? "" : "s");
}

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

SystemSolver::SystemSolver(const FermionLinks& links, const ActionPtr& action, const SolverSettings& settings,
                           int batch, std::shared_ptr<CloverField> clover, const SetupPaths& setup,
                           MadeMultigrid made)
    : grid_(links.grid), action_(action), settings_(settings), queue_(links.queue), batch_(batch) {
  const Phase phase("making the operator");
  operators_ =
      std::make_unique<DiracOperators>(links, action, settings.preconditioning, batch, std::move(clover));
  action_ = operators_->action();
  {
    const MemoryName name("operator");
    outer_ = operators_->outer(settings.outer);
  }
  const MemoryName name("inner operator");
  inner_ = iterated_storage(settings) == settings.outer ? outer_ : operators_->inner(settings);
  if (settings.multigrid) make_multigrid(setup, std::move(made));
  if (settings.modes) {
    const Phase reading("reading eigenvectors");
    deflation_ = read_deflation(setup.modes, *settings.modes, links, *action_, settings.preconditioning,
                                outer_->iterated(), batch);
  }
  operators_->release_clover();
  auto attempts = attempts_of(settings, *action);
  if (settings.multigrid && !multigrid_) attempts.erase(attempts.begin());
  first_attempt_ = attempts.front();
  has_fallback_ = attempts.size() > 1;
  if (!has_fallback_) {
    solver_ = make_solver(attempts.front());
    return;
  }
  std::vector<FallbackStep> steps;
  for (const SolverSettings& attempt : attempts)
    steps.push_back({name_of(attempt), [this, attempt] { return make_solver(attempt); }});
  solver_ = std::make_unique<Fallback>(outer_->iterated(), *grid_, batch, std::move(steps),
                                       AfterLimit::goes_on_if_lost);
}

// It stays null where the attempts that follow are better off without it.
void SystemSolver::make_multigrid(const SetupPaths& setup, MadeMultigrid made) {
  const MemoryName name("multigrid");
  const Phase phase("setting multigrid up");
  const bool can_do_without = attempts_of(settings_, *action_).size() > 1;
  std::optional<SetupStop> stop;
  if (!runs_dry()) stop.emplace();
  try {
    setup_mass_ = made.multigrid ? made.mass : action_->mass();
    if (made.multigrid) {
      made.links.expect_same(operators_->matrix().made_of(), "the multigrid setup");
      made.multigrid->shift_mass(operators_->matrix(), action_, settings_, action_->mass() - setup_mass_);
      multigrid_ = std::move(made.multigrid);
    } else {
      multigrid_ = std::make_unique<DiracMultigrid>(operators_->matrix(), action_, settings_, setup);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::not_converged || !can_do_without) throw;
    log::warning(fmt::format("multigrid cannot be set up, {}: {} instead", error.what(),
                             name_of(attempts_of(settings_, *action_)[1])));
    return;
  }
  log::info(describe(*multigrid_));
  if (runs_dry()) DryRun::current()->note(what_is_assumed(*multigrid_));
  const double reduction = multigrid_->report().kept.reduction;
  if (reduction < least_reduction || !can_do_without) return;
  log::warning(fmt::format("an iteration with multigrid leaves {:.3g} of a residual: {} instead", reduction,
                           name_of(attempts_of(settings_, *action_)[1])));
  multigrid_.reset();
}

MadeMultigrid SystemSolver::take_multigrid() {
  solver_.reset();
  if (multigrid_) multigrid_->release_matrix();
  return {std::move(multigrid_), setup_mass_, operators_->matrix().made_of()};
}

// Kept operator, or one made for the moment from the true-residual operator's links.
std::shared_ptr<StoredOperator> SystemSolver::operator_of(const SolverSettings& attempt) const {
  for (const auto& known : {outer_, inner_})
    if (known->storage() == iterated_storage(attempt)) return known;
  return operators_->inner(attempt);
}

std::unique_ptr<Solver> SystemSolver::make_solver(const SolverSettings& attempt) {
  const MemoryName name("solver");
  const auto inner = operator_of(attempt);
  const ProcessGrid& grid = *grid_;
  const int batch = batch_;
  MethodSettings settings = settings_of(attempt);
  if (attempt.multigrid) settings.preconditioner = multigrid_.get();
  const MethodSettings inside = settings;  // of a solver within another
  settings.deflation = deflation_.get();
  const bool positive = action_->positive() && attempt.preconditioning != Preconditioning::none;
  auto method = method_of(attempt) == SolverMethod::cg && positive
                    ? plaq::make_method("hermitian-cg", inner->iterated(), batch)
                    : make_method(attempt, inner->iterated(), batch, settings);
  LinearOperator& outer = outer_->iterated();
  std::unique_ptr<Solver> solver;
  switch (attempt.scheme) {
    case MixedScheme::none:
      solver = std::make_unique<KrylovSolver>(std::move(method), grid, batch, settings);
      break;
    case MixedScheme::reliable_updates:
      solver = std::make_unique<ReliableUpdates>(outer, std::move(method), grid, batch, settings,
                                                 inner->conversion());
      break;
    case MixedScheme::defect_correction:
      solver = std::make_unique<DefectCorrection>(
          outer, inner->iterated(), std::make_unique<KrylovSolver>(std::move(method), grid, batch, inside),
          grid, batch, settings, inner->conversion());
      break;
  }
  return std::make_unique<AttemptSolver>(attempt, inner, std::move(solver));
}

FullSolveReport SystemSolver::solve(Field& x, const Field& b, const SolveWatch& watch) {
  return solve(x, b, settings_.max_iterations, watch);
}

FullSolveReport SystemSolver::solve(Field& x, const Field& b, int max_iterations, const SolveWatch& watch) {
  SolverParameters parameters;
  parameters.tolerance = settings_.tolerance;
  parameters.max_iterations = max_iterations;
  parameters.watch = watch;
  const RegionLabel label(runs_dry() ? name_of(settings_) : "");
  const auto once = [&](Field& y, const Field& c) { return solve_by(*solver_, y, c, parameters); };
  return profiled(queue_, [&] {
    if (!settings_.slice_tolerance) return once(x, b);
    return solve_slices(operators_->residual_operator(), *grid_, x, b, *settings_.slice_tolerance, once);
  });
}

FullSolveReport SystemSolver::solve_by(Solver& solver, Field& x, const Field& b,
                                       const SolverParameters& parameters) {
  LinearOperator& residual_operator = operators_->residual_operator();
  return outer_->schur() != nullptr
             ? solve_schur(*outer_->schur(), solver, residual_operator, *grid_, x, b, parameters)
             : solve_full(outer_->iterated(), solver, residual_operator, *grid_, x, b, parameters);
}

FullSolveReport SystemSolver::approximate(Field& x, const Field& b, const Approximation& how,
                                          const SolveWatch& watch) {
  require(!how.fault(settings_), "an approximate solve without a limit");
  SolverParameters parameters;
  parameters.tolerance = how.tolerance.value_or(no_tolerance);
  parameters.max_iterations = how.iterations.value_or(settings_.max_iterations);
  parameters.watch = watch;
  const RegionLabel label(runs_dry() ? name_of(settings_) : ""), as(runs_dry() ? approximate_label : "");
  if (TraceCounts* counts = TraceCounts::current(); counts != nullptr && how.iterations)
    counts->know_iterations(approximate_label, *how.iterations);
  blas::Workspace work(queue_, batch_);
  blas::update<blas::Zero>(work, std::vector<blas::Coefficients>(static_cast<std::size_t>(batch_)), {&x});
  queue_.synchronize();
  return profiled(queue_, [&] {
    std::unique_ptr<Solver> made;
    if (how.modes) {
      const MemoryName name("solver");
      made = std::make_unique<LowModeSolver>(outer_->iterated(), *grid_, batch_, *deflation_);
    } else if (how.iterations && has_fallback_) {
      made = make_solver(first_attempt_);
    }
    return solve_by(made ? *made : *solver_, x, b, parameters);
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

}  // namespace plaq
