// PREFIX.COUNTER, as field.trajectory: the state of a chain within a step that takes long. It belongs to one
// step of one chain, and to the links before it, and goes away when a file has the links after the step.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "comms/communicator/stop_request.hpp"
#include "jobs/chain/chain_plan.hpp"
#include "jobs/chain/chain_update.hpp"
#include "jobs/chain/step_title.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

class StepCheckpoint final : public StepKeeper {
 public:
  struct OfChain {
    // Keeps the links before the step, unless a file has them. Returns the name of the file. Collective.
    std::function<std::string(const Field& links)> keep_links;
    std::function<std::string()> what_is_saved;  // of the chain, before the step
  };
  StepCheckpoint(const JobContext& context, const ChainPlan& plan, const StopRequest& stop, OfChain chain);

  /// A step begins, number `step` of the chain from 0 on.
  void begin(std::int64_t step);
  /// A file has the links after the step, exactly: its state is needed no longer. Collective.
  void end();
  /// True from the first place of a step on: a signal waits for the next one.
  bool takes_signals() const { return takes_signals_; }

  std::optional<State> kept(const Field& links) override;
  bool wants_state(std::optional<double> minutes) override;
  void keep(const State& state, const Field& links, const std::string& place) override;

 private:
  // Without a place and a file.
  StepTitle title(const Field& links) const;
  std::string step_name() const;

  const JobContext& context_;
  const ChainPlan& plan_;
  const StopRequest& stop_;
  OfChain chain_;
  std::string path_;
  std::int64_t step_ = 0;
  bool takes_signals_ = false;
  bool may_exist_ = true;  // the file
  int signal_ = 0;
  std::chrono::steady_clock::time_point kept_at_;
};

}  // namespace plaq::jobs
