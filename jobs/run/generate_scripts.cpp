#include "jobs/common/commands.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "jobs/common/terminal_text.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/slurm/script_directory.hpp"

namespace plaq::jobs {

std::vector<std::string> overrides_of(const RunOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  if (options.profile) overrides.emplace_back("run.profile=true");
  if (!options.profile_json.empty())
    overrides.push_back("run.profile_file=" + value_text(options.profile_json));
  return overrides;
}

int generate_scripts(const RunOptions& options, bool submit) {
  namespace fs = std::filesystem;
  const JobFile job = JobFile::read(options.job_file, overrides_of(options));
  const std::string directory = !options.generate.empty()
                                    ? options.generate
                                    : fs::path(options.job_file).replace_extension(".slurm").string();
  const auto write_scripts = find_job_type(job.type())->write_scripts;
  (write_scripts != nullptr ? write_scripts : write_job_scripts)(job, directory);
  const std::string script = (fs::absolute(directory).lexically_normal() / submit_script).string();
  print_safely("{}\n", script);
  std::fflush(stdout);
  if (submit)
    call_sbatch("run", shell_word(script), script,
                fmt::format("Without Slurm: mpirun -np N plaq run {}", options.job_file));
  return 0;
}

}  // namespace plaq::jobs
