// plaq campaign submit: workers as an array of Slurm jobs.
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "core/system/error.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/campaign/campaign_options.hpp"
#include "jobs/campaign/enter_campaign.hpp"
#include "jobs/campaign/task_groups.hpp"
#include "jobs/campaign/worker.hpp"
#include "jobs/common/print_whole.hpp"
#include "jobs/slurm/slurm_script.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

constexpr const char* script_file = "submit.sh";

// Launcher, program. A worker that a machine's failure ended is started again in the same batch job, some times: what
// failed is known, and a node that fails again and again is avoided.
constexpr const char* loop = R"sh(set +e
# srun does not take it over from sbatch.
if [ -n "$SLURM_CPUS_PER_TASK" ]; then export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK; fi
# Slurm says when the job ends; older versions do not.
if [ -z "$SLURM_JOB_END_TIME" ]; then
  SLURM_JOB_END_TIME=$(date -d "$(squeue -h -j "$SLURM_JOB_ID" -o %e)" +%s 2>/dev/null) && export SLURM_JOB_END_TIME
fi
for start in 1 2 3 4 5; do
  {} {} campaign run .
  code=$?
  # 0: all is done; 9: stopped, or no time is left; 2 and 3: people must look. Else the machine failed.
  case $code in 0|2|3|9) break;; esac
  sleep 10
done
exit $code
)sh";

std::string script_of(const Campaign& campaign, const std::string& directory, const std::string& program) {
  const SlurmWorkerKeys& workers = campaign.slurm_workers;
  SlurmRequest request{"plaq-" + fs::path(directory).filename().string(),
                       directory + "/log/slurm-%A_%a.log",
                       workers.ranks,
                       where_tasks_run(campaign) != "host",
                       {},
                       directory};
  request.options = {fmt::format("--array=1-{}", workers.workers), "--requeue",
                     fmt::format("--signal=USR1@{}", workers.warning), "--open-mode=append"};
  return slurm_head(campaign.slurm, request) +
         fmt::format(loop, campaign.slurm.launcher, shell_word(program));
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
    print_whole([&] { std::fputs(script.c_str(), stdout); });
    return 0;
  }
  write_atomically(script_file, script, true);
  fs::permissions(script_file, fs::perms::owner_exec, fs::perm_options::add);
  const int status = std::system(fmt::format("sbatch {}", script_file).c_str());
  if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) == 127)
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "campaign: there is no sbatch here; {} is written. Without Slurm, start workers yourself: "
            "mpirun -np N plaq campaign run {}",
            script_file, options.directory));
  if (WEXITSTATUS(status) != 0)
    throw Error(ErrorKind::usage,
                fmt::format("campaign: sbatch refused {} (exit code {})", script_file, WEXITSTATUS(status)));
  return 0;
}

}  // namespace plaq::jobs
