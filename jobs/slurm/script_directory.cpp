#include "jobs/slurm/script_directory.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/common/path_registry.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

constexpr const char* job_copy = "job.toml";

}  // namespace

ScriptDirectory::ScriptDirectory(const JobFile& job, const std::string& directory, PathRegistry paths,
                                 const std::vector<std::string>& scripts)
    : keys_(job.get<SlurmKeys>()),
      directory_(fs::absolute(directory).lexically_normal()),
      program_(fs::read_symlink("/proc/self/exe")) {
  if (directory_.string().find('\n') != std::string::npos)
    throw Error(ErrorKind::usage, "run: --generate: a directory with a line break in its name");
  make_directory(directory_.string());
  const auto add = [&](const std::string& name) { paths.writes(path(name), "a script (--generate)"); };
  add(job_copy);
  for (const std::string& name : scripts) add(name);
  paths.check(ErrorKind::usage, "run");
  write_atomically(path(job_copy),
                   "# " + job.file() + " as it was when the scripts were made.\n" + job.canonical_text(),
                   true);
}

void ScriptDirectory::put(const std::string& name, const std::string& text) const {
  write_atomically(path(name), text, true);
  fs::permissions(path(name), fs::perms::owner_exec, fs::perm_options::add);
}

std::string ScriptDirectory::head(const std::string& name, int ranks, bool with_gpus,
                                  const std::vector<std::string>& options) const {
  return slurm_head(keys_, {"plaq-" + name, in_slurm_log(path(name + ".log")), ranks, with_gpus, options,
                            fs::current_path().string()});
}

std::string ScriptDirectory::run_command() const {
  return fmt::format("{} {} run {}", keys_.launcher, program(), shell_word(path(job_copy)));
}

bool asks_for_gpus(const JobFile& job) { return job.get<RunKeys>().location != "host"; }

}  // namespace plaq::jobs
