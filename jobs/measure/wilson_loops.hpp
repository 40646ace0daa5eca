// Wilson loops in a measure job: the table [wilson_loops], and from a gauge field to datasets
//
//   /wilson_loops/r_X_Y_Z      [n][t]  W(n step, t), step X, Y, Z; n and t from 1
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/field/field.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/schema/schema.hpp"

namespace plaq::jobs {

struct WilsonLoopKeys {
  std::optional<int> max_r, max_t;
  std::vector<std::string> directions{"100"};  // digits of the steps
};

Table wilson_loops_table();
// Throws Error(job_file) where the lattice is smaller than the loops that a job asks for.
void expect_loops_fit(const JobFile& job, const Extents& extents);
// Collective. Of the links as they are.
void add_wilson_loops(Results& results, const JobContext& context, const Field& gauge);

}  // namespace plaq::jobs
