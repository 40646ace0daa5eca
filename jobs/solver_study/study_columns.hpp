// The datasets /solves/... of a solver study at one mass (docs/result-files.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/results/results.hpp"
#include "solvers/schur_solve.hpp"

namespace plaq::jobs {

// How right-hand side i ended: the number of a StopReason, or residual_missed where the solver converged and
// the full system does not agree.
std::int64_t outcome_of(const FullSolveReport& report, std::size_t i);
constexpr std::int64_t residual_missed = 8;
std::vector<std::string> outcome_names();  // by their numbers

struct SolvedBatch {
  FullSolveReport report;
  std::vector<double> seconds;  // of all repeats, on the slowest rank
  std::vector<double> errors;   // |x - x0| / |x0| of each right-hand side; empty: x0 is not known
};
// What one solver did.
struct SolverRun {
  double setup_seconds = 0;
  double reduction = 0;  // of the residual by an iteration, as the setup of multigrid found it; 0 without
  std::int64_t rounds = 0;
  std::vector<SolvedBatch> batches;
};
Results results_of_solvers(const std::vector<SolverRun>& solvers);

}  // namespace plaq::jobs
