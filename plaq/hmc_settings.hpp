// Settings of a chain of hybrid Monte Carlo, checked.
#pragma once

#include <vector>

#include "dynamics/terms/hmc_action.hpp"
#include "plaq/hmc.hpp"

namespace plaq {

/// Throws Error(usage), which lists every mistake.
HmcSetup setup_of(const HmcSettings& settings, const std::vector<ActionTermPtr>& own);

}  // namespace plaq
