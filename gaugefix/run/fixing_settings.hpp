// Settings of a run of gauge fixing, and its results for each gauge copy (gaugefix/run/fixing_run.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "gaugefix/run/gauge_condition.hpp"

namespace plaq {

/// Simulated annealing: `steps` times a heatbath sweep and `microcanonical` microcanonical ones, at
/// temperatures that fall linearly from the first step to the last (Schroeck, Vogt 2013, section 2.3).
struct AnnealingSchedule {
  int steps = 0;                       ///< 0: none
  double hottest = 4, coldest = 1e-4;  ///< temperatures of the first and the last step
  int microcanonical = 3;              ///< microcanonical sweeps after each heatbath sweep

  /// Temperature of step number `step`, from 0 on.
  double temperature(int step) const {
    return steps < 2 ? hottest : hottest + (coldest - hottest) * step / (steps - 1);
  }
};

/// Settings of gauge fixing.
struct FixingSettings {
  Gauge gauge = Gauge::landau;  ///< gauge condition
  double theta = 1e-12;         ///< theta that is to be reached, in Coulomb gauge by the worst time slice
  /// Precision of annealing, stochastic relaxation, and overrelaxation as far as it goes; the end is in
  /// double.
  FixingPrecision precision = FixingPrecision::mixed;

  bool from_links = false;  ///< copy 0 starts at g = 1, all others at random
  std::uint64_t seed = 1;   ///< copy k has the random numbers of `seed` + k

  AnnealingSchedule annealing = {};     ///< simulated annealing before all other sweeps
  int stochastic_sweeps = 0;            ///< largest number of sweeps of stochastic relaxation
  double stochastic_probability = 0.8;  ///< share of sites whose update is squared

  bool in_subgroups = false;  ///< overrelaxation of subgroups of SU(2) one by one, not of SU(3) as a whole
  /// Overrelaxation, 1 <= omega < 2; none: adapted (gaugefix/sweep/omega_control.hpp).
  std::optional<double> omega = {};
  int max_sweeps = 100000;  ///< largest number of overrelaxation sweeps from a start
  /// Sweeps in which theta must fall to half of what it was: else it is stuck.
  int patience = 2000;
  int restarts = 3;  ///< starts from another point of the orbit, where a copy remains stuck

  int measure_every = 20;     ///< sweeps between two checks of theta
  int reproject_every = 100;  ///< sweeps between two projections of g to SU(3)
};

/// Kind of sweeps.
enum class FixingStage { annealing, stochastic, overrelaxation };

/// State of a copy after some sweeps.
struct HistoryPoint {
  FixingStage stage = FixingStage::annealing;  ///< kind of the last sweep
  double sweeps = 0;                           ///< sweeps of all kinds so far
  double functional = 0, theta = 0;            ///< of the copy at this point
  double temperature = 0;                      ///< temperature, in annealing only
};

/// A copy that is swept over, when its theta is checked.
struct FixingCheck {
  int copy = 0;        ///< number of the copy
  HistoryPoint point;  ///< its state
};
/// Function that fix_gauge() calls at each check of theta.
using AtFixingCheck = std::function<void(const std::vector<FixingCheck>&)>;

/// A curve of at most `most` points: where there are more, every second one goes.
class FixingHistory {
 public:
  /// Keeps at most `most` points.
  explicit FixingHistory(std::size_t most = 256) : most_(most) {}
  /// Adds a point.
  void add(const HistoryPoint& point);
  /// Points that were kept, in their order.
  const std::vector<HistoryPoint>& points() const { return points_; }

 private:
  std::size_t most_, stride_ = 1, offered_ = 0;
  std::vector<HistoryPoint> points_;
};

/// Result of one gauge copy.
struct CopyOutcome {
  int copy = 0;            ///< number of the copy
  bool converged = false;  ///< true if theta was reached
  /// Functional of g in double, brought back to SU(3), with links in double.
  double functional = 0;
  double theta = 0;        ///< theta, average over the lattice
  double worst_slice = 0;  ///< largest theta of a time slice in Coulomb gauge
  /// Sweeps of each kind over all starts; a heatbath sweep and each microcanonical one count one.
  std::int64_t annealing = 0, stochastic = 0, overrelaxation = 0;
  int restarts = 0;       ///< starts from another point of the orbit
  double omega = 0;       ///< last omega, but for those tried where it was stuck
  FixingHistory history;  ///< course of functional and theta

  std::int64_t sweeps() const { return annealing + stochastic + overrelaxation; }  ///< sweeps of all kinds
};

/// Theta that is compared with the one to be reached: in Coulomb gauge that of the worst time slice.
double measured_theta(Gauge gauge, const GaugeQuality& quality);

}  // namespace plaq
