// Rules of the terms of an action: names, flavours and ladders.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/system/error.hpp"
#include "settings/hmc/hmc_tables.hpp"
#include "settings/hmc/sea_quark_kinds.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {
namespace {

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
    if (!quarks.wilson() || quarks.wilson()->twisted_mass == 0) continue;
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
    if (!quarks.staggered() && quarks.flavours > 3)
      return problems.add("hmc.flavours",
                          fmt::format("{} quarks have 1 to 3 flavours of a mass, found {}",
                                      quarks.walls() ? "domain-wall" : "Wilson and clover", quarks.flavours));
    if (!quarks.staggered()) continue;
    const auto& partners = quarks.staggered()->partners;
    if (quarks.root_power() >= 1)
      return problems.add(
          "hmc.pseudofermions",
          fmt::format("{} staggered flavours of {} need more than {:g} pseudofermions, "
                      "found {}; take {} or more",
                      quarks.all_flavours(), partners.empty() ? "a mass" : "joint masses",
                      0.25 * quarks.all_flavours(), quarks.pseudofermions, quarks.all_flavours() / 4 + 1));
    for (const StaggeredSea::Partner& partner : partners)
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
    if (quarks.has_exact() && !quarks.walls()->same_on_all_slices())
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
    DomainWallParameters heavy = *terms.quarks.front().walls();
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
                      mass_text(masses.back(), !quarks.walls()), mass_text(quarks.mass(), !quarks.walls())));
  if (!has_pairs(terms) && has_staggered(terms) && !masses.empty() &&
      std::all_of(terms.quarks.begin(), terms.quarks.end(),
                  [&](const SeaQuarks& quarks) { return quarks.ladder(masses).size() < masses.size(); }))
    problems.add(masses_key, fmt::format("{} is not larger than the masses of any quarks; take larger masses",
                                         mass_text(masses.back(), false)));
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

}  // namespace plaq::settings
