// Keys of the search for low modes, EigenvectorSettings and the form of the operator, and their rules.
#pragma once

#include <string>
#include <vector>

#include "quarks/solve/eigenvector_settings.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

/// modes, preconditioning, tolerance, basis, filter_degree, max_applications and seed.
/// `preconditioning` is that of SolverSettings.
std::vector<Key> eigenvector_keys();
/// Their rule in the table `name`.
Rule eigenvector_rule(const std::string& name);

}  // namespace plaq::settings
