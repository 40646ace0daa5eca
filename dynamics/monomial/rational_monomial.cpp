#include "dynamics/monomial/rational_monomial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/system/error.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"

namespace plaq {

RationalMonomial::RationalMonomial(std::string name, int number, std::shared_ptr<WilsonQuark> quark,
                                   const RationalApproximation& r)
    : name_(std::move(name)),
      number_(number),
      quark_(std::move(quark)),
      r_(r.function),
      range_(r.range),
      phi_(quark_->vector()),
      work_(quark_->vector()) {
  const auto& residues = r_.residues();
  require(r_.degree() > 0 && std::all_of(residues.begin(), residues.end(), [](double a) { return a > 0; }),
          "a rational function of a pseudofermion has poles, and positive residues");
  for (int i = 0; i < r_.degree(); ++i) x_.push_back(quark_->vector());
}

void RationalMonomial::draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) {
  quark_->update(links);
  const auto [low, high] = quark_->spectral_range();
  measured_ = {low, high};
  if (low < range_.low || high > range_.high)
    throw MdFailure(
        fmt::format("{}: the eigenvalues of Q^2 are from {:.3g} to {:.3g}, and the rational function is "
                    "good from {:.3g} to {:.3g}; take a wider range",
                    name_, low, high, range_.low, range_.high));
  const std::vector<double>&nu2 = r_.nu2(), &mu2 = r_.mu2();
  draw_pseudofermion(phi_, seed, trajectory, number_, quark_->lattice().queue);
  quark_->solve_shifts(x_, phi_, nu2, quark_->settings().action_tolerance);
  Field sum = quark_->vector();  // sum of e_i x_i
  for (std::size_t i = 0; i < nu2.size(); ++i) {
    const double nu = std::sqrt(nu2[i]);
    double e = std::sqrt(mu2[i]) - nu;
    for (std::size_t j = 0; j < nu2.size(); ++j)
      if (j != i) e *= (std::sqrt(mu2[j]) - nu) / (std::sqrt(nu2[j]) - nu);
    quark_->add(phi_, e * nu, x_[i]);
    quark_->add(sum, e, x_[i]);
  }
  quark_->apply(work_, sum, 0, false);
  add_twist(phi_, work_, 1, 0, quark_->lattice().queue);
  quark_->add(phi_, 1 / std::sqrt(r_.amplitude()) - 1, phi_);
}

double RationalMonomial::value(const Field& links) {
  quark_->update(links);
  quark_->solve_shifts(x_, phi_, r_.shifts(), quark_->settings().action_tolerance);
  double sum = r_.constant() * quark_->real_product(phi_, phi_);
  for (std::size_t i = 0; i < x_.size(); ++i) sum += r_.residues()[i] * quark_->real_product(phi_, x_[i]);
  return sum;
}

// The variation of phi^dagger (S^dagger S + b)^-1 phi is -2 Re (S X)^dagger dS X.
void RationalMonomial::force(Field& force, const Field& links) {
  quark_->update(links);
  quark_->solve_shifts(x_, phi_, r_.shifts(), quark_->settings().force_tolerance);
  WilsonForce& kernels = quark_->force_kernels(links.geometry_ptr(), std::min(r_.degree(), 16));
  kernels.begin(force);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    quark_->apply(work_, x_[i], 0, false);
    quark_->add_force(force, links, x_[i], work_, r_.residues()[i]);
  }
  kernels.finish(force, links);
}

}  // namespace plaq
