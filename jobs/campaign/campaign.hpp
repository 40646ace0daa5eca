// A campaign: tasks, which are job files, on all gauge fields of an ensemble. It is a directory with
// campaign.toml, and everything else in it is relative to that; programs that work on it
// have it as their current directory.
//
//   campaign.toml, job files     what is to be done: written by users
//   quarantine.toml              what is left out, and why (jobs/campaign/quarantine.hpp)
//   rows/TASK/FIELD.h5           what a task found of a gauge field: a result file;
//                                rows/TASK/once of tasks without
//   results/TASK.h5              all of them in one, as plaq run on all fields would write it
//   inventory.json               what plaq campaign check found
//   leases/                      who works on what (jobs/campaign/lease.hpp)
//   work/WORKER/                 results that are not complete, with their journals
//   log/WORKER.jsonl, .log       what each worker did (jobs/campaign/worker_log.hpp), and what its jobs said
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/campaign/campaign_keys.hpp"
#include "jobs/common/number_pattern.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/slurm_keys.hpp"

namespace plaq::jobs {

struct Configuration {
  std::string name;  // "000120", "r01.000120": its own in the campaign
  std::string file;
  ChainNumbers numbers;
};

struct Task {
  std::string name;
  TaskKeys keys;
  std::string job_text;  // of its job file
  std::string job_type;
  bool reads_fields = true;       // else it is done once
  std::vector<int> needs;         // tasks that come before it
  std::optional<int> gauge_task;  // whose fields it reads; none: those of the ensemble

  int rungs() const { return 1 + static_cast<int>(keys.ladder.size()); }
  bool wants(const Configuration& configuration) const {
    return configuration.numbers.trajectory.value_or(0) % keys.every == 0;
  }
};

// Job that is made of the job file of a task.
struct TaskJob {
  std::string text, file;  // of the job file
  JobFile::Overrides overrides;
  bool owns_output = false;  // as JobFile::owns_output
  JobFile parse() const {
    JobFile job = JobFile::parse(text, file, overrides);
    if (owns_output) job.set_owns_output();
    return job;
  }
};

class Campaign {
 public:
  // Campaign of the current directory. Throws Error(job_file) with every mistake of campaign.toml, and for
  // job files that are wrong, tasks that need each other, and the like; Error(input_file) for a missing file.
  static Campaign read();

  EnsembleKeys ensemble;
  std::vector<Task> tasks;
  WorkerKeys workers;
  RetryKeys retry;
  BudgetKeys budget;
  SlurmKeys slurm;
  SlurmWorkerKeys slurm_workers;

  // The number of a task; -1: there is none of this name.
  int find(const std::string& task) const;

  // The gauge fields that are there, by replica and trajectory. Throws Error(job_file)
  // where two have the same numbers.
  std::vector<Configuration> configurations() const;
  // Message for a campaign without gauge fields: the pattern and the directory that was searched.
  std::string nothing_found() const;
  // Directories of gauge fields and of the files that tasks write for them.
  std::vector<std::string> written_directories() const;
  // The gauge field that a task reads: one of the ensemble, or what another task makes of it.
  std::string gauge_file(const Task& task, const Configuration& configuration) const;
  // `configuration`: null for a task that reads none. `rung`: of the ladder, from
  // 0. With `extra` overrides at last.
  TaskJob job(const Task& task, const Configuration* configuration, int rung, const std::string& output,
              const JobFile::Overrides& extra = {}) const;

 private:
  void read_job(Task& task);
  void connect(Task& task) const;
  void expect_order() const;
  void expect_own_files(const Task& task) const;
  std::string gauge_numbering(const Task& task) const;
};

inline constexpr const char* campaign_file = "campaign.toml";
inline constexpr const char* once = "once";  // in the place of a configuration's name

// "landau/000120".
struct Item {
  int task = 0;
  std::string configuration;  // its name, or `once`
  auto operator<=>(const Item&) const = default;
};
std::string item_name(const Campaign& campaign, const Item& item);
// rows/TASK/FIELD.h5 or rows/TASK/once.
std::string row_file(const Campaign& campaign, const Item& item);
/// Text of rows/TASK/once, for a task that runs once: the job as its file states it now.
std::string text_of_single_job(const Campaign& campaign, const Task& task);
/// Returns true if an item is done: its row exists and, for a task that runs once, is a row of the job as its
/// file states it now. A chain of gauge fields is therefore continued when
/// its job file asks for more of them.
bool has_row(const Campaign& campaign, const Item& item);
std::string results_file(const Task& task);  // results/TASK.h5

// Programs that work on a campaign go into its directory. Throws what Campaign::read does, and Error(usage)
// where `directory` is none or has no campaign.toml.
Campaign enter_campaign(const std::string& directory);
// Collective over all ranks: rank 0 reads for all.
Campaign enter_campaign_together(const std::string& directory);

}  // namespace plaq::jobs
