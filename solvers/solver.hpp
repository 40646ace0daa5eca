// Solvers see a LinearOperator and blas, never a Dirac operator.
#pragma once

#include <string_view>

#include "comms/grid/process_grid.hpp"
#include "core/operator/linear_operator.hpp"
#include "solvers/parameters.hpp"
#include "solvers/report.hpp"

namespace plaq {

class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string_view name() const = 0;
  // Solves A x = b for every right-hand side of the batch; x holds the first guess. Each right-hand side
  // converges and is masked on its own, and has the same bits in any batch and on any process grid. Where b
  // is 0, x becomes 0. Collective.
  virtual SolveReport solve(Field& x, const Field& b, const SolverParameters& parameters) = 0;
};

}  // namespace plaq
