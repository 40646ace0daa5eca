#include "quarks/action/wilson_action.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/gauge/gauge_action_table.hpp"
#include "settings/hmc/hmc_tables.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::settings {
namespace {

// The number of a mass; lists of another length are mistakes that rules find.
int of_mass(const std::optional<std::vector<int>>& numbers, std::size_t mass, int otherwise) {
  return numbers && mass < numbers->size() ? (*numbers)[mass] : otherwise;
}

std::vector<SeaQuarks> sea_quarks(const Settings& settings) {
  const auto keys = settings.get<ActionKeys>();
  if (!keys.mass && !keys.kappa && !keys.has_many_masses()) return {};
  const auto hmc = settings.get<TrajectoryKeys>();
  std::vector<SeaQuarks> all;
  for (const ActionPtr& action :
       keys.has_many_masses() ? actions_of_masses(settings) : std::vector{action_parameters(settings)}) {
    SeaQuarks quarks{
        "", {}, of_mass(hmc.flavours, all.size(), 2), of_mass(hmc.pseudofermions, all.size(), 1)};
    if (const auto* staggered = parameters_of<StaggeredParameters>(*action))
      quarks.staggered = *staggered;
    else
      quarks.parameters = wilson_parameters(*action);
    all.push_back(quarks);
  }
  name_quarks(all);
  return all;
}

}  // namespace

TermSettings term_settings(const Settings& settings) {
  const auto keys = settings.get<TrajectoryKeys>();
  return {sea_quarks(settings), keys.twists,      settings.get<RationalKeys>().factors,
          keys.terms,           keys.time_scales, heavier_masses(keys),
          keys.symmetric};
}

std::vector<double> heavier_masses(const TrajectoryKeys& keys) {
  std::vector<double> masses = keys.heavier_masses;
  for (const double kappa : keys.heavier_kappas) masses.push_back(WilsonParameters::mass_of_kappa(kappa));
  return masses;
}

InverseRootSettings root_settings(const RationalKeys& keys) {
  InverseRootSettings root{keys.tolerance, keys.factors, {}};
  if (keys.range) root.range = SpectralRange{(*keys.range)[0], (*keys.range)[1]};
  return root;
}

std::vector<TimeScale> time_scales(const TrajectoryKeys& keys) {
  std::vector<TimeScale> scales;
  for (std::size_t s = 0; s < keys.steps.size(); ++s)
    scales.push_back(
        {keys.integrators.empty() ? Integrator::omelyan2 : keys.integrators.at(s), keys.steps[s]});
  return scales;
}

HmcSetup hmc_setup(const Settings& settings) {
  const auto keys = settings.get<TrajectoryKeys>();
  HmcSetup setup;
  setup.terms = term_settings(settings);
  setup.gauge = loop_weights(settings.get<GaugeActionKeys>());
  setup.smearing = settings.get<ActionSmearing>();
  setup.root = root_settings(settings.get<RationalKeys>());
  setup.solver = settings.get<MdSolverSettings>();
  if (setup.solver.multigrid) setup.solver.multigrid = settings.get<MultigridOptions>();
  setup.scales = time_scales(keys);
  setup.length = keys.length;
  return setup;
}

}  // namespace plaq::settings
