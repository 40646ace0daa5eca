// Options of plaq campaign on the command line.
#pragma once

#include <string>
#include <vector>

namespace plaq::jobs {

struct CampaignRunOptions {
  std::string directory = ".";
  int ranks_per_task = -1;         // -1: as campaign.toml says
  double seconds = 0;              // that the program may take; 0: as the batch system says, if any does
  std::vector<std::string> tasks;  // empty: all
};

struct CampaignCheckOptions {
  std::string directory = ".";
  int ranks_per_task = -1;
  bool again = false;  // also fields that are known
};

struct CampaignAuditOptions {
  std::string directory = ".";
  int ranks_per_task = -1;
  int sample = 3;  // of each task
  int seed = 0;    // which
  std::vector<std::string> tasks;
};

struct CampaignInitOptions {
  std::string directory = ".";
  std::string files;              // pattern of the gauge fields
  std::vector<std::string> jobs;  // job files
};

struct CampaignSubmitOptions {
  std::string directory = ".";
  bool dry_run = false;
};

struct CampaignStatusOptions {
  std::string directory = ".";
  bool json = false, watch = false;
};

// Items: TASK.FIELD, all.FIELD, TASK, FIELD.
struct CampaignRetryOptions {
  std::string directory = ".";
  std::vector<std::string> items;
  std::string node;    // that counts as sound again
  std::string reason;  // of those that are tried again
  bool all = false;
};

struct CampaignQuarantineOptions {
  std::string directory = ".";
  std::vector<std::string> items;  // empty: list what is left out
  std::string reason;
};

struct CampaignSnapshotOptions {
  std::string directory = ".";
  std::vector<std::string> tasks;
};

struct CampaignReportOptions {
  std::string directory = ".";
  std::string output = "report.html";  // from where the program is started
};

// Collective over all ranks; they return the exit code.
int run_campaign(const CampaignRunOptions& options);
int check_campaign(const CampaignCheckOptions& options);
int audit_campaign(const CampaignAuditOptions& options);
// Serial, without MPI.
int init_campaign(const CampaignInitOptions& options);
int submit_campaign(const CampaignSubmitOptions& options);
int show_campaign(const CampaignStatusOptions& options);
int retry_in_campaign(const CampaignRetryOptions& options);
int quarantine_in_campaign(const CampaignQuarantineOptions& options);
int snapshot_campaign(const CampaignSnapshotOptions& options);
int report_campaign(const CampaignReportOptions& options);

}  // namespace plaq::jobs
