#include "jobs/schema/slurm_keys.hpp"

#include <fmt/format.h>

#include <charconv>

#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {
namespace {

using Keys = SlurmKeys;

Key ranks_key(const char* meaning, const char* otherwise) {
  return field(&Keys::ranks, "ranks", meaning).within(1, 1e6).without(otherwise).such_as("16");
}

Key restarts_key() {
  return field(&Keys::restarts, "restarts",
               "How often Slurm starts the batch job again if its time ended before the work was complete. "
               "The job continues from its journal. 0: the log says how to continue.")
      .within(0, 10000);
}

std::vector<Key> common_slurm_keys() {
  return {
      field(&Keys::ranks_per_node, "ranks_per_node", "Number of ranks on a node, one for each GPU.")
          .within(1, 4096),
      field(&Keys::cores_per_rank, "cores_per_rank", "Number of cores of each rank (--cpus-per-task).")
          .within(1, 4096)
          .without("the default of the cluster")
          .such_as("14"),
      field(&Keys::time, "time", "Time limit of each batch job, in a form that sbatch accepts."),
      field(&Keys::warning, "warning",
            "Seconds before the time limit at which Slurm tells the job to save its state and end; 0: never.")
          .within(0, 65535),
      field(&Keys::partition, "partition", "Slurm partition.")
          .such_as("\"gpu\"")
          .without("the default of the cluster"),
      field(&Keys::account, "account", "Slurm account that is charged.")
          .such_as("\"lattice\"")
          .without("the default of the cluster"),
      field(&Keys::options, "options", "Additional options of sbatch.").such_as("[\"--exclusive\"]"),
      field(&Keys::setup, "setup", "Shell commands that run before the program starts.")
          .such_as("[\"module load openmpi\"]")
          .of_many_lines(),
      field(&Keys::launcher, "launcher", "Command that starts the ranks. It may use variables of Slurm.")
          .such_as("\"mpirun -np $SLURM_NTASKS\"")};
}

// Numbers between separators.
std::optional<std::vector<std::int64_t>> numbers_between(std::string_view text, char separator) {
  std::vector<std::int64_t> numbers;
  for (;;) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0 || number > 1000000) return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return numbers;
    if (text.front() != separator) return std::nullopt;
    text.remove_prefix(1);
  }
}

void check_time(Problems& problems, const SlurmKeys& keys) {
  const auto seconds = seconds_of_slurm_time(keys.time);
  if (!seconds)
    problems.add(
        "slurm.time",
        fmt::format("'{}' is not a time as sbatch takes it; write it such as \"04:00:00\" or \"1-12:00:00\"",
                    keys.time));
  else if (*seconds <= keys.warning)
    problems.add("slurm.time",
                 fmt::format("{} are not more than the {} seconds of 'warning'", keys.time, keys.warning));
}

}  // namespace

std::optional<std::int64_t> seconds_of_slurm_time(std::string_view text) {
  std::int64_t days = 0;
  const auto dash = text.find('-');
  if (dash != std::string_view::npos) {
    const auto before = numbers_between(text.substr(0, dash), '-');
    if (!before) return std::nullopt;
    days = before->front();
    text.remove_prefix(dash + 1);
  }
  const auto found = numbers_between(text, ':');
  if (!found || found->size() > 3) return std::nullopt;
  std::vector<std::int64_t> t = *found;
  if (dash == std::string_view::npos && t.size() < 3) t.insert(t.begin(), 0);  // from minutes on
  t.resize(3, 0);
  return ((days * 24 + t[0]) * 60 + t[1]) * 60 + t[2];
}

Table slurm_table() {
  return not_physics({"slurm",
                      "A Slurm batch job for this job file, made by `plaq run JOB.toml --generate DIRECTORY` "
                      "or `--submit`. No key of this table changes a result.",
                      joined<Key>({{ranks_key("Number of ranks.",
                                              "the product of [comms] process_grid, else ranks_per_node")},
                                   common_slurm_keys(),
                                   {restarts_key()}})});
}

Table slurm_workers_table() {
  return not_physics(
      {"slurm",
       "Batch jobs of Slurm that share the work: plaq campaign submit. No key here changes any result.",
       joined<Key>(
           {{field(&SlurmWorkerKeys::workers, "workers", "Batch jobs, as one array.").within(1, 10000),
             ranks_key("Ranks of each of them.", "ranks_per_node")},
            common_slurm_keys(),
            {restarts_key()}})});
}

std::vector<Rule> slurm_rules() {
  return {{{"slurm.time", "slurm.warning"},
           "The time has one of the forms of sbatch: M, M:S, H:M:S, D-H, D-H:M or D-H:M:S. It must be longer "
           "than the warning.",
           check_time}};
}

}  // namespace plaq::jobs
