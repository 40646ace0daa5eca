// plaq plan JOB.toml --cost.
#pragma once

#include <string>

#include "jobs/common/commands.hpp"

namespace plaq::jobs {

// `ranks`: the most that are looked at. Without a machine it is H200s.
struct CostOptions {
  PlanOptions plan;
};

// As of other plans.
std::string text_of(const CostOptions& options);

}  // namespace plaq::jobs
