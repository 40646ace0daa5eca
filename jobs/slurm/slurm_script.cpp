#include "jobs/slurm/slurm_script.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* sbatch_name = "sbatch";

constexpr const char* before_the_command = R"sh(set +e
# Slurm tells this script when little time is left, and it tells the program.
told= work=
trap 'told=yes; ${work:+kill -USR1 $work}' USR1
)sh";

constexpr const char* after_the_command = R"sh( &
work=$!
while :; do
  wait $work
  code=$?
  if [ -z "$told" ]; then break; fi
  told=
done
)sh";

constexpr const char* after_work = R"sh(if [ $code = 9 ]; then
  if [ "${{SLURM_RESTART_COUNT:-0}}" -lt {0} ] && scontrol requeue "$SLURM_JOB_ID"; then exit 9; fi
  echo "The time was over before the work was done. What is done is kept; to go on:" {1}
fi
exit $code
)sh";

bool is_on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream directories(path != nullptr ? path : "");
  for (std::string directory; std::getline(directories, directory, ':');)
    if (::access((directory.empty() ? program : directory + '/' + program).c_str(), X_OK) == 0) return true;
  return false;
}

}  // namespace

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string in_slurm_log(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == '%' ? std::string("%%") : std::string(1, c);
  return text;
}

std::string sbatch_word(const std::string& text) {
  std::string word;
  for (const char c : text) {
    if (c == '\\' || c == '"' || c == '\'' || c == '#') word += '\\';
    word += c;
  }
  const bool has_blanks = text.find_first_of(" \t") != std::string::npos;
  return has_blanks ? '"' + word + '"' : word;
}

std::vector<std::string> slurm_warning(const SlurmKeys& keys) {
  if (keys.warning == 0) return {};
  return {fmt::format("--signal=B:USR1@{}", keys.warning)};
}

std::string slurm_head(const SlurmKeys& keys, const SlurmRequest& request) {
  const int on_node = std::min(request.ranks, keys.ranks_per_node);
  std::string text = "#!/bin/bash\n";
  const auto option = [&](const std::string& words) { text += "#SBATCH " + words + '\n'; };
  option("--job-name=" + sbatch_word(request.name));
  option("--output=" + sbatch_word(request.log));
  option(fmt::format("--nodes={}", (request.ranks + on_node - 1) / on_node));
  option(fmt::format("--ntasks={}", request.ranks));
  option(fmt::format("--ntasks-per-node={}", on_node));
  if (keys.cores_per_rank) option(fmt::format("--cpus-per-task={}", *keys.cores_per_rank));
  // Every rank sees all GPUs of its node: memory of one is mapped into another.
  if (request.gpus) option(fmt::format("--gpus-per-node={}", on_node));
  option("--time=" + keys.time);
  if (!keys.partition.empty()) option("--partition=" + sbatch_word(keys.partition));
  if (!keys.account.empty()) option("--account=" + sbatch_word(keys.account));
  for (const std::string& words : request.options) option(words);
  for (const std::string& words : keys.options) option(words);
  text += "set -e\ncd " + shell_word(request.directory) + '\n';
  for (const std::string& line : keys.setup) text += line + '\n';
  return text +
         "# srun does not take it over from sbatch.\n"
         "if [ -n \"$SLURM_CPUS_PER_TASK\" ]; then export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK; fi\n";
}

std::string slurm_work(const std::string& command) {
  return before_the_command + command + after_the_command;
}

std::string slurm_restart(int restarts, const std::string& command) {
  return fmt::format(after_work, restarts, shell_word(command));
}

void call_sbatch(const std::string& what, const std::string& command, const std::string& script,
                 const std::string& otherwise) {
  if (!is_on_path(sbatch_name))
    throw Error(ErrorKind::usage,
                fmt::format("{}: there is no sbatch here; {} is written. {}", what, script, otherwise));
  const int status = std::system(command.c_str());
  if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(ErrorKind::usage, fmt::format("{}: sbatch refused {}{}", what, script,
                                              status != -1 && WIFEXITED(status)
                                                  ? fmt::format(" (exit code {})", WEXITSTATUS(status))
                                                  : std::string()));
}

}  // namespace plaq::jobs
