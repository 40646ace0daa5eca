// Defect correction: algorithm 1 of Clark et al. 2010. An inner solver of low precision solves A p = r / |r|
// to a tolerance of its own, x += |r| p, and r = b - A x is recomputed with the outer operator. Each
// correction begins a new search space.
//
// Vectors of the outer precision: x and b of the caller, r (beside what the operator itself holds). Of the
// inner one: the right-hand side and p, and those of the inner solver. The residual is scaled to norm 1 for
// each right-hand side, so that the low precision sees numbers of its range.
//
// A correction is idle where the true residual fell by less than the fourth root of what the inner solver
// promised; after two in a row it ends with the inner solver's reason, or as stagnation. Each correction
// costs at least one iteration or is idle, and none has more iterations than are left: so it ends.
#pragma once

#include <memory>

#include "solvers/krylov/batch.hpp"
#include "solvers/method_settings.hpp"
#include "solvers/mixed/vector_conversion.hpp"
#include "solvers/solver.hpp"

namespace plaq {

class DefectCorrection final : public Solver {
 public:
  // `inner` solves with `inner_operator`; both operators stand for the same matrix, on one queue; the
  // precisions may be equal. `conversion`: from the vectors of `outer` to those of `inner_operator`.
  // Among the settings inner_tolerance and deflation matter; deflation belongs to `outer`, not to `inner`.
  DefectCorrection(LinearOperator& outer, LinearOperator& inner_operator, std::unique_ptr<Solver> inner,
                   const ProcessGrid& grid, int batch, const MethodSettings& settings = {},
                   VectorConversion conversion = {});
  std::string_view name() const override { return inner_->name(); }
  // In the outer precision. `watch` hears of each inner iteration.
  SolveReport solve(Field& x, const Field& b, const SolverParameters& parameters) override;

 private:
  LinearOperator &outer_, &inner_operator_;
  std::unique_ptr<Solver> inner_;
  VectorConversion conversion_;
  double inner_tolerance_;
  Deflation* deflation_;
  Batch batch_;
  Field r_, low_b_, low_x_;
};

}  // namespace plaq
