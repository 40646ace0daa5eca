#include "settings/quark/quark_smearing_table.hpp"

#include <fmt/format.h>

#include "settings/gauge/link_smearing.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

void check_smearing_steps(Problems& problems, const QuarkSmearingKeys& keys, int links) {
  const double sigma = keys.parameters.sigma;
  const int steps = keys.parameters.steps, fewest = fewest_smearing_steps(sigma, links);
  if (steps > 0 && steps < fewest && !keys.parameters.allow_unstable)
    problems.add("quark_smearing.steps",
                 fmt::format("{} steps of width sigma = {} amplify the highest momenta instead of smearing; "
                             "take at least {}",
                             steps, sigma, fewest));
}

Table quark_smearing_table(bool with_source) {
  constexpr auto parameters = &QuarkSmearingKeys::parameters;
  Table table{
      "quark_smearing",
      "Gaussian smearing of quarks in space with the links of [link_smearing]: psi <- psi + sigma^2/(4 "
      "steps) Laplacian psi. Staggered quarks: sigma^2/(16 steps), and the Laplacian hops by two links, "
      "which keeps tastes apart.",
      {field(parameters, &GaussianSmearingParameters::steps, "steps",
             "Number of smearing steps; 0: no smearing.")
           .within(0, 100000),
       field(parameters, &GaussianSmearingParameters::sigma, "sigma",
             "Width of the smearing in lattice units.")
           .between(0, 1000)
           .such_as("2.0")
           .without(""),
       field(parameters, &GaussianSmearingParameters::allow_unstable, "allow_unstable", allow_unstable_text)
           .not_physics(),
       field(parameters, &GaussianSmearingParameters::momentum, "momentum",
             "Momentum smearing: the links have the phases exp(-i k) of k = 2 pi momentum / L in x, y, z, so "
             "that quarks with the momentum k are kept best. Any real numbers.")
           .between(-2048, 2048)}};
  if (with_source)
    table.keys.push_back(field(&QuarkSmearingKeys::source, "source", "true: the source is smeared."));
  return table;
}

QuarkSmearingSettings quark_smearing_settings(const Settings& settings, const SpaceSigns& boundary) {
  QuarkSmearingSettings found{settings.get<QuarkSmearingKeys>().parameters, settings.get<LinkSmearing>()};
  found.gaussian.boundary = boundary;
  return found;
}

}  // namespace plaq::settings
