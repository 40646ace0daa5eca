#include "settings/action/action_keys.hpp"

#include <fmt/format.h>

#include "kernels/dirac/wilson/wilson_parameters.hpp"

namespace plaq::settings {

std::vector<double> masses_of(const ActionKeys& keys) {
  if (keys.masses) return *keys.masses;
  if (keys.mass) return {*keys.mass};
  std::vector<double> masses;
  for (const double kappa : keys.kappas ? *keys.kappas : std::vector{keys.kappa.value()})
    masses.push_back(WilsonParameters::mass_of_kappa(kappa));
  return masses;
}

std::vector<std::string> names_of_masses(const ActionKeys& keys) {
  std::vector<std::string> names;
  for (const double mass : keys.masses.value_or(std::vector<double>()))
    names.push_back(fmt::format("m{}", mass));
  for (const double kappa : keys.kappas.value_or(std::vector<double>()))
    names.push_back(fmt::format("k{}", kappa));
  return names;
}

std::vector<ActionPtr> actions_of_masses(const Settings& settings) {
  const auto keys = settings.get<ActionKeys>();
  std::vector<ActionPtr> all;
  for (const double mass : masses_of(keys)) all.push_back(keys.type->action(settings, mass));
  return all;
}

ActionPtr action_parameters(const Settings& settings) { return actions_of_masses(settings).front(); }

ActionPtr action_of_any_mass(const Settings& settings) {
  return settings.get<ActionKeys>().type->action(settings, 1);
}

int least_slices(const Settings& settings) { return action_of_any_mass(settings)->least_slices(); }

Attributes action_attributes(const Settings& settings) {
  const auto keys = settings.get<ActionKeys>();
  const std::vector<double> masses = masses_of(keys);
  Attributes a = {{"type", keys.type->name()}};
  if (keys.has_many_masses())
    a.emplace_back("masses", masses);
  else
    a.emplace_back("mass", masses.front());
  add(a, keys.type->attributes(settings));
  a.emplace_back("boundary", std::vector<std::int64_t>(keys.boundary.begin(), keys.boundary.end()));
  return a;
}

}  // namespace plaq::settings
