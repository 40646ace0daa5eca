// Keys of gauge actions in [gauge], and the weights of loops that they stand for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/site/loop_weights.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

/// A gauge action by its name and coefficients. A number that is not given is 1, and no flavours.
struct GaugeActionKeys {
  std::string action = "wilson";
  double beta = 0;
  std::optional<double> c1, u0;
  std::optional<int> flavours;
  std::optional<double> anisotropy;
};

/// All keys are those of GaugeActionKeys.
/// @param example_beta  beta in examples
std::vector<Key> gauge_action_keys(std::string_view example_beta);
/// Each key must belong to the action.
Rule gauge_action_rule();

/// Weights of the loops. Throws Error(job_file) as kernels/gauge/gauge_action.hpp does.
LoopWeights loop_weights(const GaugeActionKeys& keys);

}  // namespace plaq::settings
