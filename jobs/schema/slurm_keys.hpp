// [slurm]: how a batch job is asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

struct SlurmKeys {
  std::optional<int> ranks;
  int ranks_per_node = 8;
  std::optional<int> cores_per_rank;  // none: as the cluster gives them
  std::string time = "00:30:00";
  int warning = 300;               // seconds
  int restarts = 0;                // of a job that ran out of time
  std::string partition, account;  // empty: the usual one
  std::vector<std::string> options, setup;
  std::string launcher = "srun --cpu-bind=cores";
};

// Keys of batch jobs that share work.
struct SlurmWorkerKeys {
  int workers = 1;
};

// Seconds of a time as sbatch takes it: M, M:S, H:M:S, D-H, D-H:M, D-H:M:S. None for another text.
std::optional<std::int64_t> seconds_of_slurm_time(std::string_view text);

Table slurm_table();          // of job files
Table slurm_workers_table();  // of campaigns
std::vector<Rule> slurm_rules();

}  // namespace plaq::jobs
