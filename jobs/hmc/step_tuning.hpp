// Choice of the steps of all time scales during thermalisation: a share of trajectories is accepted that was
// asked for, at the least cost.
#pragma once

#include <vector>

#include "dynamics/integrator/integrator.hpp"

namespace plaq::jobs {

/// <dH> at which so many trajectories are accepted: erfc(sqrt(<dH>)/2) = acceptance (Gupta, Irbaeck, Karsch,
/// Petersson, Phys. Lett. B 242 (1990) 437). 0 < acceptance < 1.
double mean_delta_h(double acceptance);

/// A trajectory, as the choice sees it.
struct TrajectoryCost {
  double delta_h = 0;             // not a number where it failed
  std::vector<double> predicted;  // of dH, by time scale (dynamics/integrator/integration_error.hpp)
  std::vector<double> forces;     // cost of all forces of a time scale, in any unit
};

/// After every 10 trajectories steps are chosen for the least cost at which h has the value that is wanted:
/// h = <dH^2>/2 of these trajectories, which is <dH> where dH is small and normal, with
///   dH = sum over time scales of x_i + the rest,   x_i ~ e_i^2 as predicted for a scale of second order,
/// e_i its step. The rest ~ e^4 of the first scale of fourth order, or of that with the largest x. Other
/// scales of fourth order keep their steps. Costs are inverse to e_i. Each e_i changes by a factor of 2 or
/// little more. A trajectory with dH beyond 10, or without dH, halves all e_i at once.
class StepTuning {
 public:
  /// @param acceptance  that is wanted
  /// @param scales      to begin with
  StepTuning(double acceptance, std::vector<TimeScale> scales);

  /// With the steps chosen.
  const std::vector<TimeScale>& scales() const { return scales_; }
  /// Returns whether it changed steps.
  bool take(const TrajectoryCost& trajectory);

 private:
  std::vector<int> steps() const;
  void set_steps(const std::vector<int>& steps);
  void choose();

  double wanted_;  // <dH>
  std::vector<TimeScale> scales_;
  std::vector<TrajectoryCost> trajectories_;  // since the last choice
};

}  // namespace plaq::jobs
