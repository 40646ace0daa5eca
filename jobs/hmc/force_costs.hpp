// Costs of the forces of a trajectory, in iterations of conjugate gradients on a GPU: as measured on
// 32x32x32x64 (docs/performance.md), and the same on every machine, since steps that are chosen by them
// belong to the chain.
#pragma once

#include "jobs/hmc/hmc_columns.hpp"
#include "jobs/hmc/step_tuning.hpp"

namespace plaq::jobs {

/// Numbers of a trajectory for the choice of steps.
/// @param scales  with the steps of this trajectory
TrajectoryCost cost_of(const std::vector<double>& numbers, const HmcColumns& columns, const HmcSetup& setup,
                       const std::vector<TimeScale>& scales);

}  // namespace plaq::jobs
