// Solutions that are known to some digits on every time slice, also where they have become small: a residual
// that is small beside the source may be large beside the solution far from the source, as of heavy quarks.
#pragma once

#include <functional>

#include "solvers/schur_solve.hpp"

namespace plaq {

/// Makes `x` solve M x = b with ||(b - M x)(t)|| <= tolerance ||x(t)|| on each time slice t of each
/// right-hand side. `solve` solves M x = b to a tolerance relative to ||b||. What it leaves on slices that
/// miss the criterion is solved for and added, until none misses it, or a round brings neither their number
/// down nor the worst of them by a factor of 2. M couples near slices alone, so a residual is computed to the
/// rounding of x near its own slice. `m` is M in double precision. Collective.
///
/// The report is that of the final x; iterations, time and attempts add up over all
/// rounds. slice_tolerance is `tolerance`.
FullSolveReport solve_slices(LinearOperator& m, const ProcessGrid& grid, Field& x, const Field& b,
                             double tolerance,
                             const std::function<FullSolveReport(Field& x, const Field& b)>& solve);

}  // namespace plaq
