// What the table [action] of a job says, of any discretisation.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "jobs/dirac/discretisation.hpp"
#include "jobs/schema/field.hpp"
#include "kernels/gauge/boundary_signs.hpp"

namespace plaq::jobs {

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

// As the job names them, in its order; masses that kappas stand for.
std::vector<double> masses_of(const ActionKeys& keys);

// The quarks of a job with many masses by name, as the job gives them: "m0.05", or "k0.12" of kappas.
std::vector<std::string> names_of_masses(const ActionKeys& keys);

// Of a job with one mass; of one with many. Masses of staggered quarks are MILC's.
ActionPtr action_parameters(const JobFile& job);
std::vector<ActionPtr> actions_of_masses(const JobFile& job);
// For what is the same at any mass: rules ask it of jobs that may lack keys.
ActionPtr action_of_any_mass(const JobFile& job);

// For results. `mass` and `kappa`, or `masses` and `kappas`, as the job has them.
Attributes action_attributes(const JobFile& job);
int least_slices(const JobFile& job);  // Action::least_slices

}  // namespace plaq::jobs
