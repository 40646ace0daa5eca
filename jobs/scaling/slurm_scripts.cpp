// plaq run JOB.toml --generate DIRECTORY: a scaling study as a chain of Slurm jobs.
//
// There is one job for each number of ranks. Each runs the whole study and so measures what is still missing
// up to its number; it begins when the one before it has ended, well or not, since they share a journal. The
// last one draws the results. submit.sh submits them all.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <set>

#include "core/system/error.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/scaling/scaling_keys.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/slurm/slurm_script.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

class Scripts {
 public:
  Scripts(const JobFile& job, const fs::path& directory)
      : job_(job),
        directory_(fs::absolute(directory).lexically_normal()),
        program_(fs::read_symlink("/proc/self/exe")) {
    if (directory_.string().find('\n') != std::string::npos)
      throw Error(ErrorKind::usage, "run: --generate: a directory with a line break in its name");
  }

  void write() {
    const ScalingKeys keys(job_);
    std::set<int> counts;
    for (const ScalingPoint& point : keys.points()) counts.insert(point.ranks());
    check_names(counts);
    put("job.toml", "# " + job_.file() + " as it was when the scripts were made.\n" + job_.canonical_text(),
        false);
    std::string submit =
        "#!/bin/bash\n# Each job goes on from what those before it have measured.\nset -e\nafter=\n";
    const auto add = [&](const std::string& script) {
      submit += fmt::format(
          "id=$(sbatch --parsable $after {})\necho \"{}: job ${{id%%;*}}\"\n"
          "after=--dependency=afterany:${{id%%;*}}\n",
          shell_word(path(script)), script);
    };
    for (const int ranks : counts) {
      const std::string script = fmt::format("ranks-{}.sh", ranks);
      put(script, measuring(ranks), true);
      add(script);
    }
    put("collect.sh", collecting(), true);
    add("collect.sh");
    put("submit.sh", submit, true);
  }

  const fs::path& directory() const { return directory_; }

 private:
  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  void check_names(const std::set<int>& counts) const {
    PathRegistry paths = paths_of_job(job_, files_of_scaling(job_, {}));
    const auto add = [&](const std::string& name) { paths.writes(path(name), "a script (--generate)"); };
    for (const char* name : {"job.toml", "collect.sh", "submit.sh"}) add(name);
    for (const int ranks : counts) add(fmt::format("ranks-{}.sh", ranks));
    paths.check(ErrorKind::usage, "run");
  }

  void put(const std::string& name, const std::string& text, bool executable) const {
    write_atomically(path(name), text, true);
    if (executable) fs::permissions(path(name), fs::perms::owner_exec, fs::perm_options::add);
  }

  std::string head(const std::string& name, int ranks, bool with_gpus) const {
    return slurm_head(
        keys_, {"plaq-" + name, path(name + ".log"), ranks, with_gpus, {}, fs::current_path().string()});
  }

  std::string measuring(int ranks) const {
    return head(fmt::format("ranks-{}", ranks), ranks, job_.get<RunKeys>().location != "host") +
           fmt::format("exec {} {} run {}\n", keys_.launcher, shell_word(program_.string()),
                       shell_word(path("job.toml")));
  }

  std::string collecting() const {
    const std::string results = job_.get<OutputKeys>().file;
    fs::path stem(results);
    stem.replace_extension();
    std::string text = head("collect", 1, false);
    const std::string table = job_.get<ScalingTextKeys>().table;
    if (!table.empty()) text += "cat " + shell_word(table) + '\n';
    return text + fmt::format("exec {} plot {} --output {} --json {}\n", shell_word(program_.string()),
                              shell_word(results), shell_word(stem.string() + ".pdf"),
                              shell_word(stem.string() + ".plots.json"));
  }

  const JobFile& job_;
  SlurmKeys keys_ = job_.get<SlurmKeys>();
  fs::path directory_, program_;
};

}  // namespace

void write_scaling_scripts(const JobFile& job, const std::string& directory) {
  std::error_code failure;
  fs::create_directories(directory, failure);
  if (failure)
    throw Error(ErrorKind::output_file, fmt::format("cannot make {}: {}", directory, failure.message()));
  Scripts scripts(job, directory);
  scripts.write();
  fmt::print("{}\n", (scripts.directory() / "submit.sh").string());
  std::fflush(stdout);
}

}  // namespace plaq::jobs
