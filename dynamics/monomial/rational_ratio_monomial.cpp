#include "dynamics/monomial/rational_ratio_monomial.hpp"

#include <algorithm>

#include "kernels/dirac/force/pseudofermion.hpp"

namespace plaq {

RationalRatioMonomial::RationalRatioMonomial(std::string name, int number, QuarkRoot light, QuarkRoot heavy,
                                             int fields)
    : name_(std::move(name)),
      number_(number),
      light_(std::move(light)),
      heavy_(std::move(heavy)),
      phi_(light_.quark->vector(fields)),
      chi_(light_.quark->vector(fields)),
      psi_(light_.quark->vector(fields)) {}

void RationalRatioMonomial::update(const Field& links) {
  light_.quark->update(links);
  heavy_.quark->update(links);
}

void RationalRatioMonomial::solve(std::vector<Field>& x, PairQuark& quark, const RationalFunction& r,
                                  const Field& in, double tolerance) {
  x.resize(std::min(x.size(), r.shifts().size()));
  while (x.size() < r.shifts().size()) x.push_back(quark.vector(in.batch()));
  iterations_ += quark.solve_shifts(x, in, r.shifts(), tolerance);
}

void RationalRatioMonomial::multiply(Field& out, std::vector<Field>& x, PairQuark& quark,
                                     const RationalFunction& r, const Field& in, double tolerance) {
  solve(x, quark, r, in, tolerance);
  copy_parity(out, in, 0, quark.lattice().queue);
  quark.add(out, r.constant() - 1, in);
  for (std::size_t i = 0; i < x.size(); ++i) quark.add(out, r.residues()[i], x[i]);
}

void RationalRatioMonomial::draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) {
  light_.quark->begin_trajectory(links);
  heavy_.quark->begin_trajectory(links);
  light_.root->measure(links);
  heavy_.root->measure(links);
  light_.quark->draw_vectors(psi_, seed, trajectory, number_);
  const double tolerance = light_.quark->settings().action_tolerance;
  multiply(chi_, of_chi_, *light_.quark, light_.root->root_of_inverse(0), psi_, tolerance);
  multiply(phi_, of_phi_, *heavy_.quark, heavy_.root->factor(0), chi_, tolerance);
}

void RationalRatioMonomial::apply_functions(double tolerance) {
  multiply(chi_, of_phi_, *heavy_.quark, g(), phi_, tolerance);
  multiply(psi_, of_chi_, *light_.quark, r(), chi_, tolerance);
}

double RationalRatioMonomial::value(const Field& links) {
  update(links);
  apply_functions(light_.quark->settings().action_tolerance);
  return light_.quark->real_product(chi_, psi_);
}

// The variation of r(A) between chi and itself is that of its poles, and that of g(B) between psi and phi,
//   -2 Re sum_j g_j Z_j^dagger dB X_j,   X_j = (B + d_j)^-1 phi,   Z_j = (B + d_j)^-1 psi,
// is two pairs of S_2 for each pole: Z^dagger dB X = (S_2 Z)^dagger dS_2 X + (dS_2 Z)^dagger S_2 X.
void RationalRatioMonomial::force(Field& force, const Field& links) {
  PairQuark &light = *light_.quark, &heavy = *heavy_.quark;
  update(links);
  const double tolerance = light.settings().force_tolerance;
  apply_functions(tolerance);
  light.begin_force(force, 16);
  for (std::size_t i = 0; i < of_chi_.size(); ++i)
    light.add_pole_force(force, links, of_chi_[i], r().residues()[i]);
  const RationalFunction function = g();
  solve(of_psi_, heavy, function, psi_, tolerance);
  for (std::size_t j = 0; j < of_psi_.size(); ++j) {
    heavy.apply(chi_, of_psi_[j], 0, false);
    light.add_force_of(heavy, force, links, of_phi_[j], chi_, function.residues()[j]);
    heavy.apply(chi_, of_phi_[j], 0, false);
    light.add_force_of(heavy, force, links, of_psi_[j], chi_, function.residues()[j]);
  }
  light.finish_force(force, links);
}

}  // namespace plaq
