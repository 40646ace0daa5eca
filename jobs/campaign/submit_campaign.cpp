// plaq campaign submit: workers as an array of Slurm jobs.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "core/system/error.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/campaign/campaign.hpp"
#include "jobs/campaign/campaign_options.hpp"
#include "jobs/campaign/task_groups.hpp"
#include "jobs/campaign/worker.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/slurm/slurm_script.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

constexpr const char* script_file = "submit.sh";

// The worker. One that a machine's failure ended is started again in the same batch job, some times: what
// failed is known, and a node that fails again and again is avoided.
constexpr const char* loop = R"sh(# Slurm says when the job ends; older versions do not.
if [ -z "$SLURM_JOB_END_TIME" ]; then
  SLURM_JOB_END_TIME=$(date -d "$(squeue -h -j "$SLURM_JOB_ID" -o %e)" +%s 2>/dev/null) && export SLURM_JOB_END_TIME
fi
for start in 1 2 3 4 5; do
{}  # 0: all is done; 10: but for what is left out; 9: stopped, or no time is left; 2, 3 and 4: a user must look.
  # Else the machine failed.
  case $code in 0|2|3|4|9|10) break;; esac
  sleep 10
done
)sh";

std::string script_of(const Campaign& campaign, const std::string& directory, const std::string& program) {
  const SlurmKeys& keys = campaign.slurm;
  SlurmRequest request{"plaq-" + fs::path(directory).filename().string(),
                       in_slurm_log(directory) + "/log/slurm-%A_%a.log",
                       keys.ranks.value_or(keys.ranks_per_node),
                       where_tasks_run(campaign) != "host",
                       {},
                       directory};
  request.options = joined<std::string>({{fmt::format("--array=1-{}", campaign.slurm_workers.workers)},
                                         slurm_warning(keys),
                                         {"--requeue", "--open-mode=append"}});
  const std::string worker =
      slurm_work(fmt::format("{} {} campaign run .", keys.launcher, shell_word(program)));
  return slurm_head(keys, request) + fmt::format(loop, worker) +
         slurm_restart(keys.restarts, fmt::format("cd {} && sbatch {}", shell_word(directory), script_file));
}

}  // namespace

int submit_campaign(const CampaignSubmitOptions& options) {
  const Campaign campaign = enter_campaign(options.directory);
  const std::string directory = fs::current_path().string();
  if (directory.find('\n') != std::string::npos)
    throw Error(ErrorKind::usage, "campaign: a directory with a line break in its name");
  make_campaign_directories(campaign);
  const std::string script = script_of(campaign, directory, fs::read_symlink("/proc/self/exe").string());
  if (options.dry_run) {
    print_whole([&] { print_safely(script); });
    return 0;
  }
  write_atomically(script_file, script, true);
  fs::permissions(script_file, fs::perms::owner_exec, fs::perm_options::add);
  call_sbatch("campaign", fmt::format("sbatch {}", script_file), script_file,
              "Without Slurm, start workers yourself: mpirun -np N plaq campaign run " + options.directory);
  return 0;
}

}  // namespace plaq::jobs
