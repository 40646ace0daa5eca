// The table [action_smearing]: Dirac operators on smeared links. What knows an operator by its links, a setup
// of multigrid or eigenvectors, has the checksum of the smeared ones.
#pragma once

#include "quarks/action/action.hpp"
#include "settings/gauge/link_smearing.hpp"

namespace plaq::settings {

Table action_smearing_table();
/// Needs the table [action] as well.
Rule action_smearing_rule();

// For results: action_attributes(), and how the links are smeared.
Attributes smeared_action_attributes(const Settings& settings);

}  // namespace plaq::settings
