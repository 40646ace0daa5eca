#include "dynamics/monomial/rational_monomial.hpp"
#include "dynamics/quark/staggered_quark.hpp"
#include "dynamics/terms/sea_terms.hpp"

namespace plaq {
namespace {

class StaggeredTerms final : public SeaTerms {
 public:
  StaggeredTerms(const SeaQuarks& sea, SharedQuarks& shared) {
    QuarkLinks links = shared.links;
    const StaggeredSea& staggered = *sea.staggered();
    if (staggered.epsilon) links.hisq = shared.hisq;
    links.epsilon = staggered.epsilon.value_or(0);
    const auto quark =
        std::make_shared<StaggeredQuark>(shared.lattice, staggered.parameters, shared.setup.solver, links);
    shared.list(sea.name, quark);
    root_ = shared.root(sea.name, quark, sea.targets(shared.setup.terms.heavier_masses));
  }

  MonomialPtr monomial(const Term& term) const override {
    return std::make_shared<RationalMonomial>(term.name, term.pseudofermion, root_, term.number, term.fields);
  }

 private:
  std::shared_ptr<InverseRoot> root_;
};

}  // namespace

std::unique_ptr<SeaTerms> staggered_terms(const SeaQuarks& sea, SharedQuarks& shared) {
  return std::make_unique<StaggeredTerms>(sea, shared);
}

}  // namespace plaq
