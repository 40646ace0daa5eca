#include "dynamics/monomial/pair_monomial.hpp"

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"

namespace plaq {

PairMonomial::PairMonomial(std::string name, int number, PairOperator light,
                           std::optional<PairOperator> heavy)
    : name_(std::move(name)),
      number_(number),
      light_(std::move(light)),
      heavy_(std::move(heavy)),
      phi_(light_.quark->vector()),
      x_(light_.quark->vector()),
      y_(light_.quark->vector()) {
  require(!heavy_ || heavy_->quark != light_.quark || heavy_->twist != light_.twist,
          "a ratio of two equal operators");
  if (heavy_) source_ = light_.quark->vector();
}

void PairMonomial::update(const Field& links) {
  light_.quark->update(links);
  if (heavy_) heavy_->quark->update(links);
}

// phi = W^dagger eta, or W_2^-dagger W_1^dagger eta = W_2 (W_2^dagger W_2)^-1 W_1^dagger eta.
void PairMonomial::draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) {
  PairQuark& light = *light_.quark;
  light.begin_trajectory(links);
  draw_pseudofermion(x_, seed, trajectory, number_, light.lattice().queue);
  light.apply(heavy_ ? y_ : phi_, x_, light_.twist, true);
  if (!heavy_) return;
  PairQuark& heavy = *heavy_->quark;
  heavy.begin_trajectory(links);
  iterations_ += heavy.solve(x_, y_, heavy_->twist, heavy.settings().action_tolerance);
  heavy.apply(phi_, x_, heavy_->twist, false);
}

void PairMonomial::solve(double tolerance) {
  if (heavy_) heavy_->quark->apply(source_, phi_, heavy_->twist, true);
  iterations_ += light_.quark->solve(x_, source(), light_.twist, tolerance);
}

double PairMonomial::value(const Field& links) {
  update(links);
  solve(light_.quark->settings().action_tolerance);
  return light_.quark->real_product(source(), x_);
}

// The variation is -2 Re (W_1 X)^dagger dS_1 X + 2 Re phi^dagger dS_2 X, where X is that of solve(). One pair
// is enough where S_1 is S_2.
void PairMonomial::force(Field& force, const Field& links) {
  PairQuark& light = *light_.quark;
  update(links);
  solve(light.settings().force_tolerance);
  light.apply(y_, x_, light_.twist, false);
  const bool by_twists = heavy_ && heavy_->quark == light_.quark;
  if (by_twists) light.add(y_, -1, phi_);
  light.begin_force(force);
  light.add_force(force, links, x_, y_);
  if (heavy_ && !by_twists) light.add_force_of(*heavy_->quark, force, links, x_, phi_, -1);
  light.finish_force(force, links);
}

DeterminantMonomial::DeterminantMonomial(std::string name, std::shared_ptr<WilsonQuark> quark, double odd,
                                         double even)
    : name_(std::move(name)), quark_(std::move(quark)), flavours_{even, odd} {
  require(quark_->parameters().has_clover_determinant(), "the determinant of C is a number for these quarks");
}

double DeterminantMonomial::value(const Field& links) {
  quark_->update(links);
  double value = 0;
  std::int64_t negative = 0;
  for (int parity = 0; parity < 2; ++parity) {
    const double flavours = flavours_[static_cast<std::size_t>(parity)];
    if (flavours == 0) continue;
    const CloverDeterminant determinant = quark_->determinant(parity);
    negative += determinant.negative;
    value -= flavours * determinant.log;
  }
  if (negative > 0)
    log::warning(std::to_string(negative) + " chiral blocks of the clover term have a negative " +
                 "determinant: the links are too rough for this clover coefficient");
  return value;
}

void DeterminantMonomial::force(Field& force, const Field& links) {
  quark_->update(links);
  quark_->begin_force(force);
  for (int parity = 0; parity < 2; ++parity) {
    const double flavours = flavours_[static_cast<std::size_t>(parity)];
    if (flavours != 0) quark_->add_determinant_force(flavours, parity);
  }
  quark_->finish_force(force, links);
}

}  // namespace plaq
