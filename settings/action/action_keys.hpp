// The table [action] as a struct, for any discretisation, and the actions that it stands for.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "kernels/gauge/link_copies.hpp"
#include "settings/action/discretisation.hpp"

namespace plaq::settings {

// Each discretisation has keys of its own beside these; a job type has one mass or many.
struct ActionKeys {
  const Discretisation* type = all_discretisations().front();
  std::optional<double> mass, kappa;
  std::optional<std::vector<double>> masses, kappas;
  std::array<int, 4> boundary{1, 1, 1, -1};

  SpaceSigns in_space() const { return {boundary[0], boundary[1], boundary[2]}; }
  bool has_many_masses() const { return masses || kappas; }
};

// Keys of all quarks that Discretisation::has_anisotropy.
struct AnisotropyKeys {
  double xi = 1, nu = 1;
};

/// All masses in the order of the settings; kappas are converted to masses.
std::vector<double> masses_of(const ActionKeys& keys);

// The quarks of a job with many masses by name, as the job gives them: "m0.05", or "k0.12" of kappas.
std::vector<std::string> names_of_masses(const ActionKeys& keys);

/// The action of settings with one mass, and the actions of many. Masses of staggered quarks are MILC's.
ActionPtr action_parameters(const Settings& settings);
std::vector<ActionPtr> actions_of_masses(const Settings& settings);
// For what is the same at any mass: rules ask it of jobs that may lack keys.
ActionPtr action_of_any_mass(const Settings& settings);

// For results. `mass` and `kappa`, or `masses` and `kappas`, as the job has them.
Attributes action_attributes(const Settings& settings);
int least_slices(const Settings& settings);  // Action::least_slices

}  // namespace plaq::settings
