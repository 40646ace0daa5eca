#include "jobs/campaign/campaign_keys.hpp"

#include "io/gauge/link_checksum.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/slurm_keys.hpp"

namespace plaq::jobs {
namespace {

constexpr double day = 86400;

Table ensemble() {
  return {"ensemble",
          "The gauge fields.",
          {field(&EnsembleKeys::files, "files",
                 "Names of the gauge fields, relative to the directory of the campaign. {trajectory} stands "
                 "for digits, and so does {replica} if there are several Markov chains. * and ? stand for "
                 "other characters. The campaign also finds fields that appear later.")
               .need("\"run{replica}/field.{trajectory}.nersc\""),
           field(&EnsembleKeys::accept_checksums, "accept_checksums",
                 "Checksums that are accepted although the file states a different one, as in [gauge] of job "
                 "files. The list holds for all tasks that read these fields, and replaces that of their job "
                 "files.")
               .checked_by(validate_checksum)
               .such_as("[\"3f80a21c 00be11d5\"]")}};
}

Table task(const std::string& name) {
  return {
      "task." + name,
      "A job for every gauge field, or one job if it reads no gauge field. Tasks run in the order of the "
      "file, as soon as their inputs exist.",
      {field(&TaskKeys::job, "job",
             "Job file, relative to the directory of the campaign. The campaign sets [gauge] files and "
             "numbering and [output] file.")
           .need('"' + name + ".toml\""),
       field(
           &TaskKeys::gauge, "gauge",
           "Gauge fields that the task reads: ensemble, or the name of the gaugefix task that writes them."),
       field(&TaskKeys::after, "after",
             "Tasks that must be complete first, for the same gauge field, because this task reads their "
             "output, for example setups or eigenvectors.")
           .such_as("[\"setups\"]"),
       field(&TaskKeys::ladder, "ladder",
             "Fallback settings, tried one after the other if a solve misses its tolerance. Each entry has "
             "keys as in plaq run --set, with semicolons between them.")
           .such_as("[\"solver.max_iterations=20000\", \"solver.method=bicgstab; solver.precision=double\"]"),
       field(&TaskKeys::every, "every",
             "The task runs only on gauge fields whose trajectory number this key divides.")
           .within(1, 1e9)}};
}

Table workers() {
  return {
      "workers",
      "How the ranks of plaq campaign run share the work.",
      {field(&WorkerKeys::ranks_per_task, "ranks_per_task",
             "Number of ranks that work on one gauge field together; 0: all ranks.")
           .within(0, 1e6),
       field(&WorkerKeys::heartbeat, "heartbeat", "Seconds between the signs of life of a worker.")
           .within(0.1, day),
       field(&WorkerKeys::lease_timeout, "lease_timeout",
             "Seconds without a sign of life after which the items of a worker on another node are released.")
           .within(0.5, day),
       field(&WorkerKeys::reserve, "reserve",
             "Seconds before the end of the batch job in which no item is started.")
           .within(0, day),
       field(
           &WorkerKeys::watchdog, "watchdog",
           "Seconds that ranks of a worker wait for each other between items. After this time they report "
           "what they waited for, and end with exit code 7. 0: no limit. In items, 'watchdog' in [comms] of "
           "the job counts.")
           .within(0, 1e9)}};
}

Table retry() {
  return {"retry",
          "How often a gauge field is tried again before it is left out (quarantine.toml).",
          {field(&RetryKeys::bad_file, "bad_file",
                 "Number of reads of a file, on different nodes if possible, before the file counts as bad.")
               .within(1, 100),
           field(&RetryKeys::machine, "machine",
                 "Number of tries of a field after failures of nodes, GPUs, disks or memory.")
               .within(1, 100),
           field(&RetryKeys::lost, "lost",
                 "Number of times that a worker may be killed while it works on the field.")
               .within(1, 10000),
           field(&RetryKeys::node, "node",
                 "Number of consecutive failures of a node after which the workers on this node end.")
               .within(1, 1000)}};
}

Table budget() {
  return {"budget",
          "The budget of the campaign.",
          {field(&BudgetKeys::node_hours, "node_hours",
                 "Node hours, for plaq campaign status; 0: no budget is given.")
               .within(0, 1e12)}};
}

}  // namespace

Schema campaign_schema(const std::vector<std::string>& tasks) {
  Schema schema{"campaign", "Many jobs on all gauge fields of an ensemble.", {ensemble()}, slurm_rules()};
  for (const std::string& name : tasks) schema.tables.push_back(task(name));
  schema.tables.push_back(workers());
  schema.tables.push_back(retry());
  schema.tables.push_back(budget());
  schema.tables.push_back(slurm_workers_table());
  return schema;
}

}  // namespace plaq::jobs
