#include "jobs/program/command_line.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace plaq::jobs {
namespace {

class Commands {
 public:
  Commands(CLI::App& campaign, std::optional<Command>& called) : campaign_(campaign), called_(&called) {}

  // The options live as long as the command line.
  template <class Options, class Work>
  CLI::App* add(const char* name, const char* meaning, int (*run)(const Options&),
                std::shared_ptr<Options>& options) {
    options = std::make_shared<Options>();
    CLI::App* command = campaign_.add_subcommand(name, meaning);
    command->add_option("DIR", options->directory, "Directory of the campaign")->required();
    command->callback(
        [called = called_, run, options] { *called = Work{[run, options] { return run(*options); }}; });
    return command;
  }

 private:
  CLI::App& campaign_;
  std::optional<Command>* called_;
};

void add_ranks(CLI::App& command, int& ranks_per_task) {
  command
      .add_option(
          "--ranks-per-task", ranks_per_task,
          "Number of ranks that work on one gauge field together; 0: all; default: that of campaign.toml")
      ->check(CLI::Range(0, 100000000));
}

void add_tasks(CLI::App& command, std::vector<std::string>& tasks, const char* meaning) {
  command.add_option("--task", tasks, meaning)->type_name("TASK")->allow_extra_args(false);
}

void add_parallel(Commands& commands) {
  std::shared_ptr<CampaignCheckOptions> check;
  CLI::App* command = commands.add<CampaignCheckOptions, ParallelWork>(
      "check", "Read every gauge field once, and write inventory.json", check_campaign, check);
  add_ranks(*command, check->ranks_per_task);
  command->add_flag("--again", check->again, "Also read the fields that are in the inventory");

  std::shared_ptr<CampaignRunOptions> run;
  command = commands.add<CampaignRunOptions, ParallelWork>(
      "run", "Work on the items that are left; any number of programs may work on one campaign", run_campaign,
      run);
  add_ranks(*command, run->ranks_per_task);
  command
      ->add_option("--time", run->seconds, "Time limit in seconds; default: that of the Slurm job, else none")
      ->check(CLI::PositiveNumber);
  add_tasks(*command, run->tasks, "Only this task; may be repeated");

  std::shared_ptr<CampaignAuditOptions> audit;
  command = commands.add<CampaignAuditOptions, ParallelWork>(
      "audit", "Compute some results again, and compare every byte", audit_campaign, audit);
  add_ranks(*command, audit->ranks_per_task);
  command->add_option("--sample", audit->sample, "Number of gauge fields of each task; default: 3")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--seed", audit->seed, "Seed that selects the gauge fields");
  add_tasks(*command, audit->tasks, "Only this task; may be repeated");
}

void add_serial(Commands& commands) {
  std::shared_ptr<CampaignInitOptions> init;
  CLI::App* command =
      commands.add<CampaignInitOptions, SerialWork>("init", "Write a campaign.toml", init_campaign, init);
  command
      ->add_option(
          "--files", init->files,
          "Names of the gauge fields relative to DIR, for example \"../fields/f.{trajectory}.nersc\"")
      ->type_name("PATTERN");
  command->add_option("--job", init->jobs, "Job file that becomes a task; may be repeated")
      ->type_name("JOB.toml")
      ->allow_extra_args(false);

  std::shared_ptr<CampaignSubmitOptions> submit;
  command = commands.add<CampaignSubmitOptions, SerialWork>(
      "submit", "Write and submit an array of Slurm jobs", submit_campaign, submit);
  command->add_flag("--dry-run", submit->dry_run, "Only print the script");

  std::shared_ptr<CampaignStatusOptions> status;
  command =
      commands.add<CampaignStatusOptions, SerialWork>("status", "Show the progress", show_campaign, status);
  command->add_flag("--watch", status->watch, "Repeat until all work is done");
  command->add_flag("--json", status->json, "Print JSON");

  std::shared_ptr<CampaignRetryOptions> retry;
  command = commands.add<CampaignRetryOptions, SerialWork>("retry", "Try failed and quarantined items again",
                                                           retry_in_campaign, retry);
  command->add_option("ITEM", retry->items, "TASK.FIELD, TASK or FIELD");
  command->add_option("--reason", retry->reason, "Only items with this reason");
  command->add_option("--node", retry->node, "Use this node again");
  command->add_flag("--all", retry->all, "All items");

  std::shared_ptr<CampaignQuarantineOptions> quarantine;
  command = commands.add<CampaignQuarantineOptions, SerialWork>(
      "quarantine", "Leave items out; without ITEM: list the items that are left out", quarantine_in_campaign,
      quarantine);
  command->add_option("ITEM", quarantine->items, "TASK.FIELD, all.FIELD, TASK or FIELD");
  command->add_option("--reason", quarantine->reason, "Reason; default: by_hand");

  std::shared_ptr<CampaignSnapshotOptions> snapshot;
  command = commands.add<CampaignSnapshotOptions, SerialWork>(
      "snapshot", "Write the results so far to results/TASK.h5", snapshot_campaign, snapshot);
  add_tasks(*command, snapshot->tasks, "Only this task; may be repeated");

  std::shared_ptr<CampaignReportOptions> report;
  command = commands.add<CampaignReportOptions, SerialWork>("report", "Write all results to one HTML page",
                                                            report_campaign, report);
  command->add_option("--output", report->output, "File to write; default: report.html")->type_name("FILE");
}

}  // namespace

void add_campaign(CLI::App& app, std::optional<Command>& called) {
  CLI::App* campaign =
      app.add_subcommand("campaign", "Run many jobs on all gauge fields of an ensemble (docs/campaigns.md)");
  campaign->require_subcommand(1);
  Commands commands(*campaign, called);
  add_serial(commands);
  add_parallel(commands);
}

}  // namespace plaq::jobs
