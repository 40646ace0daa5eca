// Baryons as operators, and the terms that Wick's theorem makes of their two-point functions.
//
// An operator is chi = sum_n w_n eps_abc H q_c (f_a^T G g_b), f, g and q quarks of given flavours, with
// chibar = chi^dagger gamma_t = sum_n w_n eps_abc (gbar_b Gbar^T fbar_a^T) qbar_c Hbar,
// Gbar = gamma_t G^* gamma_t and Hbar = gamma_t H^dagger gamma_t. Of < chi(x) chibar(0) > each contraction
// has a plus sign, since that of the permutation of three quarks is also that of the colors in eps_a'b'c'.
// With M(Q1, Q2) = eps_abc eps_a'b'c' Gbar (Q2^bb')^T G^T Q1^aa' the six of them are, quark i of the sink
// from quark p(i) of the source, and G^T = s G, s = +-1, Gbar'^T = s' Gbar':
//   p = 123: tr(M(Q1,Q2)) Q3      213: s' tr(M(Q1,Q2)) Q3      321: Q3 M(Q1,Q2)
//       312: s' Q3 M(Q1,Q2)       132: s s' Q3 M(Q2,Q1)        231: s Q3 M(Q2,Q1)
// (Gattringer, Lang 2010, chapter 6; Leinweber, Draper, Woloshyn, Phys. Rev. D 46 (1992) 3067, section II).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "kernels/site/gamma_matrix.hpp"

namespace plaq {

// Flavours are numbers 0, 1, 2 of three propagators A, B, C.
struct BaryonQuarks {
  double weight = 1;
  std::array<int, 3> flavours{};  // f, g, q
};

struct BaryonOperator {
  GammaMatrix diquark;  // G, symmetric or antisymmetric
  GammaMatrix outer;    // H, diagonal
  std::vector<BaryonQuarks> quarks;
};

// L < chi chibar > times a weight.
struct BaryonProduct {
  BaryonOperator sink, source;
  GammaMatrix left;
  double weight = 1;
};

// The sum of products: a matrix of the spins of sink and source.
struct Baryon {
  std::string name;
  std::string formula;  // of chi and, where there is one, of its projector
  std::vector<BaryonProduct> products;
};

// Baryons of one quark mass, A = B = C being u = d = s. C = gamma_t gamma_y.
//   proton          chi_1 = eps (u^T C gamma5 d) u at both ends
//   proton_12       sink chi_1, source chi_2 = eps (u^T C d) gamma5 u;  proton_21, proton_22 alike
//   lambda          octet: [2 (u^T C gamma5 d) s + (u^T C gamma5 s) d - (d^T C gamma5 s) u] / sqrt(6)
//   lambda_singlet  [(u^T C gamma5 d) s - (u^T C gamma5 s) d + (d^T C gamma5 s) u] / sqrt(3)
//   delta           chi_i = eps (u^T C gamma_i u) u projected onto spin 3/2 at rest,
//                   sum_ij (delta_ij - gamma_i gamma_j / 3) < chi_j chibar_i >
//   delta_half      onto spin 1/2: sum_ij (gamma_i gamma_j / 3) < chi_j chibar_i >
// For one mass Sigma and Xi are the proton, and lambda too, by flavour symmetry on each gauge field; Omega
// and Sigma^* are delta.
std::vector<Baryon> baryons();
// Throws Error(internal) where there is none of that name.
Baryon baryon(const std::string& name);

// Baryons of two masses: A twice and B once, (A^T C gamma5 B) A, chi_1 above: proton u d, Sigma u s, Xi s u.
Baryon octet_baryon();
// [2 (A^T C gamma_i B) A + (A^T C gamma_i A) B] / sqrt(3), spin 3/2: Delta^+ u d, Sigma^* u s, Xi^* s u.
Baryon decuplet_baryon();

// separate_weight tr(M(Q1,Q2)) Q3 + joined_weight Q3 M(Q1,Q2), quarks: which of
// three propagators Q1, Q2, Q3 are.
struct BaryonTerm {
  std::array<int, 3> quarks{};
  double separate_weight = 0, joined_weight = 0;
};

// The contractions of a product, those of the same quarks together; `propagators`: the number of a propagator
// for each flavour, so that equal quarks (u = d) are contracted once.
std::vector<BaryonTerm> baryon_terms(const BaryonProduct& product, const std::array<int, 3>& propagators);

// Gbar of a diquark matrix, Hbar of an outer one.
GammaMatrix source_diquark(const GammaMatrix& g);
GammaMatrix source_outer(const GammaMatrix& h);

}  // namespace plaq
