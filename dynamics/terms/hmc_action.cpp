#include "dynamics/terms/hmc_action.hpp"

#include <algorithm>
#include <optional>

#include "core/system/error.hpp"
#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "dynamics/monomial/twisted_monomial.hpp"

namespace plaq {
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

HmcAction hmc_action(const HmcSetup& setup, const SharedLattice& lattice,
                     const std::vector<MonomialPtr>& own) {
  const auto on = terms_on_scales(setup.terms);
  require(on.mistakes.empty() && on.scales.size() == setup.scales.size(),
          "time scales that the rules of hmc refuse");
  require(own.size() == setup.terms.own.size(), "own terms are as many as their names");
  const auto& smearing = setup.smearing;
  QuarkLinks links;
  if (smearing.links.smears())
    links = {std::make_shared<SmearedLinks>(lattice, smearing.links.stout(), smearing.links.steps),
             smearing.thin_clover};
  HmcAction action;
  std::vector<QuarksOfMass> all;
  for (const SeaQuarks& sea : setup.terms.quarks) {
    const auto quark = std::make_shared<WilsonQuark>(lattice, sea.parameters, setup.solver, links);
    action.quarks.push_back(quark);
    all.push_back({quark, nullptr, sea.flavours});
    if (sea.flavours % 2 == 0) continue;
    all.back().root = std::make_shared<InverseRoot>(quark, setup.root);
    action.roots.push_back({sea.name, all.back().root});
  }
  const auto monomial = [&](const Term& term) -> MonomialPtr {
    if (term.kind == Term::Kind::own) return own.at(static_cast<std::size_t>(term.number));
    if (term.kind == Term::Kind::gauge) return std::make_shared<GaugeMonomial>(lattice, setup.gauge);
    const QuarksOfMass& quarks = all.at(term.quarks);
    if (term.kind == Term::Kind::determinant)
      return std::make_shared<DeterminantMonomial>(term.name, quarks.quark, quarks.flavours);
    if (term.kind == Term::Kind::rational)
      return std::make_shared<RationalMonomial>(term.name, term.pseudofermion, quarks.root, term.number);
    return twisted(term, quarks.quark, setup.terms.twists);
  };
  for (std::size_t s = 0; s < on.scales.size(); ++s) {
    action.levels.push_back({setup.scales[s], {}});
    for (const Term& term : on.scales[s]) action.levels.back().monomials.push_back(monomial(term));
  }
  return action;
}

}  // namespace plaq
