// Wilson loops in a measure job: the datasets
//
//   /wilson_loops/r_X_Y_Z      [n][t]  W(n step, t), step X, Y, Z; n and t from 1
#pragma once

#include <vector>

#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "observables/gauge/static_loops.hpp"

namespace plaq::jobs {

// Throws Error(job_file) where the lattice is smaller than the loops that a job asks for.
void expect_loops_fit(const Settings& job, const Extents& extents);
void add_wilson_loops(Results& results, const std::vector<StaticLoops>& loops);

}  // namespace plaq::jobs
