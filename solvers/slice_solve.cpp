#include "solvers/slice_solve.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/krylov/batch.hpp"

namespace plaq {
namespace {

constexpr int most_rounds = 30;
constexpr double least_progress = 0.5;  // of the worst slice, by a round

double worst_of(const FullSolveReport& report) {
  double worst = 0;
  for (const auto& slices : report.slice_residuals)
    for (const double ratio : slices) worst = std::isnan(ratio) ? ratio : std::max(worst, ratio);
  return worst;
}

// This rank's slices that miss the tolerance, [right-hand side][t].
std::vector<char> missed_slices(const FullSolveReport& report, const Geometry& geometry) {
  std::vector<char> missed;
  for (const auto& slices : report.slice_residuals)
    for (int t = 0; t < geometry.local()[3]; ++t)
      missed.push_back(slices[static_cast<std::size_t>(geometry.offset()[3] + t)] > report.slice_tolerance);
  return missed;
}

}  // namespace

FullSolveReport solve_slices(LinearOperator& m, const ProcessGrid& grid, Field& x, const Field& b,
                             double tolerance,
                             const std::function<FullSolveReport(Field& x, const Field& b)>& solve) {
  FullSolveReport report = solve(x, b);
  report.slice_tolerance = tolerance;
  if (runs_dry()) return report;
  const MemoryName name("residuals of time slices");
  blas::Workspace work(m.queue(), b.batch());
  Coefficients ones(static_cast<std::size_t>(b.batch()));
  for (auto& one : ones) set(one, 0, 1.0);
  auto residual = std::make_unique<TrueResidual>(m, x, b);
  for (int round = 0; round < most_rounds; ++round) {
    const double worst = worst_of(report);
    if (!(worst > tolerance) || !std::isfinite(worst)) break;
    Field left(b.geometry_ptr(), residual->field().spec()), correction(b.geometry_ptr(), left.spec());
    blas::copy_slices(left, residual->field(), missed_slices(report, b.geometry()), m.queue());
    residual.reset();  // its memory, during the solve
    FullSolveReport more = solve(correction, left);
    blas::update<blas::Axpy>(work, ones, {&correction, &x});
    m.queue().synchronize();
    add_before(more.solve, std::move(report.solve));
    report.solve = std::move(more.solve);
    report.tightened += more.tightened;
    ++report.corrections;
    residual = std::make_unique<TrueResidual>(m, x, b);
    report.relative_residuals = residual->relative(grid);
    report.slice_residuals = residual->of_slices(grid);
    if (!(worst_of(report) < least_progress * worst)) break;
  }
  return report;
}

}  // namespace plaq
