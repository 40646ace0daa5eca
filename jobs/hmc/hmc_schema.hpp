// Keys of hmc jobs beside those of every chain and of hybrid Monte Carlo (settings/hmc).
#pragma once

#include <cstdint>
#include <optional>

#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

/// Keys of [hmc] beside settings::TrajectoryKeys.
struct HmcKeys {
  std::optional<double> acceptance;
  std::int64_t unconditional = 0, reversibility_every = 0;
};

const Schema& hmc_schema();

}  // namespace plaq::jobs
