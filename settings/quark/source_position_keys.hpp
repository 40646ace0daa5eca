// Keys of [source] for the sites of all sources (quarks/source/source_positions.hpp).
#pragma once

#include <vector>

#include "settings/schema/schema.hpp"

namespace plaq::settings {

std::vector<Key> position_keys();
Rule position_rule();

}  // namespace plaq::settings
