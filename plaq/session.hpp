// The start and the end of a program on many ranks: MPI, the GPU of each rank, and its threads.
#pragma once

#include <memory>
#include <string>

#include "core/system/location.hpp"

namespace plaq {

/// Settings of a program on many ranks.
struct SessionSettings {
  std::string location = "auto";  ///< "auto" takes the GPU if every rank has one; "host", "gpu"
  int threads = 0;  ///< host threads of a rank; 0: OMP_NUM_THREADS, or this rank's share of its cores
  bool strict_binding = false;   ///< throws Error if ranks share a GPU or have more threads than cores
  bool tuning = true;            ///< times kernels at their first use and keeps the result for later runs
  std::string tuning_file = {};  ///< empty: PLAQ_TUNING_FILE, else tuning.jsonl in the user's cache directory
  double watchdog = 600;         ///< seconds that a rank waits for others before the program ends
  bool verbose = false;          ///< logs what plaq does, not only warnings
};

struct SharedLattice;
struct StartedRanks;

/// Start and end of a program: make one at the beginning of main(), and let it live to the end. It starts
/// MPI if a launcher (mpirun, srun) started this process and nobody has started MPI yet. It takes MPI's own
/// arguments out of `argc` and `argv`.
///
/// Errors are exceptions of class Error. Let a rank that catches one outside of the session end with an
/// exit code other than 0.
class Session {
 public:
  /// Collective over all ranks. Throws Error if a GPU is asked for and missing, or if the binding is bad
  /// and must be good.
  Session(int& argc, char**& argv, const SessionSettings& settings = {});
  /// Saves what was tuned, and ends MPI if this object started it. Collective, unless an exception is on
  /// its way: then MPI is left running, so that a rank that fails alone does not wait for the others, and
  /// the launcher ends them.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Rank of this process, from 0 on.
  int rank() const;
  int ranks() const;  ///< number of ranks
  /// Memory in which fields are: that of the GPU or of the host.
  Location location() const;
  /// Name of the GPU, or "host, 4 thread(s) a rank".
  std::string device() const;

  /// For the classes of plaq.
  const StartedRanks& started() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace plaq
