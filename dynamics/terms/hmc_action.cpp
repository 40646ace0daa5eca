#include "dynamics/terms/hmc_action.hpp"

#include "core/system/error.hpp"
#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/quark/trajectory_setup.hpp"
#include "dynamics/terms/sea_terms.hpp"

namespace plaq {

SharedQuarks::SharedQuarks(const HmcSetup& all, const SharedLattice& on, HmcAction& of)
    : setup(all), lattice(on), action(of) {
  const auto& smearing = setup.smearing;
  if (smearing.links.smears())
    links = {std::make_shared<SmearedLinks>(lattice, smearing.links.stout(), smearing.links.steps),
             smearing.thin_clover};
  links.copies = std::make_shared<LinkCopies>(lattice);
  links.setup = std::make_shared<FirstSetup>();
  std::vector<double> epsilons;
  for (const SeaQuarks& quarks : setup.terms.quarks)
    if (quarks.staggered() && quarks.staggered()->epsilon) epsilons.push_back(*quarks.staggered()->epsilon);
  if (!epsilons.empty()) hisq = std::make_shared<HisqChain>(lattice, epsilons, setup.force_filter);
}

void SharedQuarks::list(const std::string& name, const std::shared_ptr<SeaQuark>& quark) {
  action.quarks.push_back({name, quark});
}

std::shared_ptr<InverseRoot> SharedQuarks::root(const std::string& name,
                                                const std::shared_ptr<SeaQuark>& quark,
                                                const std::vector<PowerProduct>& targets) {
  InverseRootSettings settings = setup.root;
  settings.targets = targets;
  action.roots.push_back({name, std::make_shared<InverseRoot>(quark, settings)});
  return action.roots.back().root;
}

HmcAction hmc_action(const HmcSetup& setup, const SharedLattice& lattice,
                     const std::vector<MonomialPtr>& own) {
  const auto on = terms_on_scales(setup.terms);
  require(on.mistakes.empty() && on.scales.size() == setup.scales.size(),
          "time scales that the rules of hmc refuse");
  require(own.size() == setup.terms.own.size(), "own terms are as many as their names");
  HmcAction action;
  SharedQuarks shared(setup, lattice, action);
  std::vector<std::unique_ptr<SeaTerms>> all;
  for (const SeaQuarks& sea : setup.terms.quarks) {
    const auto make = sea.staggered() ? staggered_terms : sea.walls() ? domain_wall_terms : wilson_terms;
    all.push_back(make(sea, shared));
  }
  const auto monomial = [&](const Term& term) -> MonomialPtr {
    if (term.kind == Term::Kind::own) return own.at(static_cast<std::size_t>(term.number));
    if (term.kind == Term::Kind::gauge) return std::make_shared<GaugeMonomial>(lattice, setup.gauge);
    return all.at(term.quarks)->monomial(term);
  };
  for (std::size_t s = 0; s < on.scales.size(); ++s) {
    action.levels.push_back({setup.scales[s], {}});
    for (const Term& term : on.scales[s]) action.levels.back().monomials.push_back(monomial(term));
  }
  return action;
}

}  // namespace plaq
