// One message and one exit code for errors that may strike one rank, some or all.
#pragma once

#include <string>

#include "comms/communicator/communicator.hpp"

namespace plaq::jobs {

struct Failure {
  int code = 1;  // exit code
  std::string message;
};

// What the exception being handled says. Only inside a catch block.
Failure current_failure();

// Rank and number of ranks as the launcher announced them, for messages before MPI starts; {0, 1} without
// one.
struct LauncherRank {
  int rank = 0, size = 1;
};
LauncherRank launcher_rank();
// Whether a launcher of any kind started this process: then it is one of several ranks, and MPI starts. The environment
// variable PLAQ_START_MPI, of any value, says so for launchers that are not known here.
bool has_launcher();

// For a Watchdog: ends the program on all ranks, with the exit code of Error(comms), also where some of them
// do not answer.
void end_all_ranks();
// Seconds of a watchdog where no job says any.
inline constexpr double usual_watchdog = 600;

// Reports failures of the ranks of world(). Make it on all of them once MPI has started, and end it before MPI ends
// (comms/communicator/mpi_session.hpp).
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
