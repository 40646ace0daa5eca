// A run that counts instead of computing: plaq plan runs a job's own code so.
//
// While a DryRun is current
//   - memory is address space without pages, entered in a ledger (core/system/ledger.hpp);
//   - launches, copies and exchanges do nothing, and waits end at once;
//   - one process stands for rank 0 of `ranks`: communicators are of this process alone;
//   - of files that are read the headers are looked at, those that are written are named and measured.
// Numbers that would have been computed are 0, and nothing is said about them. Code that decides by one takes
// it by by_data (core/system/runs_dry.hpp), and goes on as a run would whose data are good. Serial: one
// thread, one DryRun at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/counted_memory.hpp"
#include "core/system/ledger.hpp"
#include "core/system/location.hpp"
#include "core/system/performance_trace.hpp"
#include "core/system/runs_dry.hpp"

namespace plaq {

class Geometry;
class TraceCounts;

struct DryFile {
  std::string name;
  std::uint64_t bytes = 0;
  bool temporary = false;  // goes away when the job is complete; the most that it may be until then
};

// Outlook: the use that a run would make of existing files.
struct Outlook {
  enum class Kind { begins, goes_on, complete, stops };
  Kind kind = Kind::begins;
  std::string reason;  // no full stop; empty where there is nothing to say
};

class DryRun {
 public:
  // Machine that the dry run assumes. ranks_per_node = 0: all ranks on one node.
  struct Machine {
    int ranks = 1, ranks_per_node = 0;
    Location location = Location::host;
    int on_node() const { return ranks_per_node > 0 && ranks_per_node < ranks ? ranks_per_node : ranks; }
  };

  // Assumptions about properties that depend on data.
  struct Assumptions {
    bool temporal_gauge = true;  // links are in SU(3), so that it can be fixed
    std::int64_t iterations = 0,
                 sweeps = 0;  // of a solve, of fixing a gauge, for predictions of time; 0: not known
    // Iterations of solves in regions with such a label, where they differ
    // (core/system/performance_region.hpp).
    std::map<std::string, std::int64_t> iterations_of = {};
    int coarse_iterations = 1;  // of a coarse solve within a multigrid cycle, at most

    // Iterations of solves in the region of this name.
    std::int64_t iterations_in(const std::string& region) const;
  };

  explicit DryRun(const Machine& machine) : DryRun(machine, Assumptions{}) {}
  DryRun(const Machine& machine, const Assumptions& assumptions)
      : machine_(machine), assumptions_(assumptions), trace_(machine.ranks) {}
  DryRun(const DryRun&) = delete;
  DryRun& operator=(const DryRun&) = delete;

  // Null: the process computes.
  static DryRun* current() { return detail::current_dry_run; }
  // While it lives, this run is the current one.
  class Scope {
   public:
    explicit Scope(DryRun& run) { detail::current_dry_run = &run; }
    ~Scope() { detail::current_dry_run = nullptr; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
  };

  const Machine& machine() const { return machine_; }
  const Assumptions& assumptions() const { return assumptions_; }
  Ledger& memory() { return memory_; }
  const Ledger& memory() const { return memory_; }
  PerformanceTrace& trace() { return trace_; }
  const PerformanceTrace& trace() const { return trace_; }
  // From now on passes are counted as well (core/system/trace_counts.hpp).
  void count(TraceCounts& counts) { counts_ = &counts; }
  TraceCounts* counts() const { return counts_; }

  // Adds a file. Of two files with the same name the larger one counts.
  void add_file(const DryFile& file);
  const std::vector<DryFile>& files() const { return files_; }
  void expect(Outlook outlook) { outlook_ = std::move(outlook); }
  const Outlook& outlook() const { return outlook_; }
  void note(std::string text);  // a sentence, said once
  // The lattice that the run is on, for users.
  void lies_on(std::shared_ptr<const Geometry> geometry) { geometry_ = std::move(geometry); }
  const std::shared_ptr<const Geometry>& geometry() const { return geometry_; }
  const std::vector<std::string>& notes() const { return notes_; }
  // True if links that operators are made of are 1 in time: after temporal gauge was fixed.
  void assume_unit_time_links(bool unit) { unit_time_links_ = unit; }
  bool unit_time_links() const { return unit_time_links_; }

 private:
  friend class MemoryName;
  friend std::string memory_name(std::string_view what);

  Machine machine_;
  Assumptions assumptions_;
  Ledger memory_;
  PerformanceTrace trace_;
  TraceCounts* counts_ = nullptr;
  std::vector<std::string> names_;  // of what is being made, the innermost last
  std::vector<DryFile> files_;
  Outlook outlook_;
  std::vector<std::string> notes_;
  std::shared_ptr<const Geometry> geometry_;
  bool unit_time_links_ = false;
};

// True if it is a dry run on the host. A plaq that was built without CUDA plans
// for GPUs with kernels of the host.
inline bool counts_host_kernels() {
  return runs_dry() && DryRun::current()->machine().location == Location::host;
}

// Name, in a dry run, of memory that is allocated while this object lives.
class MemoryName {
 public:
  explicit MemoryName(std::string_view name) {
    if (runs_dry()) DryRun::current()->names_.emplace_back(name), named_ = true;
  }
  ~MemoryName() {
    if (named_ && runs_dry()) DryRun::current()->names_.pop_back();
  }
  MemoryName(const MemoryName&) = delete;
  MemoryName& operator=(const MemoryName&) = delete;

 private:
  bool named_ = false;
};
// "links of the operator: WHAT", or WHAT alone where nothing has a name.
std::string memory_name(std::string_view what);

// Name, in a dry run, of the work while this object lives: "flowing".
class Phase {
 public:
  explicit Phase(const char* name) {
    if (runs_dry()) before_ = DryRun::current()->memory().phase(name), set_ = true;
  }
  ~Phase() {
    if (set_ && runs_dry()) DryRun::current()->memory().phase(before_);
  }
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

 private:
  std::string before_;
  bool set_ = false;
};

}  // namespace plaq
