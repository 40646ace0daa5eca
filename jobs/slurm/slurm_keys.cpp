#include "jobs/slurm/slurm_keys.hpp"

#include "jobs/schema/field.hpp"

namespace plaq::jobs {
namespace {

std::vector<Key> worker_keys() {
  using Keys = SlurmWorkerKeys;
  return {field(&Keys::workers, "workers", "Batch jobs that share the work, as one array.").within(1, 10000),
          field(&Keys::ranks, "ranks", "Ranks of each of them.").within(1, 1e6),
          field(&Keys::warning, "warning",
                "Seconds before the time limit at which a batch job is told to save what it has and end.")
              .within(0, 86400)};
}

}  // namespace

Table slurm_table(const std::string& made_by, WithWorkers workers) {
  using Keys = SlurmKeys;
  Table table{
      "slurm",
      "Job scripts for Slurm: " + made_by + ". No key here changes any result.",
      {field(&Keys::ranks_per_node, "ranks_per_node", "Ranks of a node, one for each GPU.").within(1, 4096),
       field(&Keys::time, "time", "Limit of each job, as sbatch takes it."),
       field(&Keys::partition, "partition", "Partition of the cluster.")
           .such_as("\"gpu\"")
           .without("the usual one"),
       field(&Keys::account, "account", "Account that pays.").such_as("\"lattice\"").without("the usual one"),
       field(&Keys::options, "options", "Further options of sbatch.").such_as("[\"--exclusive\"]"),
       field(&Keys::setup, "setup", "Lines of shell before the program starts.")
           .such_as("[\"module load openmpi\"]")
           .of_many_lines(),
       field(&Keys::launcher, "launcher", "What starts the ranks; it may use Slurm's variables.")
           .such_as("\"mpirun -np $SLURM_NTASKS\"")}};
  if (workers == WithWorkers::yes)
    for (Key& key : worker_keys()) table.keys.push_back(std::move(key));
  return not_physics(std::move(table));
}

}  // namespace plaq::jobs
