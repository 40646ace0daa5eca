#include "solvers/krylov/krylov_solver.hpp"

#include "solvers/krylov/krylov_loop.hpp"

namespace plaq {

KrylovSolver::KrylovSolver(std::unique_ptr<KrylovMethod> method, const ProcessGrid& grid, int batch)
    : method_(std::move(method)),
      batch_(grid, method_->a().queue(), batch),
      r_(method_->a().geometry(), method_->a().spec(batch)) {}

SolveReport KrylovSolver::solve(Field& x, const Field& b, const SolverParameters& parameters) {
  return run_krylov({method_->a(), *method_, batch_, x, b, r_}, parameters);
}

}  // namespace plaq
