// The momenta of correlators that a job file asks for.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/job_file.hpp"
#include "kernels/quark/momentum.hpp"

namespace plaq::jobs {

/// Meaning of the key `max_momentum_squared`.
inline constexpr const char* job_momenta_meaning =
    "Largest n.n of the momenta 2 pi n / L. |n| is at most L/2 in each direction. n = -L/2 is left out "
    "because it equals n = L/2.";

/// Every momentum with n.n <= `most`, the value of `max_momentum_squared` in [`table`]. Throws
/// Error(job_file) where that asks for |n| above L/2 in some direction of space.
std::vector<Momentum> job_momenta(const Settings& job, const std::string& table, int most,
                                  const Extents& extents);

}  // namespace plaq::jobs
