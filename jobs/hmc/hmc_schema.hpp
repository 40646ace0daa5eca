// Keys of hmc jobs beside those of every chain and of hybrid Monte Carlo (settings/hmc).
#pragma once

#include <cstdint>
#include <optional>

#include "jobs/schema/job_file.hpp"
#include "settings/gauge/gauge_action_table.hpp"

namespace plaq::jobs {

/// Keys of [hmc] beside settings::TrajectoryKeys.
struct HmcKeys {
  std::optional<double> acceptance;
  std::int64_t unconditional = 0, reversibility_every = 0;
  std::optional<double> checkpoint_minutes;  // within a trajectory
};

/// Keys of [gauge] for start = "quenched": links of a heatbath with the gauge action alone, at another beta.
struct QuenchedStartKeys {
  std::optional<double> beta;
  std::optional<std::int64_t> sweeps;  // compound sweeps, from random links on
};
/// The gauge action of the heatbath.
LoopWeights quenched_weights(const GaugeActionKeys& action, const QuenchedStartKeys& start);

const Schema& hmc_schema();

}  // namespace plaq::jobs
