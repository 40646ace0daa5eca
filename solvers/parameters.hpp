// What a solve is asked for.
#pragma once

#include <functional>
#include <vector>

namespace plaq {

struct SolverParameters {
  // ||b - A x|| <= target[i] for right-hand side i; or relative to its ||b|| where targets are empty.
  std::vector<double> targets;
  double tolerance = 1e-10;
  int max_iterations = 10000;
  std::vector<int> iteration_limits;  // of each right-hand side, where they differ; empty: max_iterations
  std::vector<char> active;  // which right-hand sides to solve, the others are left alone; empty: all

  // Mixed precision. ulp < delta < 1 with the ulp of the inner precision: a reliable update when the iterated
  // residual has fallen below delta times its maximum since the last one. Nearer to 1: more work in high
  // precision, fewer iterations.
  double delta = 0.1;
  // Defect correction: by how much an inner solve brings its residual down. Above the inner ulp times the
  // condition number; 0.1 suits 16-bit storage, 1e-4 single precision.
  double inner_tolerance = 1e-3;

  // For solves inside others.
  bool zero_guess = false;      // x is taken to be 0, whatever it holds
  bool trust_iterated = false;  // stop on the iterated residual: it is not recomputed at the end

  // Called after each iteration with the iterated residual norms, the same on all ranks.
  std::function<void(int iteration, const std::vector<double>& residual_norms)> watch;

  // Throws Error(internal) where a value is out of its range, for a batch of this size.
  void validate(int batch) const;
};

}  // namespace plaq
