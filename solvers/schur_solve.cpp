#include "solvers/schur_solve.hpp"

#include <algorithm>
#include <cmath>

#include "core/system/dry_run.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/column_scale.hpp"
#include "solvers/residuals.hpp"

namespace plaq {
namespace {

FullSolveReport measured(LinearOperator& residual_operator, const ProcessGrid& grid, const Field& x,
                         const Field& b, double tolerance, SolveReport solve) {
  const Phase phase("checking the residual");
  FullSolveReport report;
  report.solve = std::move(solve);
  report.tolerance = tolerance;
  const TrueResidual residual(residual_operator, x, b);
  report.relative_residuals = residual.relative(grid);
  report.slice_residuals = residual.of_slices(grid);
  return report;
}

constexpr int most_tightened = 3;
constexpr double target_safety = 0.9;  // of a target that is lowered

// Leaves active whose solver converged though the full system is not solved, with a target as much lower.
// False: nobody.
bool tighten(SolverParameters& parameters, const FullSolveReport& report) {
  const auto& results = report.solve.results;
  std::vector<char> missed(results.size(), 0);
  std::vector<int> left(results.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const double ratio = report.relative_residuals[i] / report.tolerance;
    missed[i] = results[i].converged() && std::isfinite(ratio) && !reached(ratio, 1);
    if (!missed[i]) continue;
    any = true;
    parameters.targets[i] *= target_safety / ratio;
    left[i] = std::max(0, parameters.max_iterations - results[i].iterations);
  }
  parameters.active = std::move(missed);
  parameters.iteration_limits = std::move(left);
  return any;
}

FullSolveReport solve_schur_in_range(SchurOperator& schur, Solver& solver, LinearOperator& residual_operator,
                                     const ProcessGrid& grid, Field& x, const Field& b,
                                     const std::vector<double>& norms, SolverParameters parameters) {
  const int batch = b.batch();
  FieldSpec full = schur.spec(batch);
  full.subset = Subset::full;
  Field b_copy, x_copy;
  const Field& source = in_precision(b, full, b_copy);
  Field& solution = in_precision(x, full, x_copy);
  const MemoryName name("even-odd system");
  Field reduced(schur.geometry(), schur.spec(batch)), half(schur.geometry(), schur.spec(batch));
  schur.reduce_source(reduced, source);
  schur.reduce_guess(half, solution);
  parameters.targets.clear();
  for (const double norm : norms)
    parameters.targets.push_back(parameters.tolerance * norm / schur.residual_scale());
  FullSolveReport report;
  for (int tightened = 0;; ++tightened) {
    SolverParameters mine = parameters;
    if (parameters.watch)
      mine.watch = [&](int iteration, const std::vector<double>& norms) {
        parameters.watch(report.solve.iterations + iteration, norms);
      };
    SolveReport solve = solver.solve(half, reduced, mine);
    if (tightened > 0) add_before(solve, std::move(report.solve));
    schur.reconstruct(solution, half, source);
    schur.queue().synchronize();
    if (&solution != &x) copy(x, solution);
    report = measured(residual_operator, grid, x, b, parameters.tolerance, std::move(solve));
    report.tightened = tightened;
    if (schur.residual_scale_is_exact() || tightened == most_tightened || !tighten(parameters, report))
      return report;
  }
}

FullSolveReport solve_full_in_range(LinearOperator& m, Solver& solver, LinearOperator& residual_operator,
                                    const ProcessGrid& grid, Field& x, const Field& b,
                                    const std::vector<double>& norms, SolverParameters parameters) {
  const FieldSpec full = m.spec(b.batch());
  Field b_copy, x_copy;
  const Field& source = in_precision(b, full, b_copy);
  Field& solution = in_precision(x, full, x_copy);
  parameters.targets.clear();
  for (const double norm : norms) parameters.targets.push_back(parameters.tolerance * norm);
  SolveReport report = solver.solve(solution, source, parameters);
  m.queue().synchronize();
  if (&solution != &x) copy(x, solution);
  return measured(residual_operator, grid, x, b, parameters.tolerance, std::move(report));
}

}  // namespace

bool reached(double residual, double tolerance) { return residual <= tolerance * (1 + 1e-6); }

bool FullSolveReport::converged(std::size_t i) const {
  const auto& slices = slice_residuals[i];
  return reached(relative_residuals[i], tolerance) &&
         std::all_of(slices.begin(), slices.end(), [&](double ratio) { return !(ratio > slice_tolerance); });
}

bool FullSolveReport::converged() const {
  for (std::size_t i = 0; i < relative_residuals.size(); ++i)
    if (!converged(i)) return false;
  return true;
}

void add_before(SolveReport& report, SolveReport before) {
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    SolveResult& now = report.results[i];
    const SolveResult& old = before.results[i];
    if (now.reason == StopReason::not_asked) {
      now = old;
      continue;
    }
    now.iterations += old.iterations;
    now.updates += old.updates;
    now.restarts += old.restarts;
    now.first_residual_norm = old.first_residual_norm;
  }
  report.iterations += before.iterations;
  report.seconds += before.seconds;
  report.flops += before.flops;
  report.bytes += before.bytes;
  report.waits += before.waits;
  const auto add = [](Applications& to, const Applications& from) {
    to.calls += from.calls;
    to.right_hand_sides += from.right_hand_sides;
  };
  add(report.inner, before.inner);
  add(report.outer, before.outer);
  report.attempts.insert(report.attempts.begin(), before.attempts.begin(), before.attempts.end());
}

FullSolveReport solve_schur(SchurOperator& schur, Solver& solver, LinearOperator& residual_operator,
                            const ProcessGrid& grid, Field& x, const Field& b, SolverParameters parameters) {
  const Phase phase("solving");
  return solve_scaled(grid, residual_operator.queue(), schur.spec(1).precision, x, b,
                      [&](Field& y, const Field& c, const std::vector<double>& norms) {
                        return solve_schur_in_range(schur, solver, residual_operator, grid, y, c, norms,
                                                    std::move(parameters));
                      });
}

FullSolveReport solve_full(LinearOperator& m, Solver& solver, LinearOperator& residual_operator,
                           const ProcessGrid& grid, Field& x, const Field& b, SolverParameters parameters) {
  const Phase phase("solving");
  return solve_scaled(grid, residual_operator.queue(), m.spec(1).precision, x, b,
                      [&](Field& y, const Field& c, const std::vector<double>& norms) {
                        return solve_full_in_range(m, solver, residual_operator, grid, y, c, norms,
                                                   std::move(parameters));
                      });
}

}  // namespace plaq
