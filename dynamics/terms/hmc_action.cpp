#include "dynamics/terms/hmc_action.hpp"

#include <algorithm>
#include <optional>

#include "core/system/error.hpp"
#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "dynamics/monomial/twisted_monomial.hpp"
#include "dynamics/quark/staggered_quark.hpp"

namespace plaq {
namespace {

// Quarks of a mass on their lattice.
struct QuarksOfMass {
  std::vector<PairOperator> ladder;   // of a pair of flavours, from the heaviest on
  std::shared_ptr<InverseRoot> root;  // of an odd flavour, of several pseudofermions, or of staggered quarks
  std::shared_ptr<WilsonQuark> any;   // null for staggered quarks
  SeaQuarks sea;
};

// Makes quarks, and lists them.
class QuarkMaker {
 public:
  QuarkMaker(const HmcSetup& setup, const SharedLattice& lattice, HmcAction& action)
      : setup_(setup), lattice_(lattice), action_(action) {
    const auto& smearing = setup.smearing;
    if (smearing.links.smears())
      links_ = {std::make_shared<SmearedLinks>(lattice, smearing.links.stout(), smearing.links.steps),
                smearing.thin_clover};
    links_.copies = std::make_shared<LinkCopies>(lattice);
    links_.setup = std::make_shared<FirstSetup>();
    std::vector<double> epsilons;
    for (const SeaQuarks& quarks : setup.terms.quarks)
      if (quarks.epsilon) epsilons.push_back(*quarks.epsilon);
    if (!epsilons.empty()) action.hisq = std::make_shared<HisqChain>(lattice, epsilons, setup.force_filter);
  }

  QuarksOfMass make(const SeaQuarks& sea) {
    QuarksOfMass made{{}, nullptr, nullptr, sea};
    if (sea.staggered) {
      QuarkLinks links = links_;
      if (sea.epsilon) links.hisq = action_.hisq;
      links.epsilon = sea.epsilon.value_or(0);
      const auto quark = std::make_shared<StaggeredQuark>(lattice_, *sea.staggered, setup_.solver, links);
      action_.quarks.push_back({sea.name, quark});
      made.root = root(sea, quark);
      return made;
    }
    if (sea.has_pair()) {
      made.ladder = ladder(sea);
      made.any = made.ladder.back().quark;
    }
    if (sea.has_root()) {
      if (!made.any || setup_.terms.symmetric)
        made.any = quark(sea, sea.parameters, setup_.solver, WilsonQuark::Form::asymmetric);
      made.root = root(sea, made.any);
    }
    return made;
  }

 private:
  std::shared_ptr<InverseRoot> root(const SeaQuarks& sea, const std::shared_ptr<SeaQuark>& quark) {
    InverseRootSettings settings = setup_.root;
    settings.targets = sea.targets(setup_.terms.heavier_masses);
    action_.roots.push_back({sea.name, std::make_shared<InverseRoot>(quark, settings)});
    return action_.roots.back().root;
  }
  std::shared_ptr<WilsonQuark> quark(const SeaQuarks& sea, const WilsonParameters& parameters,
                                     const MdSolverSettings& solver, WilsonQuark::Form form) {
    const auto made = std::make_shared<WilsonQuark>(lattice_, parameters, solver, links_, form);
    action_.quarks.push_back({sea.name, made});
    return made;
  }

  // Twists mu_1 > mu_2 > ... > 0, or masses m_1 > m_2 > ... > m. The heaviest mass needs no multigrid.
  std::vector<PairOperator> ladder(const SeaQuarks& sea) {
    const auto form = setup_.terms.symmetric ? WilsonQuark::Form::symmetric : WilsonQuark::Form::asymmetric;
    const auto light = quark(sea, sea.parameters, setup_.solver, form);
    std::vector<PairOperator> operators;
    for (const double mass : setup_.terms.heavier_masses) {
      WilsonParameters heavier = sea.parameters;
      heavier.mass = mass;
      MdSolverSettings solver = setup_.solver;
      if (operators.empty()) solver.multigrid.reset();
      operators.push_back({quark(sea, heavier, solver, form)});
    }
    for (const double twist : setup_.terms.twists) operators.push_back({light, twist});
    operators.push_back({light});
    return operators;
  }

  const HmcSetup& setup_;
  SharedLattice lattice_;
  HmcAction& action_;
  QuarkLinks links_;
};

// Number k of a ladder: the determinant of the heaviest operator, and ratios from each one to the next.
MonomialPtr pair(const Term& term, const std::vector<PairOperator>& ladder) {
  const auto k = static_cast<std::size_t>(term.number);
  return std::make_shared<TwistedMonomial>(term.name, term.pseudofermion, ladder.at(k),
                                           k > 0 ? std::optional(ladder[k - 1]) : std::nullopt);
}

}  // namespace

HmcAction hmc_action(const HmcSetup& setup, const SharedLattice& lattice,
                     const std::vector<MonomialPtr>& own) {
  const auto on = terms_on_scales(setup.terms);
  require(on.mistakes.empty() && on.scales.size() == setup.scales.size(),
          "time scales that the rules of hmc refuse");
  require(own.size() == setup.terms.own.size(), "own terms are as many as their names");
  HmcAction action;
  std::vector<QuarksOfMass> all;
  QuarkMaker maker(setup, lattice, action);
  for (const SeaQuarks& sea : setup.terms.quarks) all.push_back(maker.make(sea));
  const auto monomial = [&](const Term& term) -> MonomialPtr {
    if (term.kind == Term::Kind::own) return own.at(static_cast<std::size_t>(term.number));
    if (term.kind == Term::Kind::gauge) return std::make_shared<GaugeMonomial>(lattice, setup.gauge);
    const QuarksOfMass& quarks = all.at(term.quarks);
    if (term.kind == Term::Kind::determinant)
      return std::make_shared<DeterminantMonomial>(term.name, quarks.any, quarks.sea.flavours,
                                                   setup.terms.symmetric && quarks.sea.has_pair() ? 2 : 0);
    if (term.kind == Term::Kind::rational)
      return std::make_shared<RationalMonomial>(term.name, term.pseudofermion, quarks.root, term.number,
                                                term.fields);
    return pair(term, quarks.ladder);
  };
  for (std::size_t s = 0; s < on.scales.size(); ++s) {
    action.levels.push_back({setup.scales[s], {}});
    for (const Term& term : on.scales[s]) action.levels.back().monomials.push_back(monomial(term));
  }
  return action;
}

}  // namespace plaq
