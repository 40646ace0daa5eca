// Signals that come while multigrid is set up: obeyed between two steps of it, within a round.
#pragma once

#include "comms/communicator/interruption.hpp"
#include "comms/communicator/stop_request.hpp"

namespace plaq {

/// While it lives, a signal to any rank at an interruption point ends the setup there by an Error(stopped) on
/// all ranks at that point.
/// A setup that has a file then writes what it had before, and says so (quarks/multigrid/setup_file.hpp).
class SetupStop {
 public:
  SetupStop();

 private:
  StopRequest stop_;
  InterruptibleWork setup_;
};

}  // namespace plaq
