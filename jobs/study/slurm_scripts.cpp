// plaq run JOB.toml --generate DIRECTORY: a study as a chain of Slurm jobs.
//
// There is one job for each number of ranks. Each runs the whole study and so measures what is still missing
// up to its number; it begins when the one before it has ended, well or not, since they share a journal. The
// last one draws the results. submit.sh submits them all.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "jobs/schema/common_keys.hpp"
#include "jobs/slurm/script_directory.hpp"
#include "jobs/study/study_spec.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* collecting_script = "collect.sh";

std::string measuring_script(int ranks) { return fmt::format("ranks-{}.sh", ranks); }

std::string collecting(const JobFile& job, const ScriptDirectory& scripts) {
  const std::string results = job.get<OutputKeys>().file;
  std::filesystem::path stem(results);
  stem.replace_extension();
  std::string text = scripts.head("collect", 1, false, {});
  const std::string table = job.get<StudyTextKeys>().table;
  if (!table.empty()) text += "cat " + shell_word(table) + '\n';
  return text + fmt::format("exec {} plot {} --output {} --json {}\n", scripts.program(), shell_word(results),
                            shell_word(stem.string() + ".pdf"), shell_word(stem.string() + ".plots.json"));
}

}  // namespace

void write_study_scripts(const JobFile& job, const std::string& directory) {
  const StudySpec spec(job);
  if (!spec.names_ranks()) return write_job_scripts(job, directory);
  std::set<int> counts(spec.ranks.begin(), spec.ranks.end());
  for (const Extents& grid : spec.grids) counts.insert(grid[0] * grid[1] * grid[2] * grid[3]);
  std::vector<std::string> names;
  for (const int ranks : counts) names.push_back(measuring_script(ranks));
  names.emplace_back(collecting_script);
  names.emplace_back(submit_script);
  const ScriptDirectory scripts(job, directory, paths_of_job(job, files_of_study(job, {}, {}, {})), names);
  std::string submit =
      "#!/bin/bash\n# Each job goes on from what those before it have measured.\nset -e\nafter=\n";
  const auto add = [&](const std::string& script, const std::string& text) {
    scripts.put(script, text);
    submit += fmt::format(
        "id=$(sbatch --parsable $after {})\necho \"{}: job ${{id%%;*}}\"\n"
        "after=--dependency=afterany:${{id%%;*}}\n",
        shell_word(scripts.path(script)), script);
  };
  const std::vector<std::string> warning = slurm_warning(job.get<SlurmKeys>());
  for (const int ranks : counts)
    add(measuring_script(ranks),
        scripts.head(fmt::format("ranks-{}", ranks), ranks, asks_for_gpus(job), warning) +
            slurm_work(scripts.run_command()) + "exit $code\n");
  add(collecting_script, collecting(job, scripts));
  scripts.put(submit_script, submit);
}

}  // namespace plaq::jobs
