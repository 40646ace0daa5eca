#include "core/system/error.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/wilson_action.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/gauge/gauge_action_table.hpp"
#include "settings/hmc/hmc_tables.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::settings {
namespace {

// The number of a mass; lists of another length are mistakes that rules find.
template <class T>
T of_mass(const std::optional<std::vector<T>>& numbers, std::size_t mass, T otherwise) {
  return numbers && mass < numbers->size() ? (*numbers)[mass] : otherwise;
}

// Weights that are wrong are mistakes that rules find.
SeaKind kind_of(const Action& action) {
  try {
    return sea_kind_of(action).value();
  } catch (const Error&) {
    return DomainWallParameters::shamir(1, DomainWallParameters().m0, action.mass());
  }
}

std::vector<SeaQuarks> sea_quarks(const Settings& settings) {
  const auto keys = settings.get<ActionKeys>();
  if (!keys.mass && !keys.kappa && !keys.has_many_masses()) return {};
  const auto hmc = settings.get<TrajectoryKeys>();
  std::vector<SeaQuarks> all;
  for (const ActionPtr& action :
       keys.has_many_masses() ? actions_of_masses(settings) : std::vector{action_parameters(settings)}) {
    SeaQuarks quarks{.kind = kind_of(*action),
                     .flavours = of_mass(hmc.flavours, all.size(), 2),
                     .pseudofermions = of_mass(hmc.pseudofermions, all.size(), 1),
                     .exact = hmc.exact};
    if (auto* staggered = std::get_if<StaggeredSea>(&quarks.kind); staggered && staggered->epsilon)
      staggered->epsilon = of_mass(hmc.epsilons, all.size(), *staggered->epsilon);
    all.push_back(quarks);
  }
  if (hmc.joint_masses) all = joint_quarks(all);
  name_quarks(all);
  return all;
}

// Masses of a ladder of staggered quarks have their convention.
double mass_unit(const Settings& settings, const std::vector<SeaQuarks>& quarks) {
  if (quarks.empty() || !quarks.front().staggered()) return 1;
  return action_of_any_mass(settings)->mass();
}

}  // namespace

TermSettings term_settings(const Settings& settings) {
  const auto keys = settings.get<TrajectoryKeys>();
  const auto quarks = sea_quarks(settings);
  std::vector<double> heavier = heavier_masses(keys);
  const double unit = mass_unit(settings, quarks);
  for (double& mass : heavier) mass *= unit;
  return {quarks,  keys.twists,   settings.get<RationalKeys>().factors, keys.terms, keys.time_scales,
          heavier, keys.symmetric};
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
  setup.force_filter = keys.force_filter;
  return setup;
}

}  // namespace plaq::settings
