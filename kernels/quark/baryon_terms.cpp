#include "kernels/quark/baryon_terms.hpp"

#include <cmath>

#include "core/system/error.hpp"

namespace plaq {
namespace {

GammaMatrix charge_conjugation() { return gamma(3) * gamma(1); }

// 1 of a symmetric matrix, -1 of an antisymmetric one.
int symmetry_of(const GammaMatrix& g) {
  if (transposed(g) == g) return 1;
  require(transposed(g) == -g, "a diquark's matrix that is neither symmetric nor antisymmetric");
  return -1;
}

BaryonOperator nucleon(int which) {
  const std::vector<BaryonQuarks> quarks{{1, {0, 1, 0}}};
  if (which == 1) return {charge_conjugation() * gamma5(), unit_gamma(), quarks};
  return {charge_conjugation(), gamma5(), quarks};
}

Baryon octet(const std::string& name, const std::string& formula, const BaryonOperator& sink,
             const BaryonOperator& source) {
  return {name, formula, {{sink, source, unit_gamma(), 1}}};
}

// sum_ij L_ij < chi_j chibar_i >, L_ij = diagonal delta_ij + other gamma_i gamma_j.
Baryon vector_diquark(const std::string& name, const std::string& formula, double diagonal, double other,
                      const std::vector<BaryonQuarks>& quarks) {
  Baryon result{name, formula, {}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const BaryonOperator sink{charge_conjugation() * gamma(j), unit_gamma(), quarks},
          source{charge_conjugation() * gamma(i), unit_gamma(), quarks};
      if (i != j)
        result.products.push_back({sink, source, gamma(i) * gamma(j), other});
      else if (diagonal + other != 0)
        result.products.push_back({sink, source, unit_gamma(), diagonal + other});
    }
  return result;
}

}  // namespace

std::vector<Baryon> baryons() {
  const GammaMatrix scalar = charge_conjugation() * gamma5(), one = unit_gamma();
  const double octet_weight = 1 / std::sqrt(6.0), singlet_weight = 1 / std::sqrt(3.0);
  const BaryonOperator lambda{
      scalar, one, {{2 * octet_weight, {0, 1, 2}}, {octet_weight, {0, 2, 1}}, {-octet_weight, {1, 2, 0}}}},
      singlet{scalar,
              one,
              {{singlet_weight, {0, 1, 2}}, {-singlet_weight, {0, 2, 1}}, {singlet_weight, {1, 2, 0}}}};
  const std::string chi_1 = "chi_1 = eps (u^T C gamma5 d) u", chi_2 = "chi_2 = eps (u^T C d) gamma5 u",
                    chi_i = "chi_i = eps (u^T C gamma_i u) u";
  const std::vector<BaryonQuarks> same{{1, {0, 0, 0}}};
  return {
      octet("proton", "<chi_1 chibar_1>, " + chi_1, nucleon(1), nucleon(1)),
      octet("proton_12", "<chi_1 chibar_2>, " + chi_1 + ", " + chi_2, nucleon(1), nucleon(2)),
      octet("proton_21", "<chi_2 chibar_1>, " + chi_1 + ", " + chi_2, nucleon(2), nucleon(1)),
      octet("proton_22", "<chi_2 chibar_2>, " + chi_2, nucleon(2), nucleon(2)),
      octet("lambda",
            "<chi chibar>, chi = eps [2 (u^T C gamma5 d) s + (u^T C gamma5 s) d - (d^T C gamma5 s) u] / "
            "sqrt(6)",
            lambda, lambda),
      octet("lambda_singlet",
            "<chi chibar>, chi = eps [(u^T C gamma5 d) s - (u^T C gamma5 s) d + (d^T C gamma5 s) u] / "
            "sqrt(3)",
            singlet, singlet),
      vector_diquark("delta", "sum_ij (delta_ij - gamma_i gamma_j / 3) <chi_j chibar_i>, " + chi_i, 1,
                     -1.0 / 3, same),
      vector_diquark("delta_half", "sum_ij (gamma_i gamma_j / 3) <chi_j chibar_i>, " + chi_i, 0, 1.0 / 3,
                     same),
  };
}

Baryon baryon(const std::string& name) {
  for (const Baryon& one : baryons())
    if (one.name == name) return one;
  throw Error(ErrorKind::internal, "internal error: there is no baryon " + name);
}

Baryon octet_baryon() {
  return octet("octet", "<chi chibar>, chi = eps (A^T C gamma5 B) A", nucleon(1), nucleon(1));
}

Baryon decuplet_baryon() {
  const double weight = 1 / std::sqrt(3.0);
  return vector_diquark("decuplet",
                        "sum_ij (delta_ij - gamma_i gamma_j / 3) <chi_j chibar_i>, chi_i = eps [2 (A^T C "
                        "gamma_i B) A + (A^T C gamma_i A) B] / sqrt(3)",
                        1, -1.0 / 3, {{2 * weight, {0, 1, 0}}, {weight, {0, 0, 1}}});
}

GammaMatrix source_diquark(const GammaMatrix& g) { return gamma(3) * conjugate(g) * gamma(3); }
GammaMatrix source_outer(const GammaMatrix& h) { return gamma(3) * adjoint(h) * gamma(3); }

std::vector<BaryonTerm> baryon_terms(const BaryonProduct& product, const std::array<int, 3>& propagators) {
  const int s = symmetry_of(product.sink.diquark), s_source = symmetry_of(product.source.diquark);
  struct Permutation {
    std::array<int, 3> source;  // quark of the source for each of the sink
    int sign;                   // of its term, of the symmetry of G and Gbar
    bool joined, exchanged;     // Q3 M rather than tr(M) Q3; M(Q2, Q1)
  };
  const Permutation permutations[] = {
      {{0, 1, 2}, 1, false, false},       {{1, 0, 2}, s_source, false, false},   {{2, 1, 0}, 1, true, false},
      {{2, 0, 1}, s_source, true, false}, {{0, 2, 1}, s * s_source, true, true}, {{1, 2, 0}, s, true, true}};
  std::vector<BaryonTerm> terms;
  const auto of_quarks = [&](const std::array<int, 3>& quarks) -> BaryonTerm& {
    for (BaryonTerm& term : terms)
      if (term.quarks == quarks) return term;
    return terms.emplace_back(BaryonTerm{quarks});
  };
  for (const BaryonQuarks& sink : product.sink.quarks)
    for (const BaryonQuarks& source : product.source.quarks)
      for (const Permutation& p : permutations) {
        std::array<int, 3> quarks{};
        bool fits = true;
        for (std::size_t i = 0; i < 3; ++i) {
          fits = fits && sink.flavours[i] == source.flavours[static_cast<std::size_t>(p.source[i])];
          quarks[i] = propagators[static_cast<std::size_t>(sink.flavours[i])];
        }
        if (!fits) continue;
        if (p.exchanged) std::swap(quarks[0], quarks[1]);
        BaryonTerm& term = of_quarks(quarks);
        (p.joined ? term.joined_weight : term.separate_weight) +=
            p.sign * product.weight * sink.weight * source.weight;
      }
  return terms;
}

}  // namespace plaq
