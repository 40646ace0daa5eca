// The loop around a Krylov method: algorithm 2 of Clark et al. 2010, with or without a second precision.
//
// Each right-hand side has a residual update of its own when its iterated residual norm
//   - reaches its target,
//   - falls below delta M, M being its maximum since the last update (delta = 0: never),
//   - is no number or has diverged, or when the method broke down or the limit is reached,
//   - has fallen by Deflation::again since it was deflated, if there is a deflation.
// Then x is brought up to date, r = b - A x is recomputed with the outer operator, and only that decides. A
// right-hand side that continues does so by KrylovMethod::after_reliable_update. It restarts by begin after
// a breakdown, or if the true residual is a hundred times the iterated one. Deflation keeps the search space:
// the part that it takes from r is not in it, but for rounding.
//
// An update is idle where the true residual fell by less than the fourth root of what the iterated one
// promised. After two in a row the method restarts, after three it ends as stagnation (or as breakdown).
// A right-hand side whose iterated residual fell by less than asked for over the last
// eight iterations ends as too slow.
//
// Each pass of the loop is one iteration of every active right-hand side, and none has more than its limit:
// so it ends.
#pragma once

#include "solvers/krylov/krylov_method.hpp"
#include "solvers/parameters.hpp"

namespace plaq {

class Deflation;

struct KrylovProblem {
  LinearOperator& outer;
  KrylovMethod& method;
  Batch& batch;
  Field& x;
  const Field& b;
  Field& r;
  // Group-wise updates: vectors of the method, whose sum goes to x at each update. They are scaled by a power
  // of two for each right-hand side, so that the low precision sees norms near 1. Null: the method works on x
  // and r.
  Field *low_x = nullptr, *low_r = nullptr;
  double delta = 0;
  const Field* frame = nullptr;  // gauge frame of the method's vectors (solvers/mixed/vector_conversion.hpp)
  double slowest_reduction = 1;  // MethodSettings has it
  Deflation* deflation = nullptr;
};

SolveReport run_krylov(const KrylovProblem& problem, const SolverParameters& parameters);

}  // namespace plaq
