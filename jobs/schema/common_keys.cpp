#include "jobs/schema/common_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"

namespace plaq::jobs {

std::vector<Momentum> job_momenta(const Settings& job, const std::string& table, int most,
                                  const Extents& extents) {
  int largest = 0;
  while ((largest + 1) * (largest + 1) <= most) ++largest;
  const int shortest = std::min({extents[0], extents[1], extents[2]}), allowed = shortest / 2;
  if (largest > allowed)
    throw Error(
        ErrorKind::job_file,
        fmt::format("{}: [{}] max_momentum_squared = {} has momenta with |n| = {}, but on the lattice {} "
                    "|n| is at most L/2 = {}: set it to {} or less",
                    job.origin(), table, most, largest, to_string(extents), allowed,
                    (allowed + 1) * (allowed + 1) - 1));
  return momenta_up_to(most, extents);
}

}  // namespace plaq::jobs
