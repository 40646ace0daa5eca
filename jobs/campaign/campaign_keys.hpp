// Keys of campaign.toml (docs/campaigns.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

// [ensemble].
struct EnsembleKeys {
  std::string files;                               // "run{replica}/field.{trajectory}.nersc"
  std::vector<std::string> accept_checksums = {};  // as in [gauge] of job files
};

// [task.NAME].
struct TaskKeys {
  std::string job;                  // its job file
  std::string gauge = "ensemble";   // or the task whose fields it reads
  std::vector<std::string> after;   // tasks whose results it needs
  std::vector<std::string> ladder;  // overrides, one after the other where a solve misses its tolerance
  std::int64_t every = 1;           // trajectories that it divides
};

// [workers].
struct WorkerKeys {
  int ranks_per_task = 0;      // 0: all ranks of the program
  double heartbeat = 10;       // seconds
  double lease_timeout = 120;  // seconds
  double reserve = 60;         // seconds
  double watchdog = 600;       // seconds; 0: never
};

// [retry].
struct RetryKeys {
  int bad_file = 2;
  int machine = 3;
  int lost = 20;
  int node = 3;
};

// [budget].
struct BudgetKeys {
  double node_hours = 0;  // 0: none
};

// The keys of campaign.toml, with a table [task.NAME] for each of these.
Schema campaign_schema(const std::vector<std::string>& tasks);

}  // namespace plaq::jobs
