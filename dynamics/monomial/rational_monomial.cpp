#include "dynamics/monomial/rational_monomial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/system/error.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "kernels/dirac/twist/twist.hpp"

namespace plaq {

RationalMonomial::RationalMonomial(std::string name, int number, std::shared_ptr<InverseRoot> root,
                                   int factor, int fields)
    : name_(std::move(name)),
      number_(number),
      root_(std::move(root)),
      quark_(root_->quark()),
      factor_(factor),
      phi_(quark_->vector(fields)),
      work_(quark_->vector(fields)) {}

void RationalMonomial::draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) {
  quark_->begin_trajectory(links);
  root_->measure(links);
  const auto& residues = r().residues();
  require(std::all_of(residues.begin(), residues.end(), [](double a) { return a > 0; }),
          "a rational function of a pseudofermion has positive residues");
  x_.resize(std::min(x_.size(), residues.size()));
  while (x_.size() < residues.size()) x_.push_back(quark_->vector(phi_.subfields()));
  const std::vector<double>&nu2 = r().nu2(), &mu2 = r().mu2();
  draw_noise(seed, trajectory);
  iterations_ += quark_->solve_shifts(x_, phi_, nu2, quark_->settings().action_tolerance);
  Field sum = quark_->vector(phi_.subfields());  // sum of e_i x_i
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
  quark_->add(phi_, 1 / std::sqrt(r().amplitude()) - 1, phi_);
}

// eta of each pseudofermion.
void RationalMonomial::draw_noise(std::uint64_t seed, std::uint32_t trajectory) {
  const Queue& queue = quark_->lattice().queue;
  if (phi_.subfields() == 1) return draw_pseudofermion(phi_, seed, trajectory, number_, queue);
  Field eta = quark_->vector();
  for (int k = 0; k < phi_.subfields(); ++k) {
    draw_pseudofermion(eta, seed, trajectory, number_ + k, queue);
    queue.synchronize();
    copy_subfield(phi_, k, eta, 0);
  }
}

double RationalMonomial::value(const Field& links) {
  quark_->update(links);
  iterations_ += quark_->solve_shifts(x_, phi_, r().shifts(), quark_->settings().action_tolerance);
  double sum = r().constant() * quark_->real_product(phi_, phi_);
  for (std::size_t i = 0; i < x_.size(); ++i) sum += r().residues()[i] * quark_->real_product(phi_, x_[i]);
  return sum;
}

// The variation of phi^dagger (S^dagger S + b)^-1 phi is -2 Re (S X)^dagger dS X.
void RationalMonomial::force(Field& force, const Field& links) {
  quark_->update(links);
  iterations_ += quark_->solve_shifts(x_, phi_, r().shifts(), quark_->settings().force_tolerance);
  quark_->begin_force(force, std::min(r().degree() * phi_.subfields(), 16));
  for (std::size_t i = 0; i < x_.size(); ++i) {
    quark_->apply(work_, x_[i], 0, false);
    quark_->add_force(force, links, x_[i], work_, r().residues()[i]);
  }
  quark_->finish_force(force, links);
}

}  // namespace plaq
