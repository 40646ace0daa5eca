// A step of a Markov chain of gauge fields: what a chain job repeats.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/field/field.hpp"
#include "io/state/state_file.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

/// First links of a chain: [gauge] start. quenched is known to chains with sea quarks alone.
enum class ChainStart { hot, cold, file, quenched };

/// A number that each step leaves, a dataset of the history.
struct StepColumn {
  std::string name, units;
};

/// Keeps the state of a step that takes long, from which a later run goes on within the step, to the same
/// bits. All functions are collective.
class StepKeeper {
 public:
  virtual ~StepKeeper() = default;

  /// The state that an earlier run kept within this step; none, with a warning, if it is damaged or of
  /// another step or chain.
  /// @param links  before the step
  virtual std::optional<State> kept(const Field& links) = 0;
  /// True at a place of the step at which its state is to be kept: a signal came, or so many minutes have
  /// passed since the step began or was kept. Signals wait for such places from the first call on.
  /// @param minutes  none: on a signal alone
  virtual bool wants_state(std::optional<double> minutes) = 0;
  /// Keeps the state; warns if it cannot be written. Throws Error(stopped) if a signal came.
  /// @param links  before the step
  /// @param place  for users: "33 of 120 updates"
  virtual void keep(const State& state, const Field& links, const std::string& place) = 0;
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
  /// @param keeper  for chains that has_long_steps
  virtual std::vector<double> advance(std::int64_t step, StepKeeper& keeper) = 0;
  /// Seconds of the last step, as many as ChainKind::seconds.
  virtual std::vector<double> seconds() const { return {}; }
  /// A few words about the last step, for the line of progress.
  virtual std::string note() const { return {}; }
};

/// A kind of chains, as a job file describes it.
struct ChainKind {
  std::string step, steps;  ///< one and many: "compound sweep", "compound sweeps"
  std::string counter;      ///< name of their number in datasets: "sweep"
  std::string ensemble;     ///< beginning of the name of the ensemble in headers: "quenched"
  std::vector<StepColumn> columns = {};
  std::vector<std::string> seconds = {};  ///< parts of a step, for PREFIX.seconds; none: no such file
  std::int64_t random_sweeps = 1;         ///< numbers of sweeps of random numbers that a step takes
  bool has_long_steps = false;            ///< they use a StepKeeper
  int least_slices = usual_least_slices;  ///< of a rank, in directions that are split
  std::function<std::unique_ptr<ChainUpdate>(const JobContext&)> make = {};
};

}  // namespace plaq::jobs
