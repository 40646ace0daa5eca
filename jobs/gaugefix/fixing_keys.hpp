// Files that a gaugefix job writes beside its results, and its groups of ranks.
#pragma once

#include <string>

#include "core/lattice/geometry.hpp"
#include "jobs/schema/job_file.hpp"
#include "settings/gauge/fixing_tables.hpp"

namespace plaq::jobs {

struct FixedFileKeys {
  bool fields = true, transformations = false;
  std::string directory = ".";
};

// Groups of ranks that take copies side by side, each with the whole lattice: the job's number, or as many as
// there are copies for while a rank of a group has no more than `most_sites` sites. Divides `ranks`.
int groups_of(const Settings& job, const Extents& extents, int ranks);

/// The schema of gaugefix jobs.
const Schema& gaugefix_schema();

}  // namespace plaq::jobs
