// A Krylov method alone, in one precision.
#pragma once

#include <memory>

#include "solvers/krylov/krylov_method.hpp"
#include "solvers/method_settings.hpp"
#include "solvers/solver.hpp"

namespace plaq {

class KrylovSolver : public Solver {
 public:
  // Its workspace: r beside the vectors of the method. Of the settings slowest_reduction and deflation
  // matter.
  KrylovSolver(std::unique_ptr<KrylovMethod> method, const ProcessGrid& grid, int batch,
               const MethodSettings& settings = {});
  std::string_view name() const override { return method_->name(); }
  SolveReport solve(Field& x, const Field& b, const SolverParameters& parameters) override;

 private:
  std::unique_ptr<KrylovMethod> method_;
  Batch batch_;
  Field r_;
  double slowest_reduction_;
  Deflation* deflation_;
};

}  // namespace plaq
