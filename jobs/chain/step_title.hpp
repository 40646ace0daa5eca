// Title of the state of a chain within a step (jobs/chain/step_checkpoint.hpp): whose state it is.
#pragma once

#include <cstdint>
#include <string>

namespace plaq::jobs {

struct StepTitle {
  std::string chain;       // ChainPlan::chain
  std::string step;        // "trajectory 3"
  std::string links;       // checksum of the links before the step
  std::string place;       // "33 of 120 updates"
  std::string links_file;  // that has these links, without its directory
  std::string version;     // of plaq
  std::string job;         // JobFile::physics_text()

  // A line for each, and the job from there on.
  std::string text() const;
  static StepTitle of(const std::string& text);
  // 3 of "trajectory 3"; 0 if it has no number.
  std::int64_t number() const;
};

}  // namespace plaq::jobs
