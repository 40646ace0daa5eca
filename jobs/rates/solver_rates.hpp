// Sustained rates of whole Krylov methods: Clark et al. 2010, section 5.1 and table 2.
#pragma once

#include <cstdint>

#include "comms/grid/process_grid.hpp"
#include "solvers/krylov/krylov_method.hpp"

namespace plaq::jobs {

struct SolverRate {
  int iterations = 0;
  double seconds = 0;             // of all of them on the slowest rank
  double flops = 0;               // of all ranks: operator and vector updates, as Batch counts them
  std::int64_t applications = 0;  // of the operator or its adjoint, in all iterations
};

// Collective over the grid. Times `iterations` of the method on A x = b for all right-hand sides of b, which
// has the spec of A. Where a residual has fallen by twelve decades, or the method breaks down, it begins
// again from b. Beginnings and the first two iterations after each, in which some methods have less to do,
// are not counted. `solution`, of the spec of b, gets what all steps added up to: the same bits on any grid.
SolverRate solver_rate(const ProcessGrid& grid, KrylovMethod& method, const Field& b, int iterations,
                       Field* solution = nullptr);

}  // namespace plaq::jobs
