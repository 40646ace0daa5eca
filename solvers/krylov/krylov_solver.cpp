#include "solvers/krylov/krylov_solver.hpp"

#include "solvers/krylov/krylov_loop.hpp"

namespace plaq {

KrylovSolver::KrylovSolver(std::unique_ptr<KrylovMethod> method, const ProcessGrid& grid, int batch,
                           const MethodSettings& settings)
    : method_(std::move(method)),
      batch_(grid, method_->a().queue(), batch),
      r_(method_->a().geometry(), method_->a().spec(batch)),
      slowest_reduction_(settings.slowest_reduction),
      deflation_(settings.deflation) {}

SolveReport KrylovSolver::solve(Field& x, const Field& b, const SolverParameters& parameters) {
  KrylovProblem problem{method_->a(), *method_, batch_, x, b, r_};
  problem.slowest_reduction = slowest_reduction_;
  problem.deflation = deflation_;
  return run_krylov(problem, parameters);
}

}  // namespace plaq
