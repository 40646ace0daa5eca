// A Markov chain of gauge fields: from its start, or from a state that an earlier run left, to its
// end.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "comms/communicator/stop_request.hpp"
#include "core/system/progress.hpp"
#include "io/gauge/gauge_file.hpp"
#include "jobs/chain/chain_resume.hpp"
#include "jobs/chain/chain_seconds.hpp"
#include "jobs/chain/step_checkpoint.hpp"
#include "jobs/run/job_context.hpp"
#include "kernels/gauge/observables.hpp"

namespace plaq::jobs {

class Chain {
 public:
  // Collective. `journal`: on rank 0, with the history up to the state that is gone on from; null elsewhere.
  Chain(const JobContext& context, const ChainPlan& plan, Journal* journal);

  // Collective. Throws an Error of kind stopped when a signal came: then a checkpoint is written.
  void run();
  // On rank 0: all that was measured and saved, in order.
  const std::vector<ChainEvent>& events() const { return events_; }

 private:
  // Data of the current sweep only.
  struct Now {
    std::int64_t measured = -1;  // the sweep of the observables
    std::int64_t kept = -1;      // the last sweep whose links are in a file, exactly
    std::string file;            // this file
  };
  void resume();
  bool resume_from(const ChainState& state);
  void start();
  void advance();
  std::vector<double> steps_on();
  std::string what_is_saved() const;
  void measure(const Field& links);
  void visit(Progress& progress);
  void save(Progress& progress);
  void write_checkpoint(const Field& links);
  void kept(const std::string& path);
  void pause(Progress& progress);
  void record(ChainEvent event);
  LinkChecksum write_links(const std::string& path, const Field& links, const GaugeWriteOptions& options);

  const JobContext& context_;
  const ChainPlan& plan_;
  Journal* journal_;
  Field host_;
  std::unique_ptr<ChainUpdate> update_;
  StopRequest stop_;
  StepCheckpoint step_checkpoint_;
  ChainSeconds seconds_;
  std::int64_t sweep_ = 0;  // steps done
  bool visited_ = false;    // whether an earlier run measured and saved at this sweep
  Now now_;
  GaugeObservables observables_;
  std::chrono::steady_clock::time_point kept_at_;
  std::vector<ChainEvent> events_;
  std::string note_;
};

}  // namespace plaq::jobs
