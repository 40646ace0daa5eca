#include <optional>

#include "dynamics/monomial/exact_flavour_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
#include "dynamics/monomial/rational_ratio_monomial.hpp"
#include "dynamics/terms/sea_terms.hpp"

namespace plaq {
namespace {

constexpr double pauli_villars_mass = 1;

// Quarks of all masses share their hops, and all quarks of a mass are one object.
std::shared_ptr<DomainWallSeaQuark> walls_of_mass(const SeaQuarks& sea, double mass, SharedQuarks& shared) {
  if (const auto found = shared.walls.find(mass); found != shared.walls.end()) return found->second;
  std::shared_ptr<DomainWallSeaQuark> made;
  if (!shared.walls.empty()) {
    made = shared.walls.begin()->second->of_mass(mass);
  } else {
    DomainWallParameters parameters = *sea.walls();
    parameters.mass = mass;
    made =
        std::make_shared<DomainWallSeaQuark>(shared.lattice, parameters, shared.setup.solver, shared.links);
  }
  shared.list(sea.name, made);
  return shared.walls[mass] = made;
}

class DomainWallTerms final : public SeaTerms {
 public:
  DomainWallTerms(const SeaQuarks& sea, SharedQuarks& shared) {
    const auto heaviest = walls_of_mass(sea, pauli_villars_mass, shared);
    ladder_.push_back({heaviest});
    for (const double mass : shared.setup.terms.heavier_masses)
      ladder_.push_back({walls_of_mass(sea, mass, shared)});
    light_ = walls_of_mass(sea, sea.mass(), shared);
    ladder_.push_back({light_});
    if (!sea.has_root()) return;
    const double power = sea.root_power();
    light_root_ = {light_, shared.root(sea.name, light_, {PowerProduct(-power)})};
    heavy_root_ = {heaviest, shared.root(sea.pauli_villars_name(), heaviest, {PowerProduct(-0.5 * power)})};
  }

  MonomialPtr monomial(const Term& term) const override {
    switch (term.kind) {
      case Term::Kind::exact:
        return std::make_shared<ExactFlavourMonomial>(term.name, term.pseudofermion, light_);
      case Term::Kind::rational:
        return std::make_shared<RationalRatioMonomial>(term.name, term.pseudofermion, light_root_,
                                                       heavy_root_, term.fields);
      default: {
        const auto k = static_cast<std::size_t>(term.number);
        return std::make_shared<PairMonomial>(term.name, term.pseudofermion, ladder_.at(k + 1), ladder_[k]);
      }
    }
  }

 private:
  std::vector<PairOperator> ladder_;  // from Pauli-Villars quarks to the light ones
  std::shared_ptr<DomainWallSeaQuark> light_;
  QuarkRoot light_root_, heavy_root_;  // of an odd flavour, or of several pseudofermions
};

}  // namespace

std::unique_ptr<SeaTerms> domain_wall_terms(const SeaQuarks& sea, SharedQuarks& shared) {
  return std::make_unique<DomainWallTerms>(sea, shared);
}

}  // namespace plaq
