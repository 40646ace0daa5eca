#include <optional>

#include "dynamics/monomial/pair_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "dynamics/terms/sea_terms.hpp"

namespace plaq {
namespace {

class WilsonTerms final : public SeaTerms {
 public:
  WilsonTerms(const SeaQuarks& sea, SharedQuarks& shared)
      : sea_(sea), symmetric_(shared.setup.terms.symmetric) {
    if (sea.has_pair()) make_ladder(shared);
    if (!sea.has_root()) return;
    if (!light_ || symmetric_)
      light_ = quark(shared, *sea.wilson(), shared.setup.solver, WilsonQuark::Form::asymmetric);
    root_ = shared.root(sea.name, light_, sea.targets(shared.setup.terms.heavier_masses));
  }

  MonomialPtr monomial(const Term& term) const override {
    switch (term.kind) {
      case Term::Kind::determinant:
        return std::make_shared<DeterminantMonomial>(term.name, light_, sea_.flavours,
                                                     symmetric_ && sea_.has_pair() ? 2 : 0);
      case Term::Kind::rational:
        return std::make_shared<RationalMonomial>(term.name, term.pseudofermion, root_, term.number,
                                                  term.fields);
      default: {
        const auto k = static_cast<std::size_t>(term.number);
        return std::make_shared<PairMonomial>(term.name, term.pseudofermion, ladder_.at(k),
                                              k > 0 ? std::optional(ladder_[k - 1]) : std::nullopt);
      }
    }
  }

 private:
  std::shared_ptr<WilsonQuark> quark(SharedQuarks& shared, const WilsonParameters& parameters,
                                     const MdSolverSettings& solver, WilsonQuark::Form form) const {
    const auto made = std::make_shared<WilsonQuark>(shared.lattice, parameters, solver, shared.links, form);
    shared.list(sea_.name, made);
    return made;
  }

  // Twists mu_1 > mu_2 > ... > 0, or masses m_1 > m_2 > ... > m. The heaviest mass needs no multigrid.
  void make_ladder(SharedQuarks& shared) {
    const auto form = symmetric_ ? WilsonQuark::Form::symmetric : WilsonQuark::Form::asymmetric;
    light_ = quark(shared, *sea_.wilson(), shared.setup.solver, form);
    for (const double mass : shared.setup.terms.heavier_masses) {
      WilsonParameters heavier = *sea_.wilson();
      heavier.mass = mass;
      MdSolverSettings solver = shared.setup.solver;
      if (ladder_.empty()) solver.multigrid.reset();
      ladder_.push_back({quark(shared, heavier, solver, form)});
    }
    for (const double twist : shared.setup.terms.twists) ladder_.push_back({light_, twist});
    ladder_.push_back({light_});
  }

  SeaQuarks sea_;
  bool symmetric_;
  std::vector<PairOperator> ladder_;    // of a pair of flavours, from the heaviest on
  std::shared_ptr<WilsonQuark> light_;  // that has the root and the determinant of the clover term
  std::shared_ptr<InverseRoot> root_;   // of an odd flavour, or of several pseudofermions
};

}  // namespace

std::unique_ptr<SeaTerms> wilson_terms(const SeaQuarks& sea, SharedQuarks& shared) {
  return std::make_unique<WilsonTerms>(sea, shared);
}

}  // namespace plaq
