// Scripts for sbatch.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/slurm_keys.hpp"

namespace plaq::jobs {

// Text as one word of a shell.
std::string shell_word(const std::string& text);

struct SlurmRequest {
  std::string name, log;  // of the batch job; where its messages go, with % as sbatch has it
  int ranks = 1;
  bool gpus = false;
  std::vector<std::string> options = {};  // further ones of sbatch
  std::string directory;                  // in which it runs
};
// A path as it stands in --output: % is nothing but itself.
std::string in_slurm_log(const std::string& path);
// One word of a line #SBATCH. sbatch ends a word at a blank outside double quotes, and the line at #; a
// backslash takes the meaning from any character.
std::string sbatch_word(const std::string& text);

// Options by which the script is told before the time ends; none where [slurm] warning is 0.
std::vector<std::string> slurm_warning(const SlurmKeys& keys);

// Up to where the program is started: options of sbatch, `set -e`, the directory, the lines of [slurm] setup,
// cores of ranks that srun starts.
std::string slurm_head(const SlurmKeys& keys, const SlurmRequest& request);

// Lines that run a command and pass the warning on to it, whatever starts the ranks: Slurm would tell those
// of srun alone. Afterwards $code is its exit code; `set -e` is off.
std::string slurm_work(const std::string& command);

// Last part of the script, after slurm_work: exits with $code. With code 9 (time over) it asks Slurm to start
// the batch job again, at most `restarts` times. After that it prints that `command` continues the work.
std::string slurm_restart(int restarts, const std::string& command);

// Runs `command`, a line of a shell in which sbatch is called, and lets it speak. Throws Error(usage): there
// is no sbatch, or it refused. `what`: the command of plaq; `script`: what is written and remains;
// `otherwise`: a sentence on what can be done without Slurm.
void call_sbatch(const std::string& what, const std::string& command, const std::string& script,
                 const std::string& otherwise);

}  // namespace plaq::jobs
