#include "jobs/plan/plan.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/common/failure.hpp"
#include "jobs/plan/plan_parts.hpp"
#include "jobs/plan/plan_prediction.hpp"

namespace plaq::jobs {
namespace {

struct Planner {
  const char* job;
  void (*plan)(Plan&);
};
constexpr Planner planners[] = {{"kernel_study", plan_kernel_study}, {"scaling", plan_scaling}};

// Warnings of a run are not a plan's.
class Quiet {
 public:
  Quiet() : before_(log::level()) { log::set_level(log::Level::error); }
  ~Quiet() { log::set_level(before_); }

 private:
  log::Level before_;
};

// The job itself, on a machine that counts.
void run_dry(Plan& plan) {
  DryRun dry({plan.ranks(), plan.ranks_per_node(), plan.location()});
  {
    const Quiet quiet;
    const DryRun::Scope scope(dry);
    run_job_of(plan.job());
  }
  plan.take(dry);
}

Location location_of(const JobFile& job, const PlanOptions& options) {
  if (!options.gpu.empty()) return Location::device;
  const std::string& asked = options.location;
  const std::string where = asked.empty() ? job.string("run", "location") : asked;
  if (where == "auto") return device_count() > 0 ? Location::device : Location::host;
  return where == "gpu" ? Location::device : Location::host;
}

}  // namespace

void Plan::split(const Extents& extents, int least_slices) {
  const Sharing sharing = share_lattice(job_, extents, ranks_, ranks_per_node_, least_slices);
  geometry_ = Geometry::create({extents, sharing.grid, {0, 0, 0, 0}, sharing.forced});
  pass_transport_trial(*this, *geometry_);
}

void Plan::take(const DryRun& run) {
  geometry_ = run.geometry();
  for (const Location location : {Location::host, Location::device}) {
    const Ledger::Peak& from = run.memory().peak(location);
    Peak& to = peaks_[location == Location::device];
    to.bytes = from.bytes, to.buffer_bytes = from.buffer_bytes, to.phase = from.phase;
    for (const auto& i : from.items)
      to.items.push_back({i.name, 1, i.bytes, i.location, i.kind == plaq::MemoryItem::Kind::buffer,
                          i.kind == plaq::MemoryItem::Kind::lasting});
  }
  for (const bool temporary : {false, true})
    for (const DryFile& file : run.files())
      if (file.temporary == temporary) files_.push_back({file.name, file.bytes, false, temporary});
  outlook_ = run.outlook();
  notes_ = run.notes();
}

void Plan::give_back(std::list<MemoryItem>::iterator item) {
  if (item->lasting) {
    waiting_.splice(waiting_.end(), items_, item);
  } else {
    items_.erase(item);
  }
}

Plan::Held Plan::hold(MemoryItem item) {
  const Location location = item.location;
  if (item.lasting)
    if (const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                        [&](const MemoryItem& i) { return i.bytes == item.bytes; });
        found != waiting_.end())
      waiting_.erase(found);
  items_.push_back(std::move(item));
  std::size_t all = 0, buffers = 0;
  for (const MemoryItem& i : items_) {
    if (i.location != location) continue;
    all += i.total();
    buffers += i.buffer ? i.total() : 0;
  }
  MemoryItem waits{"kept by 'peer' for later exchanges", 1, 0, Location::device, false, true};
  for (const MemoryItem& i : waiting_) waits.bytes += i.location == location ? i.total() : 0;
  all += waits.bytes;
  Peak& peak = peaks_[location == Location::device];
  peak.buffer_bytes = std::max(peak.buffer_bytes, buffers);
  if (all > peak.bytes) {
    peak.bytes = all;
    peak.phase = phase_;
    peak.items.clear();
    for (const MemoryItem& i : items_)
      if (i.location == location && i.total() > 0) peak.items.push_back(i);
    if (waits.bytes > 0) peak.items.push_back(std::move(waits));
  }
  return Held(this, std::prev(items_.end()));
}

void make_plan(Plan& plan) {
  const std::string& type = plan.job().type();
  if (type == "measure" || type == "gaugefix" || type == "generate" || type == "propagator" ||
      type == "solver_study") {
    run_dry(plan);
    if (type == "generate") plan_sweep(plan);
    if (type == "propagator" || type == "solver_study") plan_iteration(plan);
    return;
  }
  for (const Planner& planner : planners)
    if (plan.job().type() == planner.job) return planner.plan(plan);
  throw Error(ErrorKind::internal, "internal error: a job type without a planner");
}

std::string text_of(const PlanOptions& options) {
  if (!options.gpu.empty() && options.location == "host")
    throw Error(ErrorKind::usage, "plan: --gpu says that it would run on GPUs, --location that it would not");
  const JobFile job = JobFile::read(options.run.job_file, options.run.overrides);
  std::optional<MachineModel> machine;
  if (!options.gpu.empty() || !options.networks.empty()) machine = planned_machine(options, job);
  const int ranks = options.ranks > 0 ? options.ranks : launcher_rank().size;
  const int of_a_node = machine ? machine->ranks_per_node : options.ranks_per_node;
  Plan plan(job, ranks, location_of(job, options), of_a_node < ranks ? of_a_node : 0);
  if (machine) plan.set_machine(std::move(*machine));
  make_plan(plan);
  return options.json ? plan_json(plan) : plan_text(plan);
}

}  // namespace plaq::jobs
