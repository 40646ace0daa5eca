#include "jobs/plan/plan_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "comms/grid/grid_choice.hpp"
#include "core/system/error.hpp"
#include "jobs/model/trace_time.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

constexpr std::int64_t usual_iterations = 1000, usual_cycles = 20, usual_sweeps = 2000;
constexpr int most_slower = 2;  // numbers of GPUs in a row that make it slower

// Without what an earlier run has left, and without a process grid, which is of one number of ranks.
JobFile afresh(const JobFile& job) {
  JobFile::Overrides overrides = {"comms.process_grid=", "slurm.ranks="};
  if (job.schema().find("output", "overwrite") != nullptr) overrides.emplace_back("output.overwrite=true");
  return JobFile::parse(job.canonical_text(), job.file(), overrides);
}

// The next number of ranks that the lattice can be split to: twice as many, or where it
// has no such grid three times, ...;
// 0: none.
int next_ranks(int ranks, const Extents& lattice) {
  for (const int factor : {2, 3, 5, 7, 11, 13})
    if (!allowed_grids(ranks * factor, lattice).empty()) return ranks * factor;
  return 0;
}

std::vector<CostPart> parts_of(const TraceCounts::Part& part, const PerformanceTrace& trace,
                               const MachineModel& machine, const DryRun::Assumptions& assumed) {
  std::vector<CostPart> parts;
  for (const auto& [name, count] : part.sections) {
    CostPart one{name, count.repeats, count.loops, static_cast<double>(count.passes), 0};
    if (count.repeats != LoopLength::as_counted)
      one.passes = static_cast<double>(
          count.loops * (count.repeats == LoopLength::sweeps ? assumed.sweeps : assumed.iterations_in(name)));
    one.seconds = one.passes * section_time(machine, *trace.find(name)).total();
    parts.push_back(std::move(one));
  }
  if (!part.others.rows.empty())
    parts.push_back({"all else that is counted", LoopLength::as_counted, 0, 1,
                     section_time(machine, part.others).total()});
  std::stable_sort(parts.begin(), parts.end(),
                   [](const CostPart& a, const CostPart& b) { return a.seconds > b.seconds; });
  return parts;
}

double seconds_of(const std::vector<CostPart>& parts) {
  double seconds = 0;
  for (const CostPart& part : parts) seconds += part.seconds;
  return seconds;
}

bool has(const TraceCounts& counts, LoopLength repeats) {
  return std::any_of(counts.fields().begin(), counts.fields().end(), [&](const TraceCounts::Part& part) {
    return std::any_of(part.sections.begin(), part.sections.end(),
                       [&](const auto& section) { return section.second.repeats == repeats; });
  });
}

}  // namespace

Cost::Cost(const JobFile& job, MachineModel machine, int most_ranks, CostAssumptions assumed)
    : job_(afresh(job)), machine_(std::move(machine)), assumed_(std::move(assumed)) {
  if (job.type() == "study")
    throw Error(ErrorKind::usage,
                fmt::format("plan: --cost: no cost is predicted of {} jobs: they measure times "
                            "themselves, and have no configurations",
                            job.type()));
  points_.push_back(look_at(1));
  int slower = 0;
  double fastest = points_.front().seconds;
  for (int ranks = next_ranks(1, lattice_); ranks > 0; ranks = next_ranks(ranks, lattice_)) {
    if (most_ranks > 0 && ranks >= most_ranks) break;
    points_.push_back(look_at(ranks));
    const CostPoint& point = points_.back();
    if (!point.refusal.empty()) continue;
    slower = point.seconds < fastest ? 0 : slower + 1;
    fastest = std::min(fastest, point.seconds);
    slower_beyond_ = most_ranks == 0 && slower == most_slower;
    if (slower_beyond_) break;
  }
  if (most_ranks > points_.back().ranks) points_.push_back(look_at(most_ranks));
  choose();
}

CostPoint Cost::look_at(int ranks) {
  CostPoint point;
  point.ranks = ranks;
  const int of_node = machine_.ranks_per_node;
  point.nodes = (ranks - 1) / of_node + 1;
  machine_.check_complete(ranks);
  TraceCounts counts;
  try {
    const Plan plan(job_, ranks, Location::device, of_node < ranks ? of_node : 0, assumed_.run, &counts);
    expect_prediction(counts);
    if (points_.empty()) {
      lattice_ = plan.geometry().global();
      assume_what_is_open(counts);
    }
    point.grid = plan.geometry().decomposition().ranks;
    point.local = plan.geometry().local();
    point.memory = plan.peak(Location::device).bytes;
    point.fits = machine_.memory == 0 || static_cast<double>(point.memory) <= machine_.memory;
    point.notes = plan.run().notes();
    const PerformanceTrace& trace = plan.run().trace();
    const auto& fields = counts.fields();
    DryRun::Assumptions run = assumed_.run;
    run.iterations_of.insert(counts.iterations_of().begin(), counts.iterations_of().end());
    point.first = seconds_of(parts_of(fields.front(), trace, machine_, run));
    point.parts = parts_of(fields.back(), trace, machine_, run);
    point.seconds = seconds_of(point.parts);
  } catch (const Error& error) {
    if (points_.empty() || error.kind() != ErrorKind::job_file) throw;
    point.refusal = error.what();
  }
  return point;
}

void Cost::expect_prediction(const TraceCounts& counts) const {
  if (!counts.unknown().empty())
    throw Error(ErrorKind::usage,
                fmt::format("plan: --cost: no time is predicted of {} jobs: it depends on data {}",
                            job_.type(), counts.unknown()));
  if (counts.fields().empty())
    throw Error(ErrorKind::usage,
                fmt::format("plan: --cost: {} computes no configuration, so there is no cost to predict",
                            job_.file()));
  // Work that is done once, such as reading the file, would be all of it.
  if (counts.fields().back().sections.empty())
    throw Error(
        ErrorKind::usage,
        fmt::format("plan: --cost: no time is predicted of {}: nothing that this {} job does again and again "
                    "is in the model",
                    job_.file(), job_.type()));
}

void Cost::assume_what_is_open(const TraceCounts& counts) {
  configurations_ =
      assumed_.configurations > 0 ? assumed_.configurations : std::max<std::int64_t>(1, counts.expected());
  if (has(counts, LoopLength::iterations) && assumed_.run.iterations == 0) {
    assumed_.run.iterations = has_multigrid(job_) ? usual_cycles : usual_iterations;
    assumed_.default_iterations = true;
  }
  if (has(counts, LoopLength::sweeps) && assumed_.run.sweeps == 0) {
    assumed_.run.sweeps = usual_sweeps;
    assumed_.default_sweeps = true;
  }
}

void Cost::choose() {
  const auto least = [&](auto&& key) {
    const CostPoint* best = nullptr;
    for (const CostPoint& point : points_)
      if (point.possible() && (best == nullptr || key(point) < key(*best))) best = &point;
    return best;
  };
  cheapest_ = least([](const CostPoint& p) { return std::pair(p.node_hours(), p.gpu_hours()); });
  fastest_ = least([](const CostPoint& p) { return p.seconds; });
  by_gpu_ = least([](const CostPoint& p) { return p.gpu_hours(); });
}

double Cost::efficiency(const CostPoint& point) const {
  const CostPoint& one = points_.front();
  return one.seconds * one.ranks / (point.seconds * point.ranks);
}

}  // namespace plaq::jobs
