// The table [multigrid], which is MultigridOptions.
#pragma once

#include <vector>

#include "quarks/multigrid/multigrid_options.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

Table multigrid_table(const std::vector<Key>& more = {});
std::vector<Rule> multigrid_rules();

}  // namespace plaq::settings
