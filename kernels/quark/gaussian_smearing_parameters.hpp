// Parameters of Gaussian smearing of quark fields (kernels/quark/gaussian_smearing.hpp).
#pragma once

#include <array>

#include "kernels/gauge/link_copies.hpp"

namespace plaq {

/// Parameters of Gaussian smearing.
struct GaussianSmearingParameters {
  double sigma = 0;                         ///< width in lattice units, not negative
  int steps = 0;                            ///< steps N; 0 where sigma is 0
  SpaceSigns boundary = periodic_in_space;  ///< signs of the quarks around the lattice
  bool allow_unstable = false;              ///< allows fewer steps than fewest_smearing_steps()
  /// Momentum n of the quarks that are kept best, in 2 pi / L of x, y, z; any real numbers.
  std::array<double, 3> momentum{};
};

/// Fewest steps that amplify no mode. The Laplacian by hops of `links` links (1; of staggered quarks 2) has
/// eigenvalues from -12 to 0, so that 1 + sigma^2 / (4 links^2 N) Lap stays within -1 and 1 for N >= 3
/// sigma^2 / (2 links^2).
int fewest_smearing_steps(double sigma, int links);

/// Throws Error(job_file) unless sigma is finite, not negative, and 0 without steps, and the steps are enough
/// or unstable ones allowed.
void expect_possible(const GaussianSmearingParameters& parameters, int links);

}  // namespace plaq
