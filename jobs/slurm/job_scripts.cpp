// plaq run JOB.toml --generate DIRECTORY: a job as one batch job of Slurm.
//
// Before its time ends it is told so, saves what it has and ends with exit code 9. Run again it goes on from
// there: Slurm starts it again as often as [slurm] restarts says; then its log says how.
#include <fmt/format.h>

#include "jobs/schema/common_keys.hpp"
#include "jobs/slurm/script_directory.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* batch_script = "job.sh";

int ranks_of_job(const JobFile& job) {
  const auto keys = job.get<SlurmKeys>();
  if (keys.ranks) return *keys.ranks;
  if (const auto grid = job.get<CommsKeys>().process_grid)
    return (*grid)[0] * (*grid)[1] * (*grid)[2] * (*grid)[3];
  return keys.ranks_per_node;
}

std::string name_of_job(const JobFile& job) {
  std::string name;
  for (const char c : std::filesystem::path(job.file()).stem().string())
    name += std::isspace(static_cast<unsigned char>(c)) ? '_' : c;
  return name;
}

}  // namespace

void write_job_scripts(const JobFile& job, const std::string& directory) {
  PathRegistry paths;
  paths.reads(job.file(), "the job file");
  if (const auto output = job.get<OutputKeys>().file; !output.empty())
    paths.writes(output, "the results of the job");
  const ScriptDirectory scripts(job, directory, std::move(paths), {batch_script, submit_script});
  const auto keys = job.get<SlurmKeys>();
  std::vector<std::string> options = slurm_warning(keys);
  options.emplace_back("--open-mode=append");
  if (keys.restarts > 0) options.emplace_back("--requeue");
  const std::string submit = "sbatch " + shell_word(scripts.path(batch_script));
  scripts.put(batch_script, scripts.head(name_of_job(job), ranks_of_job(job), asks_for_gpus(job), options) +
                                slurm_work(scripts.run_command()) + slurm_restart(keys.restarts, submit));
  scripts.put(submit_script, "#!/bin/bash\nset -e\n" + submit + '\n');
}

}  // namespace plaq::jobs
