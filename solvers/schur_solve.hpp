// Solves M x = b through the Schur complement of M on one parity, and measures the result by the full system.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "core/operator/schur_operator.hpp"
#include "solvers/residuals.hpp"
#include "solvers/solver.hpp"

namespace plaq {

// True if a true residual is within a tolerance. The rounding of one that was recomputed may miss it by a
// hair that no solver could see.
bool reached(double residual, double tolerance);

// Result, measured by the full unpreconditioned system in the precision of the true-residual operator.
struct FullSolveReport {
  SolveReport solve;                       // of the system that was iterated
  std::vector<double> relative_residuals;  // ||b - M x|| / ||b||, recomputed; 0 for b = 0
  // ||(b - M x)(t)|| / ||x(t)|| on each time slice of the lattice, [right-hand side][t]; 0 where both are 0:
  // the accuracy of x where it has become small. A slice that misses `slice_tolerance` is not solved.
  std::vector<std::vector<double>> slice_residuals;
  double tolerance = 0, slice_tolerance = std::numeric_limits<double>::infinity();
  int corrections = 0;  // further solves for what was left on time slices (solve_slices)
  int tightened = 0;    // times that targets were lowered since residual_scale() is not exact
  // Right-hand side i, and every one, within its tolerances (true residuals).
  bool converged(std::size_t i) const;
  bool converged() const;
};

// Adds what was done before, in front of what came after; results that nobody
// asked for stay as they were before.
void add_before(SolveReport& report, SolveReport before);

// `schur` and `solver` (made for it) work in one precision, `residual_operator` (M itself) in double. x and
// b: both parities, double, x holds the first guess. parameters.tolerance is the relative residual of the
// full system. Where residual_scale() is not exact, and a right-hand side whose solver converged misses it,
// its target is lowered by the ratio found and it goes on, three times at most; the report adds up, limits of
// iterations are for all together. Columns whose squares leave the range of the precision are solved as
// multiples by a power of two (solvers/column_scale.hpp): norms of report.solve and of `watch` are of these.
FullSolveReport solve_schur(SchurOperator& schur, Solver& solver, LinearOperator& residual_operator,
                            const ProcessGrid& grid, Field& x, const Field& b, SolverParameters parameters);
// Solves without preconditioning: `m` is the operator of `solver`.
FullSolveReport solve_full(LinearOperator& m, Solver& solver, LinearOperator& residual_operator,
                           const ProcessGrid& grid, Field& x, const Field& b, SolverParameters parameters);

// Solutions that are known to some digits on every time slice, also where they have become small: a residual
// that is small beside the source may be large beside the solution far from the source, as of heavy quarks.
/// Makes `x` solve M x = b with ||(b - M x)(t)|| <= tolerance ||x(t)|| on each time slice t of each
/// right-hand side. `solve` solves M x = b to a tolerance relative to ||b||. What it leaves on slices that
/// miss the criterion is solved for and added, until none misses it, or a round brings neither their number
/// down nor the worst of them by a factor of 2. M couples near slices alone, so a residual is computed to the
/// rounding of x near its own slice. `m` is M in double precision. Collective.
///
/// The report is that of the final x; iterations, time and attempts add up over all rounds. slice_tolerance
/// is `tolerance`.
FullSolveReport solve_slices(LinearOperator& m, const ProcessGrid& grid, Field& x, const Field& b,
                             double tolerance,
                             const std::function<FullSolveReport(Field& x, const Field& b)>& solve);

}  // namespace plaq
