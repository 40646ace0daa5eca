// The launcher of this process, and MPI from its start to its end, for processes that a launcher started. All
// others do without.
#pragma once

#include <string>

namespace plaq {

/// Name and version of the MPI library that plaq is linked with, as the library itself words them, whether it
/// has started or not: "Open MPI v4.1.4", "MPICH Version: 4.0.2".
std::string mpi_library();

/// Throws Error(comms) unless the MPI library for which plaq was built runs, and answers its calls: a process
/// such as Python with mpi4py may have started another one.
void expect_own_mpi();

/// Rank and number of ranks that the launcher (mpirun, srun) of this process announced in the environment,
/// before MPI starts; {0, 1} without a launcher.
struct LauncherRank {
  int rank = 0, size = 1;
};
LauncherRank launcher_rank();

/// True if a launcher of any kind started this process: then it is one of several ranks, and MPI starts. The
/// environment variable PLAQ_START_MPI, of any value, says so for launchers that are not known here.
bool has_launcher();

/// Ends the program on all ranks, with the exit code of Error(comms), even if some of them do not answer. A
/// Watchdog calls it.
void end_all_ranks();

// True if MPI has started and not ended, by whoever started it. Where it is not, world() is this process
// alone.
bool mpi_runs();

class MpiSession {
 public:
  // Starts MPI where `start`: it takes what is its own out of the arguments. Threads beside the one that
  // calls leave MPI to it. Throws Error(comms) if the launcher announced several ranks and MPI finds one.
  MpiSession(bool start, int& argc, char**& argv);
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  // Collective: ends what was started here. Not done by itself: a rank that fails must not wait for others.
  void end();

 private:
  bool started_ = false;
};

// Ends all processes of the program, or this one where it is alone, with this exit code. On any thread.
[[noreturn]] void abort_all_ranks(int code);

}  // namespace plaq
