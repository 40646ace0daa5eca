#include "dynamics/monomial/twisted_monomial.hpp"

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"

namespace plaq {
TwistedMonomial::TwistedMonomial(std::string name, int number, std::shared_ptr<WilsonQuark> quark, double mu,
                                 std::optional<double> heavier)
    : name_(std::move(name)),
      number_(number),
      quark_(std::move(quark)),
      mu_(mu),
      heavier_(heavier),
      phi_(quark_->vector()),
      x_(quark_->vector()),
      y_(quark_->vector()) {
  require(!heavier || *heavier != mu, "a ratio of two equal twists");
  if (heavier) source_ = quark_->vector();
}

// phi = W^dagger eta, or W_2^-dagger W_1^dagger eta = W_2 (W_2^dagger W_2)^-1 W_1^dagger eta.
void TwistedMonomial::draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) {
  quark_->begin_trajectory(links);
  draw_pseudofermion(x_, seed, trajectory, number_, quark_->lattice().queue);
  quark_->apply(heavier_ ? y_ : phi_, x_, mu_, true);
  if (!heavier_) return;
  iterations_ += quark_->solve(x_, y_, *heavier_, quark_->settings().action_tolerance);
  quark_->apply(phi_, x_, *heavier_, false);
}

double TwistedMonomial::value(const Field& links) {
  quark_->update(links);
  if (heavier_) quark_->apply(source_, phi_, *heavier_, true);
  const Field& source = heavier_ ? source_ : phi_;
  iterations_ += quark_->solve(x_, source, mu_, quark_->settings().action_tolerance);
  return quark_->real_product(source, x_);
}

// The variation is -2 Re Y^dagger dS X, X = (W_1^dagger W_1)^-1 W_2^dagger phi, Y = W_1 X - phi, or W X.
void TwistedMonomial::force(Field& force, const Field& links) {
  quark_->update(links);
  if (heavier_) quark_->apply(source_, phi_, *heavier_, true);
  iterations_ += quark_->solve(x_, heavier_ ? source_ : phi_, mu_, quark_->settings().force_tolerance);
  quark_->apply(y_, x_, mu_, false);
  if (heavier_) quark_->add(y_, -1, phi_);
  quark_->begin_force(force);
  quark_->add_force(force, links, x_, y_);
  quark_->finish_force(force, links);
}

DeterminantMonomial::DeterminantMonomial(std::string name, std::shared_ptr<WilsonQuark> quark,
                                         double flavours)
    : name_(std::move(name)), quark_(std::move(quark)), flavours_(flavours) {
  require(quark_->parameters().has_clover_determinant(), "the determinant of C is a number for these quarks");
}

double DeterminantMonomial::value(const Field& links) {
  quark_->update(links);
  const CloverDeterminant determinant = quark_->odd_determinant();
  if (determinant.negative > 0)
    log::warning(std::to_string(determinant.negative) + " chiral blocks of the clover term have a negative " +
                 "determinant: the links are too rough for this clover coefficient");
  return -flavours_ * determinant.log;
}

void DeterminantMonomial::force(Field& force, const Field& links) {
  quark_->update(links);
  quark_->begin_force(force);
  quark_->add_determinant_force(flavours_);
  quark_->finish_force(force, links);
}

}  // namespace plaq
