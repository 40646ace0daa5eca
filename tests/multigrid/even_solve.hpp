// Solves on the even sites, with or without a preconditioner.
#pragma once

#include "solvers/krylov/krylov_method.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "tests/solvers/wilson_system.hpp"

namespace plaq::test {

// S x = b to 1e-10, b of the even sites of the system's source.
inline SolveReport solve_even(WilsonSystem& system, LinearOperator& s, std::string_view method,
                              LinearOperator* preconditioner, Field& x, int max_iterations = 2000) {
  const int batch = system.batch();
  MethodSettings settings;
  settings.preconditioner = preconditioner;
  Field b(system.geometry, s.spec(batch));
  copy_parity(b, system.source, 0, system.queue);
  x = Field(system.geometry, s.spec(batch));
  KrylovSolver solver(make_method(method, s, batch, settings), system.grid, batch);
  SolverParameters parameters;
  parameters.tolerance = 1e-10;
  parameters.max_iterations = max_iterations;
  return solver.solve(x, b, parameters);
}

}  // namespace plaq::test
