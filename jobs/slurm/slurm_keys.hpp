// [slurm]: how a batch job is asked for.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/schema.hpp"

namespace plaq::jobs {

struct SlurmKeys {
  int ranks_per_node = 8;
  std::string time = "00:30:00";
  std::string partition, account;  // empty: the usual one
  std::vector<std::string> options, setup;
  std::string launcher = "srun";
};

// Of batch jobs that share work.
struct SlurmWorkerKeys {
  int workers = 1, ranks = 8;
  int warning = 300;  // seconds
};

// `made_by`: the command that writes the scripts.
enum class WithWorkers { no, yes };
Table slurm_table(const std::string& made_by, WithWorkers workers = WithWorkers::no);

}  // namespace plaq::jobs
