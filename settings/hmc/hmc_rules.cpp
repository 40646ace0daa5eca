// Rules of hmc jobs.
#include <fmt/format.h>

#include <algorithm>

#include "core/system/wording.hpp"
#include "kernels/gauge/stout_smearer.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/action/action_table.hpp"
#include "settings/hmc/hmc_tables.hpp"
#include "settings/hmc/sea_quark_kinds.hpp"
#include "settings/schema/field.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::settings {
namespace {

// Keys that belong to quarks.
void check_quarks(Problems& problems, const Settings& settings) {
  const auto keys = settings.get<ActionKeys>();
  const auto hmc = settings.get<TrajectoryKeys>();
  const bool some = keys.mass || keys.kappa || keys.has_many_masses();
  const auto lists = {std::pair(KeyName("hmc.flavours"), hmc.flavours),
                      std::pair(KeyName("hmc.pseudofermions"), hmc.pseudofermions)};
  if (some && keys.boundary[3] == 0)
    problems.add("action.boundary", "found 0; sea quarks have 1 or -1 in time");
  if (!some && hmc.exact) problems.add("hmc.one_flavour", needs_quarks());
  for (const auto& [key, numbers] : lists)
    if (!some && numbers) problems.add(key, needs_quarks());
  if (!some && keys.type->has_clover())
    problems.missing("action.kappa", "the quarks of the clover term; for example kappa = 0.125");
  if (const auto* walls = some ? parameters_of<DomainWallChoice>(*action_of_any_mass(settings)) : nullptr;
      walls != nullptr && walls->measures_bounds())
    problems.missing("action.bounds",
                     "optimal weights of sea quarks are the same on all links, and do not follow a measured "
                     "spectrum; for example bounds = [0.05, 6.2]");
  const std::size_t masses = some ? masses_of(keys).size() : 0;
  for (const auto& [key, numbers] : lists)
    if (some && numbers && numbers->size() != masses)
      problems.add(key, fmt::format("found {} numbers for {} masses", numbers->size(), masses));
  const TermSettings terms = term_settings(settings);
  if (hmc.epsilons && !has_hisq(terms))
    problems.add("hmc.epsilons", "needs type = \"hisq\"" + wording().place("action") + "; leave the key out");
  else if (hmc.epsilons && parameters_of<HisqParameters>(*action_of_any_mass(settings))->epsilon != 0)
    problems.add("hmc.epsilons",
                 "epsilon is given too" + wording().place("action") + "; leave one of them out");
  else if (hmc.epsilons && hmc.epsilons->size() != masses)
    problems.add("hmc.epsilons", fmt::format("found {} numbers for {} masses", hmc.epsilons->size(), masses));
  check_staggered(problems, hmc, terms);
  if (!hmc.heavier_masses.empty() && !hmc.heavier_kappas.empty())
    problems.add("hmc.heavier_kappas", "heavier_masses is given too; leave one of them out");
  check_terms(problems, terms, hmc.heavier_kappas.empty() ? "hmc.heavier_masses" : "hmc.heavier_kappas");
  check_md_solver(problems, settings.get<MdSolverSettings>(), terms);
  check_rational(problems, settings.get<RationalKeys>(), terms);
}

void check_quark_links(Problems& problems, const Settings& settings) {
  const auto smearing = settings.get<ActionSmearing>();
  const auto before = problems.found.size();
  const TermSettings terms = term_settings(settings);
  check_smearing(problems, smearing, terms);
  if (!terms.quarks.empty() && problems.found.size() == before)
    action_smearing_rule().check(problems, settings);
}

// Rules of [action]; settings without a mass have no quarks, and no rule about their mass.
std::vector<Rule> quark_rules() {
  std::vector<Rule> rules = action_rules(MassKeys::any, sea_quarks());
  const Rule::Check check = rules.front().check;
  rules.front().text =
      "At most one of mass, kappa, masses and kappas is given, and no mass twice: kappa = 1/(2(4 + "
      "mass)). Without any the action is that of the gauge field alone.";
  rules.front().check = [check](Problems& problems, const Settings& settings) {
    const auto keys = settings.get<ActionKeys>();
    if (keys.mass || keys.kappa || keys.has_many_masses()) check(problems, settings);
  };
  return rules;
}

}  // namespace

void check_staggered(Problems& problems, const TrajectoryKeys& keys, const TermSettings& terms) {
  if (keys.force_filter != HisqSmearer::usual_filter && !has_hisq(terms))
    problems.add("hmc.force_filter", "needs HISQ quarks; leave the key out");
  if (keys.joint_masses &&
      std::none_of(terms.quarks.begin(), terms.quarks.end(), [](const SeaQuarks& quarks) {
        return quarks.staggered() && !quarks.staggered()->partners.empty();
      }))
    problems.add("hmc.joint_masses",
                 "needs two masses of staggered quarks with the same epsilon; leave the key out");
}

void check_md_solver(Problems& problems, const MdSolverSettings& solver, const TermSettings& terms) {
  if (terms.quarks.empty() && solver.multigrid) problems.add("solver.preconditioner", needs_quarks());
  if (has_staggered(terms) && solver.multigrid)
    problems.add("solver.preconditioner", "multigrid is for Wilson and clover quarks; leave the key out");
  if (has_walls(terms) && solver.multigrid)
    problems.add("solver.preconditioner", "multigrid is for Wilson and clover quarks; leave the key out");
  if (terms.symmetric && solver.multigrid)
    problems.add(
        "solver.preconditioner",
        "multigrid is for the asymmetric form; leave the key out, or take even_odd = \"asymmetric\"" +
            wording().place("hmc"));
  if (solver.largest_multigrid_twist && !solver.multigrid)
    problems.add("solver.largest_twist", "needs preconditioner = \"multigrid\"");
}

void check_rational(Problems& problems, const RationalKeys& rational, const TermSettings& terms) {
  const std::string needs = "needs an odd number of flavours, several pseudofermions" +
                            wording().place("hmc") + ", or staggered quarks";
  if (!has_roots(terms) && rational.range) problems.add("rational.range", needs);
  if (!has_roots(terms) && rational.factors != 1) problems.add("rational.factors", needs);
  if (has_roots(terms) && has_walls(terms) && rational.factors != 1)
    problems.add("rational.factors", "functions of domain-wall quarks are not divided; leave the key out");
  if (has_roots(terms) && has_walls(terms) && rational.range)
    problems.add("rational.range",
                 "domain-wall quarks and Pauli-Villars quarks have spectra of their own, which are measured; "
                 "leave the key out");
  if (rational.factors != 1 && has_staggered(terms) && !terms.heavier_masses.empty())
    problems.add("rational.factors",
                 "staggered quarks have one function for each step of a ladder; leave the key out, or "
                 "heavier_masses" +
                     wording().place("hmc"));
  if (rational.range && (*rational.range)[0] >= (*rational.range)[1])
    problems.add("rational.range", "the first number must be less than the second one");
  for (const SeaQuarks& quarks : terms.quarks) {
    const double mass = quarks.mass();
    if (quarks.staggered() && rational.range && (*rational.range)[0] > mass * mass)
      problems.add("rational.range",
                   fmt::format("begins at {}, above the least eigenvalue of staggered quarks "
                               "of mass {}, m^2 = {:.8g}",
                               (*rational.range)[0], mass, mass * mass));
  }
}

void check_smearing(Problems& problems, const ActionSmearing& smearing, const TermSettings& terms) {
  const auto& [links, thin_clover] = smearing;
  if (terms.quarks.empty()) {
    if (links.smears()) problems.add("action_smearing.type", needs_quarks());
    if (thin_clover) problems.add("action_smearing.clover_links", needs_quarks());
  } else if (links.smears() && has_hisq(terms)) {
    problems.add("action_smearing.type", "\"hisq\" quarks smear their links themselves; leave it out");
  } else if (links.smears() && links.type != LinkSmearingKind::stout) {
    problems.add("action_smearing.type",
                 fmt::format("forces of quarks on {} links are not known; take \"stout\"",
                             link_smearing_names().of(links.type)));
  } else if (links.smears() && links.rho > StoutSmearer::largest_rho) {
    problems.add("action_smearing.rho", fmt::format("forces need a rho of at most {}, found {}",
                                                    StoutSmearer::largest_rho, links.rho));
  }
}

void check_time_scales(Problems& problems, const TermSettings& terms, const std::vector<int>& steps,
                       const std::vector<Integrator>& integrators) {
  const auto on = terms_on_scales(terms);
  for (const std::string& mistake : on.mistakes) problems.add("hmc.time_scales", mistake);
  problems.add_twice("hmc.time_scales", on.names);
  const std::size_t scales = on.scales.size();
  if (steps.size() != scales)
    problems.add("hmc.steps", fmt::format("found {} numbers for {} time scales", steps.size(), scales));
  if (!integrators.empty() && integrators.size() != scales)
    problems.add("hmc.integrators",
                 fmt::format("found {} names for {} time scales", integrators.size(), scales));
}

std::vector<Rule> hmc_rules() {
  return joined<Rule>(
      {quark_rules(),
       multigrid_rules(),
       {{{"action.type",
          "action.mass",
          "action.kappa",
          "action.masses",
          "action.kappas",
          "action.c_sw",
          "action.c_r",
          "action.c_t",
          "action.twisted_mass",
          "action.mass_convention",
          "action.xi",
          "action.nu",
          "action.boundary",
          "action.variant",
          "action.n_s",
          "action.m0",
          "action.b5",
          "action.c5",
          "action.bounds",
          "action.omega",
          "action.sigma",
          "hmc.flavours",
          "hmc.one_flavour",
          "hmc.pseudofermions",
          "hmc.epsilons",
          "hmc.joint_masses",
          "hmc.force_filter",
          "action.epsilon",
          "hmc.twists",
          "hmc.heavier_masses",
          "hmc.heavier_kappas",
          "hmc.even_odd",
          "solver.preconditioner",
          "solver.inner_precision",
          "solver.largest_twist",
          "rational.range",
          "rational.factors"},
         "Flavours, ladders, even_odd, multigrid and [rational] belong to quarks; flavours, "
         "pseudofermions and epsilons are as many as masses. A ladder has one of twists, heavier_masses and "
         "heavier_kappas, and it goes down to the "
         "quarks. Multigrid is for the asymmetric form. Twisted-mass quarks have two flavours of a mass, and "
         "one "
         "pseudofermion. Wilson, clover and domain-wall quarks have up to 3 flavours of a mass, and N "
         "staggered flavours have "
         "more than N/4 pseudofermions, without twists and multigrid; joint_masses is of two masses or more, "
         "and a ladder of theirs goes without factors. epsilons and force_filter are of HISQ quarks. "
         "largest_twist is one of multigrid. Domain-wall quarks have masses from 0 to below 1, those of "
         "their "
         "ladder too, and no multigrid, twists, range and factors; one_flavour = \"exact\" needs a positive "
         "mass "
         "and the same weights on all slices. They and Pauli-Villars quarks have an "
         "even-odd form, and optimal weights have bounds.",
         check_quarks},
        {{"action.type",
          "action.mass",
          "action.kappa",
          "action.masses",
          "action.kappas",
          "action.c_sw",
          "action.c_r",
          "action.c_t",
          "action.twisted_mass",
          "action.xi",
          "action.nu",
          "action.boundary",
          "action.mass_convention",
          "hmc.flavours",
          "hmc.one_flavour",
          "hmc.twists",
          "hmc.heavier_masses",
          "hmc.heavier_kappas",
          "hmc.pseudofermions",
          "hmc.epsilons",
          "hmc.joint_masses",
          "action.epsilon",
          "rational.factors",
          "hmc.time_scales",
          "hmc.steps",
          "hmc.integrators"},
         "Each term is on one time scale, and steps and integrators are as many as these.",
         [](Problems& problems, const Settings& settings) {
           const auto keys = settings.get<TrajectoryKeys>();
           check_time_scales(problems, term_settings(settings), keys.steps, keys.integrators);
         }},
        {{"action_smearing.type", "action_smearing.spatial", "action_smearing.steps", "action_smearing.rho",
          "action_smearing.allow_unstable", "action_smearing.clover_links", "action.type", "action.mass",
          "action.kappa", "action.masses", "action.kappas"},
         "Quarks act on thin or stout links. rho is at most 0.125, in space alone 0.167, and with "
         "allow_unstable 0.5. clover_links is of clover quarks on smeared links.",
         check_quark_links}}});
}

}  // namespace plaq::settings
