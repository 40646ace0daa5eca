// The gauge copies of one gauge field, fixed by groups of ranks (jobs/gaugefix/rank_groups.hpp); the best one
// is written as it is found.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "comms/communicator/stop_request.hpp"
#include "comms/start/lattice_start.hpp"
#include "gaugefix/run/fixing_run.hpp"
#include "jobs/gaugefix/rank_groups.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

class FixingCopies {
 public:
  explicit FixingCopies(const JobContext& context);

  // True if what an earlier run, maybe with fewer sweeps allowed, made of a copy is what this one would.
  bool counts(const Results& results) const;
  // On rank 0, before begin: of a copy that an earlier run has fixed.
  void know(int copy, const Results& results);
  // Collective, as all of the following: the copies that follow are of this field, whose links are let go of.
  void begin(LoadedGauge& gauge);
  // On rank 0 the results of a copy; it and those after it are fixed when it is asked for the first time.
  // Throws Error(not_converged) for the last copy, where none has reached theta.
  Results operator()(const LoadedGauge& gauge, int copy);

 private:
  void fix(int first, const GaugeReadReport& report);
  void gather(int first, int count, const std::vector<CopyOutcome>& mine);
  void write_if_best(const GaugeReadReport& report);
  void write(const GaugeReadReport& report);

  const JobContext& context_;
  FixingSettings settings_;
  RankGroups groups_;
  std::unique_ptr<ProcessGrid> own_grid_;  // of this group, where there are several
  const ProcessGrid* grid_;
  GeometryPtr geometry_;
  TransportChoice transport_;
  int copies_, at_once_;
  StopRequest stop_;
  Field links_;  // of this group, in double, without halo
  std::unique_ptr<FixingRun> run_;
  std::vector<Results> found_;  // on rank 0, by copy: empty where it is not known
  std::vector<bool> known_;     // on every rank, by copy
  double best_ = -1;            // functional of what is written; < 0: nothing is
  int best_copy_ = -1;
  double omega_ = 0;  // that an earlier run has adapted; 0: none
};

}  // namespace plaq::jobs
