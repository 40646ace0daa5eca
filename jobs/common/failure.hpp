// One message and one exit code for errors that may strike one rank, some or all.
#pragma once

#include <string>

#include "comms/communicator/communicator.hpp"

namespace plaq::jobs {

struct Failure {
  int code = 1;  // exit code
  std::string message;
};

// Failure of the exception that is being handled. Only inside a catch block.
Failure current_failure();

// Seconds of a watchdog where no job says any.
inline constexpr double usual_watchdog = 600;

// Reports failures of the ranks of world(). Make it on all of them once MPI has started, and end it before
// MPI ends (comms/communicator/mpi_session.hpp).
class FailureReporter {
 public:
  FailureReporter();
  FailureReporter(const FailureReporter&) = delete;
  FailureReporter& operator=(const FailureReporter&) = delete;

  // Waits a moment for the other ranks to fail too. When all do, each different message is printed once, by
  // the lowest rank that has it, and the exit code for every rank comes back. Otherwise the others would wait
  // for this rank forever: it prints its message and stops the whole program.
  int report(const Failure& failure);

 private:
  Communicator ranks_;
};

}  // namespace plaq::jobs
