// A directory of scripts for Slurm, with a copy of the job file as it was when they were made.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "jobs/common/path_registry.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/slurm/slurm_script.hpp"

namespace plaq::jobs {

constexpr const char* submit_script = "submit.sh";  // the one that submits all

class ScriptDirectory {
 public:
  // Makes it, and writes the job file. `paths`: what the job reads and writes; `scripts`: those to come.
  // Throws Error(usage) where one of them would replace something else, Error(output_file)
  // where nothing can be made there.
  ScriptDirectory(const JobFile& job, const std::string& directory, PathRegistry paths,
                  const std::vector<std::string>& scripts);

  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  void put(const std::string& name, const std::string& text) const;  // a script

  // The head of a batch job that runs in the current directory; with GPUs where the job may run on them.
  std::string head(const std::string& name, int ranks, bool with_gpus,
                   const std::vector<std::string>& options) const;
  // "LAUNCHER PROGRAM run JOB".
  std::string run_command() const;
  std::string program() const { return shell_word(program_.string()); }

 private:
  SlurmKeys keys_;
  std::filesystem::path directory_, program_;
};

// True if ranks of the job ask for GPUs: not where it says that it runs on the host.
bool asks_for_gpus(const JobFile& job);

// One batch job that does a job of any type: job.toml, job.sh, submit.sh. Serial.
void write_job_scripts(const JobFile& job, const std::string& directory);

}  // namespace plaq::jobs
