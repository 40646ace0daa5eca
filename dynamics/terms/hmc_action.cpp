#include "dynamics/terms/hmc_action.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "core/system/error.hpp"
#include "dynamics/monomial/exact_flavour_monomial.hpp"
#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "dynamics/monomial/rational_ratio_monomial.hpp"
#include "dynamics/quark/domain_wall_sea_quark.hpp"
#include "dynamics/quark/staggered_quark.hpp"

namespace plaq {
namespace {

// Quarks of a mass on their lattice.
struct QuarksOfMass {
  SeaQuarks sea;
  std::vector<PairOperator> ladder = {};  // of a pair of flavours, from the heaviest on
  // Pauli-Villars quarks of domain-wall quarks; their roots are of an odd flavour or of several
  // pseudofermions.
  std::optional<PairOperator> pauli_villars = {};
  std::optional<QuarkRoot> light_root = {}, heavy_root = {};
  std::shared_ptr<DomainWallSeaQuark> light_walls = nullptr;
  // Root of an odd flavour, of several pseudofermions, or of staggered quarks.
  std::shared_ptr<InverseRoot> root = nullptr;
  std::shared_ptr<WilsonQuark> any = nullptr;  // of Wilson and clover quarks
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
    QuarksOfMass made{sea};
    if (sea.staggered) {
      QuarkLinks links = links_;
      if (sea.epsilon) links.hisq = action_.hisq;
      links.epsilon = sea.epsilon.value_or(0);
      const auto quark = std::make_shared<StaggeredQuark>(lattice_, *sea.staggered, setup_.solver, links);
      action_.quarks.push_back({sea.name, quark});
      made.root = root(sea.name, quark, sea.targets(setup_.terms.heavier_masses));
      return made;
    }
    if (sea.domain_wall) {
      made.pauli_villars = {walls(sea, 1)};
      for (const double mass : setup_.terms.heavier_masses) made.ladder.push_back({walls(sea, mass)});
      made.light_walls = walls(sea, sea.mass());
      made.ladder.push_back({made.light_walls});
      if (!sea.has_root()) return made;
      const auto light = made.ladder.back().quark, heavy = made.pauli_villars->quark;
      made.light_root = {light, root(sea.name, light, {PowerProduct(-sea.root_power())})};
      made.heavy_root = {heavy,
                         root(sea.pauli_villars_name(), heavy, {PowerProduct(-0.5 * sea.root_power())})};
      return made;
    }
    if (sea.has_pair()) made.ladder = ladder(sea, made.any);
    if (sea.has_root()) {
      if (!made.any || setup_.terms.symmetric)
        made.any = quark(sea, sea.parameters, setup_.solver, WilsonQuark::Form::asymmetric);
      made.root = root(sea.name, made.any, sea.targets(setup_.terms.heavier_masses));
    }
    return made;
  }

 private:
  std::shared_ptr<InverseRoot> root(const std::string& name, const std::shared_ptr<SeaQuark>& quark,
                                    const std::vector<PowerProduct>& targets) {
    InverseRootSettings settings = setup_.root;
    settings.targets = targets;
    action_.roots.push_back({name, std::make_shared<InverseRoot>(quark, settings)});
    return action_.roots.back().root;
  }
  std::shared_ptr<WilsonQuark> quark(const SeaQuarks& sea, const WilsonParameters& parameters,
                                     const MdSolverSettings& solver, WilsonQuark::Form form) {
    const auto made = std::make_shared<WilsonQuark>(lattice_, parameters, solver, links_, form);
    action_.quarks.push_back({sea.name, made});
    return made;
  }

  // Domain-wall quarks of all masses share their hops, and all quarks of a mass are one object.
  std::shared_ptr<DomainWallSeaQuark> walls(const SeaQuarks& sea, double mass) {
    auto& made = walls_[mass];
    if (made) return made;
    if (some_walls_) {
      made = some_walls_->of_mass(mass);
    } else {
      DomainWallParameters parameters = sea.domain_wall.value();
      parameters.mass = mass;
      made = std::make_shared<DomainWallSeaQuark>(lattice_, parameters, setup_.solver, links_);
    }
    some_walls_ = made;
    action_.quarks.push_back({sea.name, made});
    return made;
  }

  // Twists mu_1 > mu_2 > ... > 0, or masses m_1 > m_2 > ... > m. The heaviest mass needs no multigrid.
  std::vector<PairOperator> ladder(const SeaQuarks& sea, std::shared_ptr<WilsonQuark>& light) {
    const auto form = setup_.terms.symmetric ? WilsonQuark::Form::symmetric : WilsonQuark::Form::asymmetric;
    light = quark(sea, sea.parameters, setup_.solver, form);
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
  std::map<double, std::shared_ptr<DomainWallSeaQuark>> walls_;  // by mass
  std::shared_ptr<DomainWallSeaQuark> some_walls_;               // of them
};

// Number k of a ladder: the determinant of the heaviest operator, or its ratio to that of Pauli-Villars
// quarks, and ratios from each operator to the next one.
MonomialPtr pair(const Term& term, const QuarksOfMass& quarks) {
  const auto k = static_cast<std::size_t>(term.number);
  return std::make_shared<PairMonomial>(term.name, term.pseudofermion, quarks.ladder.at(k),
                                        k > 0 ? std::optional(quarks.ladder[k - 1]) : quarks.pauli_villars);
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
    if (term.kind == Term::Kind::exact)
      return std::make_shared<ExactFlavourMonomial>(term.name, term.pseudofermion, quarks.light_walls);
    if (term.kind == Term::Kind::rational && quarks.light_root)
      return std::make_shared<RationalRatioMonomial>(term.name, term.pseudofermion, *quarks.light_root,
                                                     *quarks.heavy_root, term.fields);
    if (term.kind == Term::Kind::rational)
      return std::make_shared<RationalMonomial>(term.name, term.pseudofermion, quarks.root, term.number,
                                                term.fields);
    return pair(term, quarks);
  };
  for (std::size_t s = 0; s < on.scales.size(); ++s) {
    action.levels.push_back({setup.scales[s], {}});
    for (const Term& term : on.scales[s]) action.levels.back().monomials.push_back(monomial(term));
  }
  return action;
}

}  // namespace plaq
