// The table [multigrid] of job files.
#pragma once

#include <vector>

#include "jobs/schema/job_file.hpp"
#include "quarks/multigrid/multigrid_options.hpp"

namespace plaq::jobs {

Table multigrid_table(const std::vector<Key>& more = {});
std::vector<Rule> multigrid_rules();
MultigridOptions multigrid_options(const JobFile& job);

}  // namespace plaq::jobs
