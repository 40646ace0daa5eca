// Reliable updates around any Krylov method: algorithm 2 of Clark et al. 2010 (after Sleijpen, van der Vorst
// 1996). The method iterates in the precision of its own operator; when its residual has fallen by delta, its
// solution is added to x, and r = b - A x is recomputed with the outer operator. The search space stays.
//
// Vectors of the outer precision: x and b of the caller, r (beside what the operator itself holds). Of the
// inner one: x, r, and those of the method.
#pragma once

#include <memory>

#include "solvers/krylov/krylov_method.hpp"
#include "solvers/method_settings.hpp"
#include "solvers/mixed/vector_conversion.hpp"
#include "solvers/solver.hpp"

namespace plaq {

class ReliableUpdates final : public Solver {
 public:
  // Both operators stand for the same matrix, on one queue; the precisions may be equal. `conversion`: from
  // the vectors of `outer` to those of the method's operator. Of the settings delta and deflation
  // matter.
  ReliableUpdates(LinearOperator& outer, std::unique_ptr<KrylovMethod> method, const ProcessGrid& grid,
                  int batch, const MethodSettings& settings = {}, VectorConversion conversion = {});
  std::string_view name() const override { return method_->name(); }
  // In the outer precision.
  SolveReport solve(Field& x, const Field& b, const SolverParameters& parameters) override;

 private:
  LinearOperator& outer_;
  std::unique_ptr<KrylovMethod> method_;
  VectorConversion conversion_;
  double delta_;
  Deflation* deflation_;
  Batch batch_;
  Field r_, low_x_, low_r_;
};

}  // namespace plaq
