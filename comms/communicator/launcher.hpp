// The launcher (mpirun, srun) that started this process, as the environment tells of it, before MPI starts.
#pragma once

namespace plaq {

/// Rank and number of ranks that the launcher announced; {0, 1} without a launcher.
struct LauncherRank {
  int rank = 0, size = 1;
};
LauncherRank launcher_rank();

/// True if a launcher of any kind started this process: then it is one of several ranks, and MPI starts. The
/// environment variable PLAQ_START_MPI, of any value, says so for launchers that are not known here.
bool has_launcher();

/// Ends the program on all ranks, with the exit code of Error(comms), even if some of them do
/// not answer. A Watchdog calls it.
void end_all_ranks();

}  // namespace plaq
