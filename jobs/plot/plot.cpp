#include "jobs/plot/plot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

// The exit code; nothing when the program could not be started. `quiet`: without its standard error.
std::optional<int> execute(const std::vector<std::string>& words, bool quiet) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (quiet) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return std::nullopt;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The first Python that has what the helper needs: distributions' packages belong to their own Python, and
// another may come first in PATH.
std::string find_python() {
  std::vector<std::string> candidates = {"python3", "/usr/bin/python3"};
  if (const char* named = std::getenv("PLAQ_PYTHON")) candidates = {named};
  for (const auto& python : candidates)
    if (execute({python, "-c", "import h5py, matplotlib"}, true) == 0) return python;
  throw Error(
      ErrorKind::usage,
      fmt::format("plot needs Python 3 with h5py and matplotlib, and none was found ({}). On Debian or "
                  "Ubuntu: apt-get install python3-h5py python3-matplotlib. PLAQ_PYTHON names another",
                  fmt::join(candidates, ", ")));
}

// In the build tree and in the installed one alike.
std::string find_helper() {
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  const auto helper = program.parent_path().parent_path() / "share/plaq/plot";
  if (problem || !std::filesystem::exists(helper / "__main__.py", problem))
    throw Error(ErrorKind::internal,
                fmt::format("plot: {} is missing from this installation", helper.string()));
  return helper.string();
}

}  // namespace

int run_plot(const PlotOptions& options) {
  std::vector<std::string> words = {find_python(), find_helper(), options.file};
  if (!options.output.empty()) words.insert(words.end(), {"--output", options.output});
  if (!options.json.empty()) words.insert(words.end(), {"--json", options.json});
  if (options.all) words.push_back("--all");
  return execute(words, false).value_or(exit_code(ErrorKind::internal));
}

}  // namespace plaq::jobs
