#include "jobs/program/campaign_commands.hpp"

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
      .add_option("--ranks-per-task", ranks_per_task,
                  "Ranks that work on one gauge field together; 0: all; default: as campaign.toml says")
      ->check(CLI::Range(0, 100000000));
}

void add_tasks(CLI::App& command, std::vector<std::string>& tasks, const char* meaning) {
  command.add_option("--task", tasks, meaning)->type_name("TASK")->allow_extra_args(false);
}

void add_parallel(Commands& commands) {
  std::shared_ptr<CampaignCheckOptions> check;
  CLI::App* command = commands.add<CampaignCheckOptions, ParallelWork>(
      "check", "Read every gauge field once: inventory.json", check_campaign, check);
  add_ranks(*command, check->ranks_per_task);
  command->add_flag("--again", check->again, "Also those that the inventory has");

  std::shared_ptr<CampaignRunOptions> run;
  command = commands.add<CampaignRunOptions, ParallelWork>(
      "run", "Do what is left to do; any number of programs may work on one campaign", run_campaign, run);
  add_ranks(*command, run->ranks_per_task);
  command
      ->add_option("--time", run->seconds,
                   "Seconds that this program has; default: as Slurm says, else no end")
      ->check(CLI::PositiveNumber);
  add_tasks(*command, run->tasks, "Only this task; may be given many times");

  std::shared_ptr<CampaignAuditOptions> audit;
  command = commands.add<CampaignAuditOptions, ParallelWork>(
      "audit", "Compute some results again and compare every byte", audit_campaign, audit);
  add_ranks(*command, audit->ranks_per_task);
  command->add_option("--sample", audit->sample, "Gauge fields of each task; default: 3")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--seed", audit->seed, "Another seed, another sample");
  add_tasks(*command, audit->tasks, "Only this task; may be given many times");
}

void add_serial(Commands& commands) {
  std::shared_ptr<CampaignInitOptions> init;
  CLI::App* command =
      commands.add<CampaignInitOptions, SerialWork>("init", "Make a campaign.toml", init_campaign, init);
  command
      ->add_option("--files", init->files, "Names of the gauge fields, such as \"field.{trajectory}.nersc\"")
      ->type_name("PATTERN");
  command->add_option("--job", init->jobs, "Job file that becomes a task; may be given many times")
      ->type_name("JOB.toml")
      ->allow_extra_args(false);

  std::shared_ptr<CampaignSubmitOptions> submit;
  command = commands.add<CampaignSubmitOptions, SerialWork>(
      "submit", "Write and submit an array of Slurm jobs", submit_campaign, submit);
  command->add_flag("--dry-run", submit->dry_run, "Only print the script");

  std::shared_ptr<CampaignStatusOptions> status;
  command =
      commands.add<CampaignStatusOptions, SerialWork>("status", "Say how far it is", show_campaign, status);
  command->add_flag("--watch", status->watch, "Again and again, until all is done");
  command->add_flag("--json", status->json, "Print JSON");

  std::shared_ptr<CampaignRetryOptions> retry;
  command = commands.add<CampaignRetryOptions, SerialWork>("retry", "Try again what failed or is left out",
                                                           retry_in_campaign, retry);
  command->add_option("ITEM", retry->items, "TASK.FIELD, TASK or FIELD");
  command->add_option("--reason", retry->reason, "What is left out for this reason");
  command->add_option("--node", retry->node, "This node is sound again");
  command->add_flag("--all", retry->all, "Everything");

  std::shared_ptr<CampaignQuarantineOptions> quarantine;
  command = commands.add<CampaignQuarantineOptions, SerialWork>(
      "quarantine", "Leave items out, or without ITEM list what is left out", quarantine_in_campaign,
      quarantine);
  command->add_option("ITEM", quarantine->items, "TASK.FIELD, all.FIELD, TASK or FIELD");
  command->add_option("--reason", quarantine->reason, "Why; default: by_hand");

  std::shared_ptr<CampaignSnapshotOptions> snapshot;
  command = commands.add<CampaignSnapshotOptions, SerialWork>(
      "snapshot", "Put together what is done so far: results/TASK.h5", snapshot_campaign, snapshot);
  add_tasks(*command, snapshot->tasks, "Only this task; may be given many times");

  std::shared_ptr<CampaignReportOptions> report;
  command = commands.add<CampaignReportOptions, SerialWork>(
      "report", "Make a page of all that was found: HTML", report_campaign, report);
  command->add_option("--output", report->output, "File to write; default: report.html")->type_name("FILE");
}

}  // namespace

void add_campaign(CLI::App& app, std::optional<Command>& called) {
  CLI::App* campaign = app.add_subcommand(
      "campaign", "Work on an ensemble: many jobs on all gauge fields (docs/campaigns.md)");
  campaign->require_subcommand(1);
  Commands commands(*campaign, called);
  add_serial(commands);
  add_parallel(commands);
}

}  // namespace plaq::jobs
