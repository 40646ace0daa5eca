// Signals that come in the middle of a source: said at once, and obeyed within about a second or when the
// source is done.
#pragma once

#include <functional>

#include "jobs/common/stop_request.hpp"

namespace plaq::jobs {

class SolveStop {
 public:
  // Of one source, from its first iteration on. `seconds`: a clock; empty: that of the machine.
  explicit SolveStop(Communicator comm, std::function<double()> seconds = {});

  // Collective, after each iteration; ranks ask each other about every half second. `done`: how much of the
  // source, 0 to 1. After a signal rank 0 says what happens, and about how long the rest would take. Where
  // that is no longer than `patience`, it returns, and whoever asks after the source stops there. Else it
  // throws Error(stopped): what was done of this source is lost.
  void after_iteration(double done);
  static constexpr double patience = 20;  // seconds: batch systems kill 30 s after a SIGTERM

 private:
  Communicator comm_;
  std::function<double()> seconds_;
  StopRequest stop_;
  double begin_, last_;          // of the source; of the last question
  int skipped_ = 0, every_ = 1;  // iterations between questions, the same on all ranks
  double finishes_ = -1;         // after a signal: seconds that the source may take in all
};

}  // namespace plaq::jobs
