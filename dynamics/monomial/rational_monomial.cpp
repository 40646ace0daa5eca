#include "dynamics/monomial/rational_monomial.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"

namespace plaq {

RationalMonomial::RationalMonomial(std::string name, int number, std::shared_ptr<InverseRoot> root,
                                   int factor, int fields)
    : name_(std::move(name)),
      number_(number),
      root_(std::move(root)),
      quark_(root_->quark()),
      factor_(factor),
      phi_(quark_->vector(fields)) {}

// Fields for solutions.
void RationalMonomial::make_room(std::size_t poles) {
  x_.resize(std::min(x_.size(), poles));
  while (x_.size() < poles) x_.push_back(quark_->vector(phi_.batch()));
}

void RationalMonomial::draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) {
  quark_->begin_trajectory(links);
  root_->measure(links);
  const auto& residues = r().residues();
  require(std::all_of(residues.begin(), residues.end(), [](double a) { return a > 0; }),
          "a rational function of a pseudofermion has positive residues");
  make_room(residues.size());
  quark_->draw_vectors(phi_, seed, trajectory, number_);
  if (const auto iterations = quark_->multiply_by_root(phi_, x_, r())) {
    iterations_ += *iterations;
    return;
  }
  const RationalFunction& root = root_->root_of_inverse(factor_);
  make_room(root.shifts().size());
  iterations_ += quark_->solve_shifts(x_, phi_, root.shifts(), quark_->settings().action_tolerance);
  quark_->add(phi_, root.constant() - 1, phi_);
  for (std::size_t i = 0; i < x_.size(); ++i) quark_->add(phi_, root.residues()[i], x_[i]);
  make_room(residues.size());
}

double RationalMonomial::value(const Field& links) {
  quark_->update(links);
  iterations_ += quark_->solve_shifts(x_, phi_, r().shifts(), quark_->settings().action_tolerance);
  double sum = r().constant() * quark_->real_product(phi_, phi_);
  for (std::size_t i = 0; i < x_.size(); ++i) sum += r().residues()[i] * quark_->real_product(phi_, x_[i]);
  return sum;
}

// The variation of phi^dagger (A + b)^-1 phi is -X^dagger dA X.
void RationalMonomial::force(Field& force, const Field& links) {
  quark_->update(links);
  iterations_ += quark_->solve_shifts(x_, phi_, r().shifts(), quark_->settings().force_tolerance);
  quark_->begin_force(force, std::min(r().degree() * phi_.batch(), 16));
  for (std::size_t i = 0; i < x_.size(); ++i) quark_->add_pole_force(force, links, x_[i], r().residues()[i]);
  quark_->finish_force(force, links);
}

}  // namespace plaq
