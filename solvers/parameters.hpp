// Parameters of a solve, given each time. Settings of its method were fixed when it was made
// (solvers/method_settings.hpp).
#pragma once

#include <functional>
#include <vector>

namespace plaq {

// A tolerance that no residual reaches: a solve with it makes all its iterations.
inline constexpr double no_tolerance = 1e-30;

// Criteria by which a right-hand side is done.
struct StoppingCriteria {
  // ||b - A x|| <= target[i] for right-hand side i; or relative to its ||b|| where targets are empty.
  std::vector<double> targets;
  double tolerance = 1e-10;
  int max_iterations = 10000;
  std::vector<int> iteration_limits;  // of each right-hand side, where they differ; empty: max_iterations
  bool trust_iterated = false;        // inside of other solves: the residual is not recomputed at the end

  int limit_of(std::size_t i) const {
    return iteration_limits.empty() ? max_iterations : iteration_limits[i];
  }
  // Throws Error(internal) where a value is out of its range, for a batch of this size.
  void validate(int batch) const;
};

struct SolverParameters : StoppingCriteria {
  std::vector<char> active;       // which right-hand sides to solve, the others are left alone; empty: all
  bool zero_guess = false;        // x is taken to be 0, whatever it holds
  bool within_iteration = false;  // of another solve, whose dry runs count this one as part of it
  // Called after each iteration with the iterated residual norms, the same on all ranks.
  std::function<void(int iteration, const std::vector<double>& residual_norms)> watch;

  void validate(int batch) const;
};

}  // namespace plaq
