// The table [quark_propagator] of the quark propagator in momentum space.
#pragma once

#include <optional>

#include "observables/quark/quark_propagator_settings.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

/// The key max_n, without which there is no propagator in momentum space. The
/// others are QuarkPropagatorSettings.
struct QuarkPropagatorKeys {
  std::optional<int> max_n;
};

Table quark_propagator_table();
/// All keys together. `max_n` must be there.
QuarkPropagatorSettings quark_propagator_settings(const Settings& settings);

}  // namespace plaq::settings
