#include "jobs/campaign/campaign_schema.hpp"

#include "io/gauge/accepted_checksums.hpp"
#include "jobs/campaign/campaign_keys.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "jobs/schema/use_settings.hpp"

namespace plaq::jobs {
namespace {

constexpr double day = 86400;

Table ensemble() {
  return {
      "ensemble",
      "The gauge fields.",
      {field(&EnsembleKeys::files, "files",
             "Names of the gauge fields, from the directory of the campaign: {trajectory}, and {replica} "
             "where there are several Markov chains, stand for digits, * and ? for other characters. Fields "
             "that come later are found.")
           .need("\"run{replica}/field.{trajectory}.nersc\""),
       field(&EnsembleKeys::accept_checksums, "accept_checksums",
             "As in [gauge] of job files, for all tasks that read these fields, and instead of what their "
             "job files say: checksums of links that are taken although their file states another one.")
           .checked_by(fault_of_checksum)
           .such_as("[\"3f80a21c 00be11d5\"]")}};
}

Table task(const std::string& name) {
  return {
      "task." + name,
      "A job that is done for every gauge field, or once where it reads none. Tasks are done in the order of "
      "the file as far as what they need is there.",
      {field(
           &TaskKeys::job, "job",
           "Job file, from the directory of the campaign; [gauge] files and numbering and [output] file are "
           "those of the campaign.")
           .need('"' + name + ".toml\""),
       field(&TaskKeys::gauge, "gauge",
             "Gauge fields that it reads: ensemble, or those that another task writes (gaugefix)."),
       field(
           &TaskKeys::after, "after",
           "Tasks that must be done first, for the same gauge field or, where they read none, once: because "
           "this one reads what they write, as setups or eigenvectors.")
           .such_as("[\"setups\"]"),
       field(
           &TaskKeys::ladder, "ladder",
           "What is set, one after the other, where a solve misses its tolerance: keys as of plaq run --set, "
           "with semicolons between them.")
           .such_as("[\"solver.max_iterations=20000\", \"solver.method=bicgstab; solver.precision=double\"]"),
       field(&TaskKeys::every, "every", "Only gauge fields whose trajectory it divides.").within(1, 1e9)}};
}

Table workers() {
  return {
      "workers",
      "How the ranks of plaq campaign run share the work.",
      {field(&WorkerKeys::ranks_per_task, "ranks_per_task",
             "Ranks that work on one gauge field together; 0: all of the program.")
           .within(0, 1e6),
       field(&WorkerKeys::heartbeat, "heartbeat", "Seconds between the signs of life of a worker.")
           .within(0.1, day),
       field(&WorkerKeys::lease_timeout, "lease_timeout",
             "Seconds without a sign of life after which a worker on another node loses what it has in hand.")
           .within(0.5, day),
       field(&WorkerKeys::reserve, "reserve",
             "Seconds before the end of the batch job in which nothing is begun.")
           .within(0, day)}};
}

Table retry() {
  return {
      "retry",
      "When a gauge field is tried again, and when it is left out (quarantine.toml).",
      {field(&RetryKeys::bad_file, "bad_file",
             "Times that a file is read, on other nodes where there are any, before it counts as bad.")
           .within(1, 100),
       field(&RetryKeys::machine, "machine",
             "Times that a field is tried where nodes, GPUs, disks or memory failed.")
           .within(1, 100),
       field(&RetryKeys::lost, "lost", "Times that a worker may be killed with it in hand.").within(1, 10000),
       field(&RetryKeys::node, "node", "Failures of a node in a row after which workers on it end.")
           .within(1, 1000)}};
}

Table budget() {
  return {"budget",
          "What the campaign may cost.",
          {field(&BudgetKeys::node_hours, "node_hours", "Node hours, for plaq campaign status; 0: not said.")
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
