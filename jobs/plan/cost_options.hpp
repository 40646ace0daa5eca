// plaq plan JOB.toml --cost.
#pragma once

#include <string>

#include "jobs/common/commands.hpp"

namespace plaq::jobs {

// `ranks`: the most that are looked at. Without a machine it is H200s.
struct CostOptions {
  PlanOptions plan;
};

// Text of the options, in the form that other plans use.
std::string text_of(const CostOptions& options);

}  // namespace plaq::jobs
