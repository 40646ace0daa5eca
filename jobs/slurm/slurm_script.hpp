// Scripts for sbatch.
#pragma once

#include <string>
#include <vector>

#include "jobs/slurm/slurm_keys.hpp"

namespace plaq::jobs {

// As one word of a shell.
std::string shell_word(const std::string& text);

struct SlurmRequest {
  std::string name, log;  // of the batch job; where its messages go
  int ranks = 1;
  bool gpus = false;
  std::vector<std::string> options = {};  // further ones of sbatch
  std::string directory;                  // in which it runs
};
// Up to where the program is started: options of sbatch, `set -e`, the directory, the lines of [slurm] setup.
std::string slurm_head(const SlurmKeys& keys, const SlurmRequest& request);

}  // namespace plaq::jobs
