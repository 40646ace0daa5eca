// Two jobs by their texts (JobFile::physics_text).
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/use_settings.hpp"

namespace plaq::jobs {

struct JobDifference {
  KeyName key;
  std::string first, second;  // values as in a job file; empty: the key is absent
};

// In the order of the first, then keys that the second alone has.
std::vector<JobDifference> compare_jobs(const std::string& first, const std::string& second);

}  // namespace plaq::jobs
