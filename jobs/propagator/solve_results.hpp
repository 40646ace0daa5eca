// What results say of the solves of a source: datasets /solves/NAME, of one mass,
// or of many with an axis for them.
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/results/results.hpp"
#include "quarks/solve/propagator_solver.hpp"

namespace plaq::jobs {

// Numbers of multigrid at one mass; 0 without multigrid.
struct MultigridNumbers {
  explicit MultigridNumbers(const DiracMultigrid* multigrid);
  SetupReport report;
  std::int64_t lattices = 0;  // coarse ones
};

// `reports`: of every mass, `multigrid` too, or none where the job has no multigrid. `many`: with the axis of
// masses. `with_slices`: with the residuals of time slices.
void add_solves(Results& results, const std::vector<ColumnReport>& reports,
                const std::vector<MultigridNumbers>& multigrid, bool many, bool with_slices);

}  // namespace plaq::jobs
