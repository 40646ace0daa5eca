// Plan of a job: the resources that it would take and the files that it would write: plaq plan. The job's own
// code runs dry (core/system/dry_run.hpp). All ranks have the same local lattice, so one plan is every
// rank's.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

#include "core/system/dry_run.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/model/machine_model.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

class Plan {
 public:
  // Runs the job dry, with its errors. ranks_per_node: 0 for all. `counts`: where passes are counted. Serial.
  Plan(const JobFile& job, int ranks, Location location, int ranks_per_node = 0,
       const DryRun::Assumptions& assumptions = {}, TraceCounts* counts = nullptr);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  const JobFile& job() const { return job_; }
  const DryRun& run() const { return run_; }
  int ranks() const { return run_.machine().ranks; }
  int ranks_per_node() const { return run_.machine().ranks_per_node; }
  Location location() const { return run_.machine().location; }
  const Geometry& geometry() const { return *run_.geometry(); }  // without halo; of several the largest
  std::vector<DryFile> files() const;                            // what stays comes first
  // Sections of the trace: what is repeated comes before setups, which are done once a gauge field.
  std::vector<const PerformanceTrace::Section*> sections() const;
  const Ledger::Peak& peak(Location location) const { return run_.memory().peak(location); }

  // Sets the machine on which it would run, for predictions of time.
  void set_machine(MachineModel machine) { machine_ = std::move(machine); }
  const std::optional<MachineModel>& machine() const { return machine_; }

 private:
  const JobFile& job_;
  DryRun run_;
  std::optional<MachineModel> machine_;
};

// For users, lines of at most 80 characters but for file names; and for programs.
std::string plan_text(const Plan& plan);
std::string plan_json(const Plan& plan);

// Time of the repeated work of a planned job, by the model of jobs/model.
//
// Returns the machine that the options name, with what their files measured, for how the job moves faces.
// Throws as machine_named and take_measurements do.
MachineModel planned_machine(const PlanOptions& options, const JobFile& job);

// The prediction for a plan; empty, null, where the plan has no machine.
std::string prediction_text(const Plan& plan);
nlohmann::ordered_json prediction_json(const Plan& plan);

}  // namespace plaq::jobs
