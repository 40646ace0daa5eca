// Keys of hmc jobs beside those of every chain.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dynamics/integrator/integrator.hpp"
#include "dynamics/quark/wilson_quark.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/site/loop_weights.hpp"

namespace plaq::jobs {

/// [gauge], beside GaugeStartKeys.
struct GaugeActionKeys {
  std::optional<double> c1;
  double u0 = 1, anisotropy = 1;
  int flavours = 0;
};

/// [hmc]
struct HmcKeys {
  double length = 1;
  Integrator integrator = Integrator::omelyan2, gauge_integrator = Integrator::omelyan2;
  int steps = 10, gauge_steps = 1;
  std::vector<double> twists;
  std::int64_t unconditional = 0, reversibility_every = 0;
};

/// [solver] is an MdSolverSettings.

/// Weights of the loops of the gauge action. Throws Error(job_file) as kernels/gauge/gauge_action.hpp does.
LoopWeights gauge_action_of(const Settings& job);
/// Parameters of the quarks; none: the gauge action alone.
std::optional<WilsonParameters> sea_quarks(const Settings& job);

const Schema& hmc_schema();

}  // namespace plaq::jobs
