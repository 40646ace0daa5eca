// One flavour of Wilson or clover quarks by a rational function (Clark, Kennedy, Phys. Rev. Lett. 98 (2007)
// 051601; Luescher, Schaefer, Comput. Phys. Commun. 184 (2013) 519): with Q = gamma5 S on even sites
// (dynamics/quark/wilson_quark.hpp) and
//   r(x) = A prod_i (x + nu_i^2)/(x + mu_i^2) = c0 + sum_i a_i/(x + b_i), near x^(-1/2),
//   S_pf = phi^dagger r(Q^2) phi,   phi = A^(-1/2) prod_i (Q + i mu_i)/(Q + i nu_i) eta
//        = A^(-1/2) [eta + sum_i e_i (nu_i + i Q)/(Q^2 + nu_i^2) eta],
//   e_i = (mu_i - nu_i) prod_{j != i} (mu_j - nu_i)/(nu_j - nu_i).
// The weight is 1/det r(Q^2), which is |det S| as far as r is x^(-1/2) on the spectrum. A product of several
// functions has a pseudofermion for each of them: small poles need many iterations, and have small forces.
//
// n pseudofermions for one determinant have the sum of n such actions with r near x^(-N/2n) for N flavours
// (Clark, Kennedy): |det S|^N again, with forces whose fluctuations are smaller. Their systems are solved as
// one batch, and their pairs of spinors are read together.
#pragma once

#include <utility>

#include "dynamics/monomial/inverse_root.hpp"
#include "dynamics/monomial/monomial.hpp"

namespace plaq {

class RationalMonomial final : public Monomial {
 public:
  /// @param name    of the monomial
  /// @param number  of its first pseudofermion among those of the chain, all 0 to 255
  /// @param root    of the quark, for all factors
  /// @param factor  its r is this factor of the function near x^(-1/2), or another root
  /// @param fields  pseudofermions
  RationalMonomial(std::string name, int number, std::shared_ptr<InverseRoot> root, int factor = 0,
                   int fields = 1);

  std::string name() const override { return name_; }
  void draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) override;
  double value(const Field& links) override;
  void force(Field& force, const Field& links) override;
  void remember(StateArchive& archive) override { quark_->remember(archive); }
  std::int64_t take_iterations() override { return std::exchange(iterations_, 0); }

 private:
  void draw_noise(std::uint64_t seed, std::uint32_t trajectory);
  const RationalFunction& r() const { return root_->factor(factor_); }

  std::string name_;
  int number_;
  std::shared_ptr<InverseRoot> root_;
  std::shared_ptr<WilsonQuark> quark_;
  int factor_;
  Field phi_, work_;      // a batch
  std::vector<Field> x_;  // one for each pole
  std::int64_t iterations_ = 0;
};

}  // namespace plaq
