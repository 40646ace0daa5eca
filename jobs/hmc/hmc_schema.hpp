// Keys of hmc jobs beside those of every chain.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/integrator/integrator.hpp"
#include "dynamics/quark/wilson_quark.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

/// [hmc]
struct HmcKeys {
  double length = 1;
  std::optional<std::vector<int>> flavours;  // of each mass
  std::vector<double> twists;
  std::optional<std::vector<std::string>> time_scales;
  std::vector<int> steps;
  std::vector<Integrator> integrators;
  std::optional<double> acceptance;
  std::int64_t unconditional = 0, reversibility_every = 0;
};

/// [rational]
struct RationalKeys {
  double tolerance = 1e-7;
  std::optional<std::array<double, 2>> range;
  int factors = 1;
};

/// [solver] is an MdSolverSettings.

const Schema& hmc_schema();

}  // namespace plaq::jobs
