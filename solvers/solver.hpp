// What a solve is asked for and what it says afterwards. Solvers see a LinearOperator and blas, never a Dirac
// operator.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "comms/process_grid.hpp"
#include "core/linear_operator.hpp"

namespace plaq {

enum class StopReason {
  converged,
  max_iterations,
  breakdown,   // a scalar of the method vanished although the residual did not, and a restart did not help
  stagnation,  // the true residual no longer falls: the precision is exhausted
  not_a_number,
};
std::string_view name_of(StopReason reason);

// Of one right-hand side. Norms are of the system that the solver saw.
struct SolveResult {
  StopReason reason = StopReason::max_iterations;
  int iterations = 0;
  int restarts = 0;
  double source_norm = 0;    // ||b||
  double residual_norm = 0;  // ||b - A x||, recomputed at the end in the solver's precision
  bool converged() const { return reason == StopReason::converged; }
};

struct SolveReport {
  std::vector<SolveResult> results;          // one a right-hand side
  int iterations = 0;                        // of the batch: the most of all right-hand sides
  double seconds = 0, flops = 0, bytes = 0;  // flops and bytes of all ranks
};

struct SolverParameters {
  // ||b - A x|| <= target[i] for right-hand side i; or relative to its ||b|| where targets are empty.
  std::vector<double> targets;
  double tolerance = 1e-10;
  int max_iterations = 10000;
  // Called after each iteration with the iterated residual norms, the same on all ranks.
  std::function<void(int iteration, const std::vector<double>& residual_norms)> watch;
};

class Solver {
 public:
  virtual ~Solver() = default;
  virtual std::string_view name() const = 0;
  // Solves A x = b for every right-hand side of the batch; x holds the first guess. Each right-hand side
  // converges and freezes on its own, and has the same bits in any batch and on any process grid. Collective.
  virtual SolveReport solve(Field& x, const Field& b, const SolverParameters& parameters) = 0;
};

}  // namespace plaq
