#include "solvers/mixed/fallback.hpp"

#include <algorithm>
#include <cmath>

#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq {
namespace {

constexpr double nearer = 0.1;

}  // namespace

Fallback::Fallback(LinearOperator& outer, const ProcessGrid& grid, int batch, std::vector<FallbackStep> steps,
                   AfterLimit after_limit)
    : steps_(std::move(steps)),
      after_limit_(after_limit),
      batch_(grid, outer.queue(), batch),
      best_(outer.geometry(), outer.spec(batch)) {
  require(!steps_.empty(), "a chain of solvers has one at least");
}

SolveReport Fallback::solve(Field& x, const Field& b, const SolverParameters& parameters) {
  parameters.validate(batch_.size());
  const Timer timer;
  batch_.reset();
  SolveReport total;
  const ActiveSet asked = parameters.active.empty() ? batch_.all() : ActiveSet(parameters.active);
  if (parameters.zero_guess) batch_.update<blas::Zero>(batch_.coefficients(asked), {&x});
  batch_.update<blas::Copy>(batch_.coefficients(asked), {&x, &best_});
  for (const FallbackStep& step : steps_) {
    SolverParameters mine = parameters;
    if (!goes_on(mine, total)) break;
    mine.zero_guess = parameters.zero_guess && total.attempts.empty();
    if (parameters.watch)
      mine.watch = [&, before = total.iterations](int iteration, const std::vector<double>& norms) {
        parameters.watch(before + iteration, norms);
      };
    const auto solver = step.make();
    const SolveReport now = solver->solve(x, b, mine);
    keep_best(x, now, total);
    for (Attempt attempt : now.attempts) {
      attempt.method = step.description;
      total.attempts.push_back(attempt);
    }
    if (total.converged()) break;
  }
  total.seconds = timer.seconds();
  return total;
}

bool Fallback::goes_on(SolverParameters& parameters, const SolveReport& total) const {
  if (after_limit_ == AfterLimit::goes_on || total.attempts.empty()) return true;
  bool any = false;
  parameters.active.resize(total.results.size(), 1);
  for (std::size_t i = 0; i < total.results.size(); ++i) {
    const SolveResult& result = total.results[i];
    const bool lost = !(result.residual_norm <= nearer * result.first_residual_norm);
    if (result.reason == StopReason::max_iterations && !lost) parameters.active[i] = 0;
    any = any || (parameters.active[i] && !result.converged());
  }
  return any;
}

void Fallback::keep_best(Field& x, const SolveReport& now, SolveReport& total) {
  const bool first = total.results.empty();
  if (first) total.results = now.results;
  std::vector<char> better(now.results.size(), 0), worse(now.results.size(), 0);
  for (std::size_t i = 0; i < now.results.size(); ++i) {
    const SolveResult& result = now.results[i];
    SolveResult& best = total.results[i];
    if (result.reason == StopReason::not_asked) continue;
    const double before = first ? result.first_residual_norm : best.residual_norm;
    // A right-hand side that is solved stays as it is: the next solver may see its residual a rounding
    // higher.
    const bool solved = !first && best.converged();
    better[i] = !solved && (result.converged() || result.residual_norm <= before || std::isnan(before));
    worse[i] = !better[i];
    if (!first) {
      best.iterations += result.iterations;
      best.updates += result.updates;
      best.restarts += result.restarts;
    }
    if (!solved) best.reason = result.reason;
    best.residual_norm = better[i] ? result.residual_norm : before;
  }
  const ActiveSet keep(better), restore(worse);
  if (keep.count() > 0) batch_.update<blas::Copy>(batch_.coefficients(keep), {&x, &best_});
  if (restore.count() > 0) batch_.update<blas::Copy>(batch_.coefficients(restore), {&best_, &x});
  total.iterations += now.iterations;
  total.flops += now.flops;
  total.bytes += now.bytes;
  total.waits += now.waits;
  total.inner.calls += now.inner.calls;
  total.inner.right_hand_sides += now.inner.right_hand_sides;
  total.outer.calls += now.outer.calls;
  total.outer.right_hand_sides += now.outer.right_hand_sides;
}

}  // namespace plaq
