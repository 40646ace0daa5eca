// A step of a Markov chain of gauge fields: what a chain job repeats.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/field/field.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

/// First links of a chain: [gauge] start. quenched is known to chains with sea quarks alone.
enum class ChainStart { hot, cold, file, quenched };

/// A number that each step leaves, a dataset of the history.
struct StepColumn {
  std::string name, units;
};

class ChainUpdate {
 public:
  virtual ~ChainUpdate() = default;

  /// Present links, in double precision at the location of the job, with a filled halo.
  virtual const Field& links() const = 0;
  /// Takes links of a file, without halo. Collective.
  virtual void take(const Field& links) = 0;
  /// Makes the first links of a chain that does not start from a file. Collective.
  virtual void start(ChainStart start) = 0;
  /// Puts links back on SU(3).
  virtual void reunitarize() = 0;
  /// Numbers of all steps so far, of a chain that goes on from links of an earlier run. Collective.
  virtual void go_on_after(const std::vector<std::vector<double>>& /*steps*/) {}
  /// Step number `step` of the chain, counted from 0. Returns a number for each column. A step that takes
  /// long has interruption points (comms/communicator/stop_request.hpp): after Error(stopped) the links are
  /// those before it. Collective.
  virtual std::vector<double> advance(std::int64_t step) = 0;
  /// A few words about the last step, for the line of progress.
  virtual std::string note() const { return {}; }
};

/// A kind of chains, as a job file describes it.
struct ChainKind {
  std::string step, steps;  ///< one and many: "compound sweep", "compound sweeps"
  std::string counter;      ///< name of their number in datasets: "sweep"
  std::string ensemble;     ///< beginning of the name of the ensemble in headers: "quenched"
  std::vector<StepColumn> columns = {};
  std::int64_t random_sweeps = 1;  ///< numbers of sweeps of random numbers that a step takes
  std::function<std::unique_ptr<ChainUpdate>(const JobContext&)> make = {};
};

}  // namespace plaq::jobs
