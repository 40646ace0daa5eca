// Choice of the steps of the slowest time scale during thermalisation, so that a share of trajectories is
// accepted that was asked for.
#pragma once

#include <vector>

namespace plaq::jobs {

/// <dH> at which so many trajectories are accepted: erfc(sqrt(<dH>)/2) = acceptance (Gupta, Irbaeck, Karsch,
/// Petersson, Phys. Lett. B 242 (1990) 437). 0 < acceptance < 1.
double mean_delta_h(double acceptance);

/// After every 10 trajectories the steps are scaled by (h / h_wanted)^(1/(2 order)), a factor of 2 at most:
/// <dH> falls with the power 2 order of the step. h = <dH^2>/2 of these trajectories, which is <dH> where dH
/// is small and normal. A trajectory with dH beyond 10, or without dH, doubles the steps at once.
class StepTuning {
 public:
  /// @param acceptance  that is wanted
  /// @param order       of the integrator, 2 or 4
  /// @param steps       to begin with
  StepTuning(double acceptance, int order, int steps);

  int steps() const { return steps_; }
  /// Takes dH of a trajectory, not a number where it failed. Returns whether it changed the steps.
  bool take(double delta_h);

 private:
  void scale(double factor);

  double wanted_;  // <dH>
  int order_, steps_;
  std::vector<double> squares_;  // dH^2 since the last choice
};

}  // namespace plaq::jobs
