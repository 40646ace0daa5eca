// The error of an integrator, from its forces alone. With leapfrog and omelyan2 on all time scales, molecular
// dynamics conserves a shadow Hamiltonian (Kennedy, Silva, Clark, Phys. Rev. D 87 (2013) 034511)
//   H~ = H + sum over time scales of e^2 [c1 |F|^2 - c2 d(P.F)/dt] + O(e^4),
//   c1 = (6 l^2 - 6 l + 1)/12,   c2 = (1 - 6 l)/24,   l = lambda of omelyan2, 1/2 of leapfrog,
// F is the force of the time scale, |F|^2 = F^a F^a and P.F = p^a F^a summed over links, e its step, and d/dt
// is along the motion of the faster time scales. So dH is the difference of -e^2 [...] between the ends of a
// trajectory.
#pragma once

#include <vector>

#include "dynamics/integrator/integrator.hpp"

namespace plaq {

/// c1 and c2.
struct ErrorCoefficients {
  double force = 0, drift = 0;
};
/// Both are 0 for an integrator of fourth order.
ErrorCoefficients error_coefficients(const TimeScale& scale);

/// The mean of e^2 over the drifts in which a time scale makes its steps, for each time scale. Drifts of an
/// omelyan4 scale, which goes back in time in two of five, differ.
std::vector<double> mean_square_steps(const std::vector<TimeScale>& levels, double length);

/// A kick of the total force of a time scale. Momenta before it are those at the end of the motion before,
/// momenta after it those at the beginning of what follows: kicks of other scales at the same time are in
/// part before and in part after it.
struct KickRecord {
  double time = 0;               // of molecular dynamics
  double square = 0;             // |F|^2
  double before = 0, after = 0;  // P.F
};

/// The change of dH that the kicks of a time scale on a trajectory predict in second order: 0 for fewer than
/// two kicks, and for an integrator of fourth order.
double predicted_delta_h(const TimeScale& scale, double mean_square_step,
                         const std::vector<KickRecord>& kicks);

}  // namespace plaq
