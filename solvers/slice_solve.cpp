#include "solvers/schur_solve.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/system/dry_run.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/krylov/batch.hpp"

namespace plaq {
namespace {

constexpr int most_rounds = 60;
constexpr double least_progress = 0.5;  // of the worst slice, by a round

// Distance of all slices from the tolerance.
struct Distance {
  int missed = 0;    // slices of all right-hand sides
  double worst = 0;  // of their ratios; infinite where x has not come to some slice

  explicit Distance(const FullSolveReport& report) {
    for (const auto& slices : report.slice_residuals)
      for (const double ratio : slices) {
        missed += ratio > report.slice_tolerance ? 1 : 0;
        worst = std::max(worst, ratio);
      }
  }
  bool is_below(const Distance& other) const {
    return missed < other.missed || worst < least_progress * other.worst;
  }
};

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
  if (Distance(report).missed == 0) return report;
  const MemoryName name("residuals of time slices");
  blas::Workspace work(m.queue(), b.batch());
  Coefficients ones(static_cast<std::size_t>(b.batch()));
  for (auto& one : ones) set(one, 0, 1.0);
  auto residual = std::make_unique<TrueResidual>(m, x, b);
  for (int round = 0; round < most_rounds; ++round) {
    const Distance before(report);
    if (before.missed == 0) break;
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
    if (!Distance(report).is_below(before)) break;
  }
  return report;
}

}  // namespace plaq
