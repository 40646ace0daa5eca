// A power of a ratio of determinants by rational functions (Clark, Kennedy, Phys. Rev. Lett. 98 (2007)
// 051601): with A = S_1^dagger S_1 of the quarks and B = S_2^dagger S_2 of heavier ones, on even sites,
//   S_pf = phi^dagger g(B) r(A) g(B) phi,   r(x) near x^(-p),   g(x) near x^(p/2),
//   phi = g(B)^-1 s(A) eta,                 s(x) near r(x)^(-1/2).
// The weight is 1/(det r(A) det g(B)^2), which is (det A/det B)^p as far as r and g are these powers: p = 1/2
// is one flavour of domain-wall quarks over Pauli-Villars quarks. g is 1/f with f near x^(-p/2), so that the
// draw has g(B)^-1 itself.
//
// n pseudofermions for one power P have p = P/n each.
#pragma once

#include <utility>
#include <vector>

#include "dynamics/monomial/inverse_root.hpp"
#include "dynamics/monomial/monomial.hpp"
#include "dynamics/quark/pair_quark.hpp"

namespace plaq {

/// Quarks with a function near a root of their A.
struct QuarkRoot {
  std::shared_ptr<PairQuark> quark;
  std::shared_ptr<InverseRoot> root;  ///< of this quark, with one factor
};

class RationalRatioMonomial final : public Monomial {
 public:
  /// @param name    of the monomial
  /// @param number  of its first pseudofermion among those of the chain, all 0 to 255
  /// @param light   quarks with r near x^(-p)
  /// @param heavy   quarks that differ in the mass alone, with f near x^(-p/2)
  /// @param fields  pseudofermions
  RationalRatioMonomial(std::string name, int number, QuarkRoot light, QuarkRoot heavy, int fields = 1);

  std::string name() const override { return name_; }
  void draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) override;
  double value(const Field& links) override;
  void force(Field& force, const Field& links) override;
  std::int64_t take_iterations() override { return std::exchange(iterations_, 0); }

 private:
  void update(const Field& links);
  // x_i = (A + b_i)^-1 in
  void solve(std::vector<Field>& x, PairQuark& quark, const RationalFunction& r, const Field& in,
             double tolerance);
  // And out = r(A) in.
  void multiply(Field& out, std::vector<Field>& x, PairQuark& quark, const RationalFunction& r,
                const Field& in, double tolerance);
  // chi = g(B) phi and psi = r(A) chi, with solutions of their poles.
  void apply_functions(double tolerance);
  const RationalFunction& r() const { return light_.root->factor(0); }
  RationalFunction g() const { return heavy_.root->factor(0).inverse(); }

  std::string name_;
  int number_;
  QuarkRoot light_, heavy_;
  Field phi_, chi_, psi_;  // batches
  std::vector<Field> of_chi_, of_phi_, of_psi_;
  std::int64_t iterations_ = 0;
};

}  // namespace plaq
