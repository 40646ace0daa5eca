#include "solvers/mixed/low_mode_solver.hpp"

#include <cmath>

#include "core/system/timer.hpp"
#include "solvers/krylov/krylov_method.hpp"
#include "solvers/residuals.hpp"

namespace plaq {

LowModeSolver::LowModeSolver(LinearOperator& a, const ProcessGrid& grid, int batch, Deflation& modes)
    : a_(a), modes_(modes), batch_(grid, a.queue(), batch), r_(a.geometry(), a.spec(batch)) {}

SolveReport LowModeSolver::solve(Field& x, const Field& b, const SolverParameters& parameters) {
  parameters.validate(b.batch());
  const Timer timer;
  batch_.reset();
  SolveReport report;
  const std::vector<double> targets = first_residual(batch_, a_, x, b, r_, parameters, report);
  const ActiveSet active = batch_.active_set();
  std::vector<double> norms(targets.size());
  for_each_of(active, [&](std::size_t i) { norms[i] = report.results[i].residual_norm; });
  modes_.improve(batch_, x, b, r_, active, norms);
  for_each_of(active, [&](std::size_t i) {
    SolveResult& result = report.results[i];
    result.residual_norm = norms[i];
    if (!std::isfinite(norms[i])) result.reason = StopReason::not_a_number;
    if (norms[i] <= targets[i]) result.reason = StopReason::converged;
  });
  batch_.write_work(report);
  report.seconds = timer.seconds();
  const Precision precision = a_.spec(1).precision;
  report.attempts = {
      {std::string(name()), MixedScheme::none, precision, precision, 0, report.reason(), report.seconds}};
  return report;
}

}  // namespace plaq
