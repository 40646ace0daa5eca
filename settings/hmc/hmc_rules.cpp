#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/system/error.hpp"
#include "core/system/wording.hpp"
#include "kernels/gauge/stout_smearer.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/action/action_table.hpp"
#include "settings/hmc/hmc_tables.hpp"
#include "settings/schema/field.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::settings {
namespace {

std::string needs_quarks() {
  return "needs quarks: kappa, kappas, mass or masses" + wording().place("action");
}

bool has_roots(const TermSettings& terms) {
  return std::any_of(terms.quarks.begin(), terms.quarks.end(),
                     [](const SeaQuarks& q) { return q.has_root(); });
}

bool has_pairs(const TermSettings& terms) {
  return std::any_of(terms.quarks.begin(), terms.quarks.end(),
                     [](const SeaQuarks& q) { return q.has_pair(); });
}

bool has_staggered(const TermSettings& terms) {
  return std::any_of(terms.quarks.begin(), terms.quarks.end(),
                     [](const SeaQuarks& q) { return q.staggered.has_value(); });
}

bool has_walls(const TermSettings& terms) {
  return std::any_of(terms.quarks.begin(), terms.quarks.end(),
                     [](const SeaQuarks& q) { return q.domain_wall.has_value(); });
}

bool has_hisq(const TermSettings& terms) {
  return std::any_of(terms.quarks.begin(), terms.quarks.end(),
                     [](const SeaQuarks& q) { return q.epsilon.has_value(); });
}

void check_own_names(Problems& problems, const TermSettings& terms) {
  std::vector<std::string> names;
  TermSettings others = terms;
  others.own.clear();
  for (const Term& term : terms_of(others)) names.push_back(term.name);
  names.insert(names.end(), {"kinetic", "quarks"});
  for (const std::string& own : terms.own) {
    if (own.empty() || own.find_first_of(" \t\n") != std::string::npos)
      problems.add("hmc.terms", fmt::format("\"{}\": a name has letters and no spaces", own));
    if (std::find(names.begin(), names.end(), own) != names.end())
      problems.add("hmc.terms", fmt::format("{} is a term of plaq; take another name", own));
  }
  problems.add_twice("hmc.terms", terms.own);
}

void check_twisted_mass(Problems& problems, const TermSettings& terms) {
  for (const SeaQuarks& quarks : terms.quarks) {
    if (quarks.parameters.twisted_mass == 0) continue;
    if (quarks.flavours != 2)
      return problems.add("hmc.flavours",
                          fmt::format("twisted-mass quarks are doublets of the twisted masses mu and -mu: 2 "
                                      "flavours of each mass, found {}",
                                      quarks.flavours));
    if (quarks.pseudofermions != 1)
      return problems.add("hmc.pseudofermions",
                          "several pseudofermions need a Hermitian Q, and twisted-mass quarks have none; "
                          "leave the key out");
  }
}

void check_flavours(Problems& problems, const TermSettings& terms) {
  for (const SeaQuarks& quarks : terms.quarks) {
    if (!quarks.staggered && quarks.flavours > 3)
      return problems.add(
          "hmc.flavours",
          fmt::format("{} quarks have 1 to 3 flavours of a mass, found {}",
                      quarks.domain_wall ? "domain-wall" : "Wilson and clover", quarks.flavours));
    if (quarks.staggered && quarks.root_power() >= 1)
      return problems.add(
          "hmc.pseudofermions",
          fmt::format("{} staggered flavours of {} need more than {:g} pseudofermions, "
                      "found {}; take {} or more",
                      quarks.all_flavours(), quarks.partners.empty() ? "a mass" : "joint masses",
                      0.25 * quarks.all_flavours(), quarks.pseudofermions, quarks.all_flavours() / 4 + 1));
    for (const SeaQuarks::Partner& partner : quarks.partners)
      if (partner.pseudofermions != quarks.pseudofermions)
        return problems.add("hmc.pseudofermions",
                            fmt::format("joint masses have the same pseudofermions, found {} and {}",
                                        quarks.pseudofermions, partner.pseudofermions));
  }
}

// Quarks of all masses of a ladder, and Pauli-Villars quarks, have an even-odd form.
void check_walls(Problems& problems, const TermSettings& terms, const KeyName& masses_key) {
  if (!has_walls(terms)) return;
  if (!terms.twists.empty())
    problems.add("hmc.twists", "the ladder of domain-wall quarks is one of masses; take heavier_masses");
  if (masses_key == KeyName("hmc.heavier_kappas"))
    problems.add(masses_key, "is for Wilson and clover quarks; take heavier_masses");
  if (terms.symmetric)
    problems.add("hmc.even_odd", "domain-wall quarks have one even-odd form; leave the key out");
  if (!terms.heavier_masses.empty() && terms.heavier_masses.front() >= 1)
    problems.add(masses_key, fmt::format("{} is not below 1, the mass of Pauli-Villars quarks",
                                         terms.heavier_masses.front()));
  for (const SeaQuarks& quarks : terms.quarks) {
    if (quarks.has_exact() && !quarks.domain_wall->same_on_all_slices())
      problems.add("hmc.one_flavour",
                   "the exact action needs weights that are the same on all slices; take \"rational\"");
    if (quarks.has_exact() && quarks.mass() == 0)
      problems.add("hmc.one_flavour", "the exact action needs a mass above 0; take \"rational\"");
    if (!(quarks.mass() >= 0 && quarks.mass() < 1))
      problems.add(terms.quarks.size() == 1 ? "action.mass" : "action.masses",
                   fmt::format("domain-wall sea quarks have masses from 0 to below 1, that of Pauli-Villars "
                               "quarks; found {}",
                               quarks.mass()));
  }
  std::vector<double> masses{1};
  masses.insert(masses.end(), terms.heavier_masses.begin(), terms.heavier_masses.end());
  for (const double mass : masses) {
    DomainWallParameters heavy = terms.quarks.front().domain_wall.value();
    heavy.mass = mass;
    try {
      heavy.check_even_odd();
    } catch (const Error& error) {
      problems.add(mass == 1 ? KeyName("action.n_s") : masses_key,
                   fmt::format("{}{}", mass == 1 ? "Pauli-Villars quarks: " : "", error.what()));
    }
  }
}

std::string mass_text(double mass, bool kappa) {
  return kappa ? fmt::format("mass {:.8g} (kappa {:.8g})", mass, 1 / (2 * (4 + mass)))
               : fmt::format("mass {:.8g}", mass);
}

// Twists or heavier masses; messages about these name the key by which they were given.
void check_ladder(Problems& problems, const TermSettings& terms, const KeyName& masses_key) {
  const auto& [twists, masses] = std::tie(terms.twists, terms.heavier_masses);
  const auto needs = [&](const KeyName& key, bool given, bool possible) {
    if (given && terms.quarks.empty())
      problems.add(key, needs_quarks());
    else if (given && !possible)
      problems.add(key,
                   "needs a pair of flavours: a ladder has two flavours of a mass, and one pseudofermion");
  };
  needs("hmc.twists", !twists.empty(), has_pairs(terms));
  needs(masses_key, !masses.empty(),
        has_pairs(terms) || (has_staggered(terms) && masses_key.key == "heavier_masses"));
  for (std::size_t k = 0; k + 1 < twists.size(); ++k)
    if (twists[k] <= twists[k + 1])
      problems.add("hmc.twists",
                   fmt::format("{} stands before {}: twists become smaller", twists[k], twists[k + 1]));
  const bool kappas = has_pairs(terms);
  for (std::size_t k = 0; k + 1 < masses.size(); ++k)
    if (masses[k] <= masses[k + 1])
      problems.add(masses_key,
                   fmt::format("{} stands before {}: masses become smaller{}", mass_text(masses[k], kappas),
                               mass_text(masses[k + 1], kappas), kappas ? ", and kappas larger" : ""));
  if (!twists.empty() && !masses.empty())
    problems.add(masses_key, "a ladder has twists or masses, not both; leave one of them out");
  for (const SeaQuarks& quarks : terms.quarks)
    if (quarks.has_pair() && !masses.empty() && masses.back() <= quarks.mass())
      problems.add(
          masses_key,
          fmt::format("{} is not larger than {} of the quarks; take larger masses, or smaller kappas",
                      mass_text(masses.back(), !quarks.domain_wall),
                      mass_text(quarks.mass(), !quarks.domain_wall)));
  if (!has_pairs(terms) && has_staggered(terms) && !masses.empty() &&
      std::all_of(terms.quarks.begin(), terms.quarks.end(),
                  [&](const SeaQuarks& quarks) { return quarks.ladder(masses).size() < masses.size(); }))
    problems.add(masses_key, fmt::format("{} is not larger than the masses of any quarks; take larger masses",
                                         mass_text(masses.back(), false)));
}

// Keys that belong to quarks.
void check_quarks(Problems& problems, const Settings& settings) {
  const auto keys = settings.get<ActionKeys>();
  const auto hmc = settings.get<TrajectoryKeys>();
  const bool some = keys.mass || keys.kappa || keys.has_many_masses();
  const auto lists = {std::pair(KeyName("hmc.flavours"), hmc.flavours),
                      std::pair(KeyName("hmc.pseudofermions"), hmc.pseudofermions)};
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

void check_terms(Problems& problems, const TermSettings& terms, const KeyName& masses_key) {
  if (terms.symmetric && !has_pairs(terms))
    problems.add(
        "hmc.even_odd",
        terms.quarks.empty()
            ? needs_quarks()
            : "the symmetric form needs a pair of flavours with one pseudofermion; leave the key out");
  const auto& all_quarks = terms.quarks;
  if (std::any_of(all_quarks.begin(), all_quarks.end(), [](const SeaQuarks& q) { return q.exact; }) &&
      std::none_of(all_quarks.begin(), all_quarks.end(), [](const SeaQuarks& q) { return q.has_exact(); }))
    problems.add("hmc.one_flavour", all_quarks.empty()
                                        ? needs_quarks()
                                        : "the exact action is for an odd number of flavours of domain-wall "
                                          "quarks with one pseudofermion; leave the key out");
  check_own_names(problems, terms);
  check_flavours(problems, terms);
  check_twisted_mass(problems, terms);
  check_walls(problems, terms, masses_key);
  check_ladder(problems, terms, masses_key);
  const auto all = terms_of(terms);
  int pseudofermions = 0;
  for (const Term& term : all) pseudofermions += term.has_pseudofermion() ? term.fields : 0;
  if (pseudofermions > 255)
    problems.add(terms.heavier_masses.empty() ? KeyName("hmc.twists") : masses_key,
                 fmt::format("the action has {} pseudofermions, at most 255 are possible", pseudofermions));
}

void check_staggered(Problems& problems, const TrajectoryKeys& keys, const TermSettings& terms) {
  if (keys.force_filter != HisqSmearer::usual_filter && !has_hisq(terms))
    problems.add("hmc.force_filter", "needs HISQ quarks; leave the key out");
  if (keys.joint_masses && std::none_of(terms.quarks.begin(), terms.quarks.end(),
                                        [](const SeaQuarks& quarks) { return !quarks.partners.empty(); }))
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
    const double mass = quarks.staggered ? quarks.staggered->mass : 0;
    if (quarks.staggered && rational.range && (*rational.range)[0] > mass * mass)
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
