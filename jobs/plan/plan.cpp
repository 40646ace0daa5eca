#include "jobs/plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "comms/communicator/mpi_session.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/plan/plan_cost.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {
namespace {

Location location_of(const JobFile& job, const PlanOptions& options) {
  if (!options.gpu.empty()) return Location::device;
  const std::string& asked = options.location;
  const std::string where = asked.empty() ? job.get<RunKeys>().location : asked;
  if (where == "auto") return device_count() > 0 ? Location::device : Location::host;
  return where == "gpu" ? Location::device : Location::host;
}

// "NAME=VALUE" each; the last of a name counts.
struct Assumed {
  DryRun::Assumptions run;
  std::int64_t configurations = 0;  // 0: those of the job
};
Assumed assumptions_of(const std::vector<std::string>& texts) {
  Assumed all;
  DryRun::Assumptions& assumed = all.run;
  for (const std::string& text : texts) {
    const auto refuse = [&] {
      throw Error(
          ErrorKind::usage,
          fmt::format("plan: --assume {}: expected iterations=N, iterations:TERM=N, coarse_iterations=N, "
                      "sweeps=N or configurations=N with N of at least 1, temporal_gauge=yes or "
                      "temporal_gauge=no",
                      text));
    };
    const auto equals = text.find('=');
    if (equals == std::string::npos) refuse();
    const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
    if (name == "temporal_gauge" && (value == "yes" || value == "no")) {
      assumed.temporal_gauge = value == "yes";
      continue;
    }
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    if (error != std::errc() || end != value.data() + value.size() || count < 1) refuse();
    if (name.starts_with("iterations:") && name.size() > 11) {
      assumed.iterations_of[name.substr(11)] = count;
    } else if (name == "iterations") {
      assumed.iterations = count;
    } else if (name == "sweeps") {
      assumed.sweeps = count;
    } else if (name == "configurations") {
      all.configurations = count;
    } else if (name == "coarse_iterations") {
      assumed.coarse_iterations = static_cast<int>(std::min<std::int64_t>(count, 1000));
    } else {
      refuse();
    }
  }
  return all;
}

// Throws Error(usage) unless a region has this label.
void expect_regions_of(const PerformanceTrace& trace, const std::string& label) {
  DryRun::Assumptions of_label;
  of_label.iterations_of = {{label, 1}};
  std::set<std::string> labels;
  for (const PerformanceTrace::Section& section : trace.sections()) {
    if (of_label.iterations_in(section.name) > 0) return;
    std::size_t begin = 0;
    for (auto end = section.name.find(": "); end != std::string::npos; end = section.name.find(": ", begin)) {
      labels.insert(section.name.substr(begin, end - begin));
      begin = end + 2;
    }
  }
  throw Error(ErrorKind::usage,
              fmt::format("plan: --assume iterations:{}: the job has no solves of that name{}{}", label,
                          labels.empty() ? "" : "; it has those of ", fmt::join(labels, ", ")));
}

}  // namespace

Plan::Plan(const JobFile& job, int ranks, Location location, int ranks_per_node,
           const DryRun::Assumptions& assumptions, TraceCounts* counts)
    : job_(job), run_({ranks, ranks_per_node, location}, assumptions) {
  if (counts != nullptr) run_.count(*counts);
  const Quiet quiet;
  const DryRun::Scope scope(run_);
  run_job_of(job);
  for (const auto& [label, count] : assumptions.iterations_of) expect_regions_of(run_.trace(), label);
}

std::vector<DryFile> Plan::files() const {
  std::vector<DryFile> files = run_.files();
  std::stable_partition(files.begin(), files.end(), [](const DryFile& file) { return !file.temporary; });
  return files;
}

std::vector<const PerformanceTrace::Section*> Plan::sections() const {
  std::vector<const PerformanceTrace::Section*> sections;
  for (const PerformanceTrace::Section& section : run_.trace().sections()) sections.push_back(&section);
  std::stable_partition(sections.begin(), sections.end(), [](const PerformanceTrace::Section* section) {
    return section->name.find("setup of ") == std::string::npos;
  });
  return sections;
}

std::string text_of(const CostOptions& options) {
  PlanOptions plan = options.plan;
  if (plan.location == "host")
    throw Error(ErrorKind::usage, "plan: --cost is for GPUs; leave out --location host");
  if (plan.gpu.empty() && plan.networks.empty()) plan.gpu = machine_names().front();
  const JobFile job = JobFile::read(plan.run.job_file, plan.run.overrides);
  const Assumed assumed = assumptions_of(plan.assumptions);
  const Cost cost(job, planned_machine(plan, job), plan.ranks, {assumed.run, assumed.configurations});
  return plan.json ? cost_json(cost) : cost_text(cost);
}

std::string text_of(const PlanOptions& options) {
  if (!options.gpu.empty() && options.location == "host")
    throw Error(ErrorKind::usage, "plan: --gpu says that it would run on GPUs, --location that it would not");
  const JobFile job = JobFile::read(options.run.job_file, options.run.overrides);
  const Assumed assumed = assumptions_of(options.assumptions);
  if (assumed.configurations > 0)
    throw Error(ErrorKind::usage, "plan: --assume configurations is for --cost");
  std::optional<MachineModel> machine;
  if (!options.gpu.empty() || !options.networks.empty()) machine = planned_machine(options, job);
  const int ranks = options.ranks > 0 ? options.ranks : launcher_rank().size;
  const int of_a_node = machine ? machine->ranks_per_node : options.ranks_per_node;
  if (machine) machine->check_complete(ranks);
  Plan plan(job, ranks, location_of(job, options), of_a_node < ranks ? of_a_node : 0, assumed.run);
  if (machine) plan.set_machine(std::move(*machine));
  return options.json ? plan_json(plan) : plan_text(plan);
}

}  // namespace plaq::jobs
