// Cost of a configuration on different numbers of GPUs: plaq plan JOB.toml --cost. Each number is a plan
// of its own (jobs/plan/plan.hpp), on the process grid that the job would choose, whose times are
// those of the model of jobs/model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/system/trace_counts.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/plan/plan.hpp"

namespace plaq::jobs {

struct CostAssumptions {
  DryRun::Assumptions run;
  std::int64_t configurations = 0;                          // 0: those of the job
  bool default_iterations = false, default_sweeps = false;  // nobody said so
};

// Part of the time of a configuration.
struct CostPart {
  std::string name;  // of a section of the trace
  LoopLength repeats = LoopLength::as_counted;
  std::int64_t loops = 0;
  double passes = 0, seconds = 0;  // of all passes
};

// On one number of GPUs.
struct CostPoint {
  int ranks = 1;
  std::string refusal;  // why the job does not run so; then there is nothing else
  Extents grid{}, local{};
  std::uint64_t memory = 0;  // bytes of a GPU, at most
  bool fits = true;
  double first = 0, seconds = 0;   // of the first configuration, of each one after it
  std::vector<CostPart> parts;     // of the latter, the longest first
  int nodes = 1;                   // whole ones
  std::vector<std::string> notes;  // of the plan: what it takes for granted

  bool possible() const { return refusal.empty() && fits; }
  double node_hours() const { return nodes * seconds / 3600; }
  double gpu_hours() const { return ranks * seconds / 3600; }
};

class Cost {
 public:
  // Throws Error(usage) for a job that has no configurations, or of which no time is predicted; else as Plan
  // does. most_ranks: 0 for all that the lattice can be split to, as long as they make it faster.
  Cost(const JobFile& job, MachineModel machine, int most_ranks, CostAssumptions assumed);

  const JobFile& job() const { return job_; }
  const MachineModel& machine() const { return machine_; }
  const CostAssumptions& assumed() const { return assumed_; }
  const Extents& lattice() const { return lattice_; }
  const std::vector<CostPoint>& points() const { return points_; }
  std::int64_t configurations() const { return configurations_; }
  bool slower_beyond() const { return slower_beyond_; }  // more GPUs were not looked at

  // Cheapest point that fits: fewest node hours (then GPU hours), and shortest time. Null: none fits.
  const CostPoint* cheapest() const { return cheapest_; }
  const CostPoint* fastest() const { return fastest_; }
  const CostPoint* cheapest_by_gpu() const { return by_gpu_; }  // of least GPU hours
  // Relative to the rate of the smallest number of GPUs, a GPU.
  double efficiency(const CostPoint& point) const;
  // Time of all configurations, one after the other.
  double seconds_of_all(const CostPoint& point) const {
    return point.first + static_cast<double>(configurations_ - 1) * point.seconds;
  }

 private:
  CostPoint look_at(int ranks);
  void expect_prediction(const TraceCounts& counts) const;
  void assume_what_is_open(const TraceCounts& counts);
  void choose();

  JobFile job_;  // done afresh, on a grid of plaq's choice
  MachineModel machine_;
  CostAssumptions assumed_;
  Extents lattice_{};
  std::vector<CostPoint> points_;
  std::int64_t configurations_ = 1;
  bool slower_beyond_ = false;
  const CostPoint *cheapest_ = nullptr, *fastest_ = nullptr, *by_gpu_ = nullptr;
};

// For users, and for programs.
std::string cost_text(const Cost& cost);
std::string cost_json(const Cost& cost);

}  // namespace plaq::jobs
