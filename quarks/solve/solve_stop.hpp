// Signals that arrive during a solve. They are reported at once, and obeyed within
// about a second or after the source.
#pragma once

#include <functional>

#include "comms/communicator/stop_request.hpp"

namespace plaq {

class SolveStop {
 public:
  /// For the solves of one source, from the first iteration on. `seconds` is
  /// a clock; empty: the steady clock.
  explicit SolveStop(Communicator comm, std::function<double()> seconds = {});

  /// Called after each iteration; ranks ask each other about every half second. `done` is the
  /// finished part of the source, 0 to
  /// 1. After a signal rank 0 logs about how long the rest would take. If that is no longer than
  ///    `patience` it returns, and the
  /// caller stops after the source. Else it throws Error(stopped), and the work on
  /// this source is lost. Collective.
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

/// Signals that come while multigrid is set up: obeyed between two steps of it, within a round. While it
/// lives, a signal to any rank at an interruption point ends the setup there by an Error(stopped) on all
/// ranks at that point. A setup that has a file then writes what it had before, and says so
/// (quarks/multigrid/setup_file.hpp).
class SetupStop {
 public:
  SetupStop();

 private:
  StopRequest stop_;
  InterruptibleWork setup_;
};

}  // namespace plaq
