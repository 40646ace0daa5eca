#include "jobs/hmc/hmc_terms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "core/system/error.hpp"
#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "dynamics/monomial/twisted_monomial.hpp"
#include "quarks/action/action_smearing.hpp"
#include "quarks/action/wilson_action.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/gauge/gauge_action_table.hpp"

namespace plaq::jobs {

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::vector<SeaQuarks> sea_quarks(const Settings& job) {
  const auto keys = job.get<ActionKeys>();
  if (!keys.mass && !keys.kappa && !keys.has_many_masses()) return {};
  const auto flavours = job.get<HmcKeys>().flavours;
  std::vector<SeaQuarks> all;
  for (const ActionPtr& action :
       keys.has_many_masses() ? actions_of_masses(job) : std::vector{action_parameters(job)})
    all.push_back({"quarks", wilson_parameters(*action),
                   flavours && all.size() < flavours->size() ? (*flavours)[all.size()] : 2});
  if (all.size() > 1)
    for (std::size_t k = 0; k < all.size(); ++k) all[k].name += fmt::format("_{}", k + 1);
  return all;
}

std::vector<Term> terms_of(const Settings& job) {
  const auto quarks = sea_quarks(job);
  const int twists = static_cast<int>(job.get<HmcKeys>().twists.size());
  const int factors = job.get<RationalKeys>().factors;
  std::vector<Term> terms;
  for (std::size_t q = 0; q < quarks.size(); ++q) {
    const auto& [name, parameters, flavours] = quarks[q];
    if (flavours >= 2) {
      terms.push_back({name, Term::Kind::twisted, q, 0});
      for (int k = 1; k <= twists; ++k)
        terms.push_back({fmt::format("{}_ratio_{}", name, k), Term::Kind::twisted, q, k});
    }
    if (flavours % 2 == 1)
      for (int k = 0; k < factors; ++k)
        terms.push_back({fmt::format("{}_rational_{}", name, k + 1), Term::Kind::rational, q, k});
    if (parameters.has_clover_determinant())
      terms.push_back({name + "_determinant", Term::Kind::determinant, q, 0});
  }
  terms.push_back({"gauge", Term::Kind::gauge});
  int pseudofermions = 0;
  for (Term& term : terms)
    if (term.has_pseudofermion()) term.pseudofermion = pseudofermions++;
  return terms;
}

std::vector<std::vector<Term>> terms_on_scales(const Settings& job, Problems& problems) {
  const auto terms = terms_of(job);
  const auto given = job.get<HmcKeys>().time_scales;
  const std::vector<std::string> quenched{"gauge"}, two{"quarks", "gauge"};
  std::vector<std::vector<std::string>> words;
  for (const std::string& scale : given ? *given : terms.size() == 1 ? quenched : two)
    words.push_back(words_of(scale));
  std::vector<std::vector<Term>> on(words.size());
  std::set<std::string> used;
  for (const Term& term : terms) {
    std::string longest;
    std::size_t scale = 0;
    for (std::size_t s = 0; s < words.size(); ++s)
      for (const std::string& word : words[s])
        if ((term.name == word || term.name.starts_with(word + "_")) && word.size() > longest.size()) {
          longest = word;
          scale = s;
        }
    if (longest.empty()) {
      problems.add("hmc.time_scales", fmt::format("no time scale has the term {}", term.name));
    } else {
      used.insert(longest);
      on[scale].push_back(term);
    }
  }
  std::vector<std::string> names, all;
  for (const Term& term : terms) names.push_back(term.name);
  for (const auto& of_scale : words) {
    if (of_scale.empty()) problems.add("hmc.time_scales", "one of them has no terms");
    all.insert(all.end(), of_scale.begin(), of_scale.end());
  }
  for (const std::string& word : all)
    if (!used.contains(word))
      problems.add("hmc.time_scales",
                   fmt::format("{} stands for no term; the terms are {}", word, fmt::join(names, ", ")));
  problems.add_twice("hmc.time_scales", all);
  return on;
}

std::vector<std::vector<Term>> terms_on_scales(const Settings& job) {
  Problems problems;
  auto on = terms_on_scales(job, problems);
  require(problems.found.empty(), "time scales that the rules of hmc jobs refuse");
  return on;
}

namespace {

// Quarks of a mass on their lattice.
struct QuarksOfMass {
  std::shared_ptr<WilsonQuark> quark;
  std::shared_ptr<InverseRoot> root;  // of an odd flavour
  int flavours;
};

// Number k of a ladder mu_1 > mu_2 > ... > 0: the determinant with mu_1, and ratios from each mu to the next.
MonomialPtr twisted(const Term& term, const std::shared_ptr<WilsonQuark>& quark,
                    const std::vector<double>& twists) {
  const auto k = static_cast<std::size_t>(term.number);
  return std::make_shared<TwistedMonomial>(term.name, term.pseudofermion, quark,
                                           k < twists.size() ? twists[k] : 0,
                                           k > 0 ? std::optional(twists[k - 1]) : std::nullopt);
}

}  // namespace

MdSolverSettings md_solver(const Settings& job) {
  auto settings = job.get<MdSolverSettings>();
  if (settings.multigrid) settings.multigrid = job.get<MultigridOptions>();
  return settings;
}

int least_order(const Settings& job) {
  const auto integrators = job.get<HmcKeys>().integrators;
  const bool fourth =
      !integrators.empty() && std::all_of(integrators.begin(), integrators.end(), [](Integrator integrator) {
        return integrator == Integrator::omelyan4 || integrator == Integrator::force_gradient;
      });
  return fourth ? 4 : 2;
}

HmcAction hmc_action(const Settings& job, const SharedLattice& lattice) {
  const auto keys = job.get<HmcKeys>();
  const auto rational = job.get<RationalKeys>();
  InverseRootSettings root{rational.tolerance, rational.factors, {}};
  if (rational.range) root.range = SpectralRange{(*rational.range)[0], (*rational.range)[1]};
  const auto smearing = job.get<ActionSmearing>();
  QuarkLinks links;
  if (smearing.links.smears())
    links = {std::make_shared<SmearedLinks>(lattice, smearing.links.stout(), smearing.links.steps),
             smearing.thin_clover};
  HmcAction action;
  std::vector<QuarksOfMass> all;
  for (const SeaQuarks& sea : sea_quarks(job)) {
    const auto quark = std::make_shared<WilsonQuark>(lattice, sea.parameters, md_solver(job), links);
    action.quarks.push_back(quark);
    all.push_back({quark, nullptr, sea.flavours});
    if (sea.flavours % 2 == 0) continue;
    all.back().root = std::make_shared<InverseRoot>(quark, root);
    action.roots.push_back({sea.name, all.back().root});
  }
  const auto monomial = [&](const Term& term) -> MonomialPtr {
    if (term.kind == Term::Kind::gauge)
      return std::make_shared<GaugeMonomial>(lattice, loop_weights(job.get<GaugeActionKeys>()));
    const QuarksOfMass& quarks = all.at(term.quarks);
    if (term.kind == Term::Kind::determinant)
      return std::make_shared<DeterminantMonomial>(term.name, quarks.quark, quarks.flavours);
    if (term.kind == Term::Kind::rational)
      return std::make_shared<RationalMonomial>(term.name, term.pseudofermion, quarks.root, term.number);
    return twisted(term, quarks.quark, keys.twists);
  };
  const auto on = terms_on_scales(job);
  for (std::size_t s = 0; s < on.size(); ++s) {
    const auto integrator = keys.integrators.empty() ? Integrator::omelyan2 : keys.integrators[s];
    action.levels.push_back({{integrator, keys.steps[s]}, {}});
    for (const Term& term : on[s]) action.levels.back().monomials.push_back(monomial(term));
  }
  return action;
}

}  // namespace plaq::jobs
