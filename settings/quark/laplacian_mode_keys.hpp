// Keys of the search for modes of the Laplacian in space.
#pragma once

#include <string>
#include <vector>

#include "settings/schema/field.hpp"
#include "settings/schema/schema.hpp"

namespace plaq::settings {

/// Keys of LaplacianModeSettings: modes, tolerance, basis, filter_degree, block, max_applications, seed and
/// boundary.
std::vector<Key> laplacian_mode_keys();
/// Their rule in the table `name`.
Rule laplacian_mode_rule(const std::string& name);

}  // namespace plaq::settings
