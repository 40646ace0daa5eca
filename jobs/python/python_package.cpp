#include "jobs/python/python_package.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

struct Part {
  std::string command;                    // of the program
  std::string name;                       // of the package within plaq
  std::vector<std::string> modules;       // that it cannot do without
  std::string packages;                   // of Debian and Ubuntu that have them
  std::vector<std::string> welcome = {};  // modules by which a Python with them is preferred
};

const Part analysis = {"analyse", "analysis", {"h5py", "numpy"}, "python3-h5py python3-numpy", {"pyerrors"}};
const Part plots = {"plot", "plots", {"h5py", "matplotlib"}, "python3-h5py python3-matplotlib"};
const Part report = {"report",
                     "report",
                     {"h5py", "numpy", "matplotlib"},
                     "python3-h5py python3-numpy python3-matplotlib",
                     {"pyerrors"}};

// The exit code of python/plaq/start.py by a Python that cannot import the modules.
constexpr int modules_are_missing = 111;

std::string read_all(int end) {
  std::string all;
  char some[4096];
  for (;;) {
    const auto count = ::read(end, some, sizeof some);
    if (count > 0) all.append(some, static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) return all;
  }
}

// The environment of Python. An empty or relative entry of PYTHONPATH, as PYTHONPATH=DIR:$PYTHONPATH leaves
// it where there was none, would make Python import modules of the directory that it is started in.
std::vector<std::string> environment_of_python() {
  constexpr std::string_view key = "PYTHONPATH=";
  std::vector<std::string> found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with(key)) {
      found.emplace_back(text);
      continue;
    }
    std::string kept;
    std::istringstream folders{std::string(text.substr(key.size()))};
    for (std::string folder; std::getline(folders, folder, ':');)
      if (folder.starts_with('/')) kept += (kept.empty() ? "" : ":") + folder;
    if (!kept.empty()) found.push_back(std::string(key) + kept);
  }
  return found;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> found;
  for (const auto& word : words) found.push_back(const_cast<char*>(word.c_str()));
  found.push_back(nullptr);
  return found;
}

// The exit code; nothing when the program could not be started. `quiet`: without its standard error.
// `output`: where its standard output is put.
std::optional<int> execute(const std::vector<std::string>& words, bool quiet, std::string* output = nullptr) {
  const std::vector<std::string> variables = environment_of_python();
  const std::vector<char*> arguments = pointers(words), environment = pointers(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (quiet) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int ends[2] = {-1, -1};
  if (output) {
    if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  }
  pid_t child = 0;
  const int failed =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (output) {
    ::close(ends[1]);
    if (failed == 0) *output = read_all(ends[0]);
    ::close(ends[0]);
  }
  if (failed != 0) return std::nullopt;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Runs one line of Python that imports nothing from the current directory, which is first in sys.path of
// python3 -c. Isolated mode (-I) would also hide packages of the user and
// of PYTHONPATH, which clusters' modules set.
bool succeeds(const std::string& python, const std::string& script) {
  return execute({python, "-c", "import sys; sys.path = [p for p in sys.path if p]; " + script}, true) == 0;
}

bool has_modules(const std::string& python, const std::vector<std::string>& modules) {
  return succeeds(python, fmt::format("import {}", fmt::join(modules, ", ")));
}

// Looks for modules without the time that importing large ones takes.
bool lists_modules(const std::string& python, const std::vector<std::string>& modules) {
  return succeeds(python, fmt::format("import importlib.util as u; "
                                      "sys.exit(any(u.find_spec(m) is None for m in '{}'.split()))",
                                      fmt::join(modules, " ")));
}

std::vector<std::string> candidates_for_python() {
  if (const char* named = std::getenv("PLAQ_PYTHON")) return {named};
  return {"python3", "/usr/bin/python3"};
}

// plaq/start.py, relative to the folder around bin/: of an installed tree or a wheel, and of a build tree.
// Nothing where the package is missing.
std::optional<std::string> find_start() {
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (problem) return std::nullopt;
  for (const char* folder : {PLAQ_PYTHON_DIRECTORY, "python/plaq"}) {
    const auto start = program.parent_path().parent_path() / folder / "start.py";
    if (std::filesystem::exists(start, problem)) return start.string();
  }
  return std::nullopt;
}

std::vector<std::string> words_of(const std::string& python, const std::string& start, const Part& part,
                                  const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {python, start, part.name,
                                    fmt::format("{}", fmt::join(part.modules, ","))};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

// Several Pythons may have what the part needs: those with welcome modules are tried first.
std::vector<std::string> ordered_candidates(const Part& part) {
  auto found = candidates_for_python();
  if (found.size() > 1 && !part.welcome.empty())
    std::stable_partition(found.begin(), found.end(),
                          [&](const std::string& python) { return lists_modules(python, part.welcome); });
  return found;
}

// Distributions' packages belong to their own Python, and another may come first in PATH: start.py ends with
// modules_are_missing before it does anything else where it cannot import what the part needs.
int run_part(const Part& part, const std::vector<std::string>& arguments) {
  const auto start = find_start();
  if (!start)
    throw Error(ErrorKind::internal,
                fmt::format("{}: the Python package plaq is missing from this installation, in {}",
                            part.command, PLAQ_PYTHON_DIRECTORY));
  const auto candidates = ordered_candidates(part);
  for (const auto& python : candidates) {
    const auto code = execute(words_of(python, *start, part, arguments), false);
    if (!code || *code == modules_are_missing) continue;
    const bool was_killed = *code > 128;  // a broken module may do so, too
    if (!was_killed || has_modules(python, part.modules)) return *code;
  }
  throw Error(ErrorKind::usage,
              fmt::format("{} needs Python 3 with {}, and none was found ({}). On Debian or Ubuntu: "
                          "apt-get install {}. PLAQ_PYTHON names another",
                          part.command, fmt::join(part.modules, " and "), fmt::join(candidates, ", "),
                          part.packages));
}

}  // namespace

int run_analyse(const AnalyseOptions& options) {
  std::vector<std::string> words = options.options;
  words.push_back("--");
  words.insert(words.end(), options.files.begin(), options.files.end());
  return run_part(analysis, words);
}

int run_plot(const PlotOptions& options) {
  std::vector<std::string> words = {options.file};
  if (!options.output.empty()) words.insert(words.end(), {"--output", options.output});
  if (!options.json.empty()) words.insert(words.end(), {"--json", options.json});
  for (const auto& channel : options.channels) words.push_back("--channel=" + channel);
  if (!options.momentum.empty()) words.push_back("--momentum=" + options.momentum);
  for (const auto& window : options.windows) words.push_back("--window=" + window);
  if (!options.weights.empty()) words.push_back("--weights=" + options.weights);
  for (const auto& blind : options.blind) words.push_back("--blind=" + blind);
  if (options.stability) words.push_back("--windows");
  if (options.all) words.push_back("--all");
  return run_part(plots, words);
}

int run_report(const std::string& data, const std::string& output) {
  return run_part(report, {data, output});
}

std::optional<std::string> brief_values(const std::string& path) {
  const auto start = find_start();
  if (!start) return std::nullopt;
  for (const auto& python : candidates_for_python()) {
    std::string output;
    if (execute(words_of(python, *start, analysis, {"--brief", "--", path}), true, &output) == 0)
      return output;
  }
  return std::nullopt;
}

}  // namespace plaq::jobs
