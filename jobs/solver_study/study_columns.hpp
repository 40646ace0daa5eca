// The datasets /solves/... of a solver study at one mass, solver by solver (docs/result-files.md).
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/results/results.hpp"
#include "solvers/schur_solve.hpp"

namespace plaq::jobs {

// How right-hand side i ended: the number of a StopReason, or residual_missed where the solver converged and
// the full system does not agree.
std::int64_t outcome_of(const FullSolveReport& report, std::size_t i);
constexpr std::int64_t residual_missed = 7;
std::vector<std::string> outcome_names();  // by their numbers

class StudyColumns {
 public:
  // Once for each solver: the seconds that making it took; then each of its batches, with the seconds of all
  // repeats.
  void add_setup(double seconds) { setup_.push_back(seconds); }
  void add(const FullSolveReport& report, const std::vector<double>& seconds);
  void move_to(Results& results);

 private:
  std::vector<std::int64_t> iterations_, updates_, outcome_;  // solver, source
  std::vector<double> residual_;                              // solver, source
  std::vector<std::int64_t> inner_, outer_;                   // solver, batch
  std::vector<double> seconds_, median_, flops_, bytes_;      // solver, batch
  std::vector<double> setup_;                                 // solver
};

}  // namespace plaq::jobs
