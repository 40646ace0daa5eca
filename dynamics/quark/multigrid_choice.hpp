// Choice between multigrid and conjugate gradients for systems W^dagger W x = b, W = S + i mu gamma5. An
// iteration of conjugate gradients is the unit of cost. For a residual of exp(-e) these take 1.9 e / m of
// them, m^2 the smallest eigenvalue of W^dagger W. Multigrid takes as long as 5 for each of its 2 e / -ln rho
// iterations, rho being the reduction by one, and 1.3 times as long in all, since setups age and are renewed
// (dynamics/quark/trajectory_setup.hpp). The numbers were measured (docs/notes/speed-multigrid.md).
#pragma once

#include <vector>

namespace plaq {

/// Largest twist mu whose systems multigrid solves in less time than conjugate gradients, with m = mu.
/// @param reduction  rho
double largest_twist(double reduction);

/// Number of the smallest shifts mu_i^2 that multigrid solves in the least time, while multi-shift conjugate
/// gradients solve the rest: in one space to 1e-5, whose iterations are those of the smallest shift left and
/// take longer by a tenth for each shift, and each shift alone from there on. m_i^2 = mu_i^2 + lowest.
/// @param shifts     mu_i^2, increasing
/// @param lowest     smallest eigenvalue of S^dagger S; 0: it is not known
/// @param reduction  rho
/// @param tolerance  exp(-e)
int shifts_by_multigrid(const std::vector<double>& shifts, double lowest, double reduction, double tolerance);

}  // namespace plaq
