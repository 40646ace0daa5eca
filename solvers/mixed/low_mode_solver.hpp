// The part of a solution in low modes, without iterations: low-mode averaging takes it for an approximation
// of the solution (Giusti et al., JHEP 04 (2004) 013; DeGrand, Schaefer, Comput. Phys. Commun. 159 (2004)
// 185).
#pragma once

#include "solvers/krylov/batch.hpp"
#include "solvers/mixed/deflation.hpp"
#include "solvers/solver.hpp"

namespace plaq {

class LowModeSolver final : public Solver {
 public:
  // `a` is the operator of the modes, which must outlive this object.
  LowModeSolver(LinearOperator& a, const ProcessGrid& grid, int batch, Deflation& modes);
  std::string_view name() const override { return "low modes"; }
  // Improves x once by Deflation::improve(), whatever is left. Right-hand sides have made no iteration.
  SolveReport solve(Field& x, const Field& b, const SolverParameters& parameters) override;

 private:
  LinearOperator& a_;
  Deflation& modes_;
  Batch batch_;
  Field r_;
};

}  // namespace plaq
