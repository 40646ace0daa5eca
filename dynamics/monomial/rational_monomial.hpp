// A power of the determinant of sea quarks by a rational function (Clark, Kennedy, Phys. Rev. Lett. 98 (2007)
// 051601; Luescher, Schaefer, Comput. Phys. Commun. 184 (2013) 519): with A on even sites
// (dynamics/quark/sea_quark.hpp) and
//   r(x) = c prod_i (x + nu_i^2)/(x + mu_i^2) = c + sum_i a_i/(x + b_i), near x^(-p),
//   S_pf = phi^dagger r(A) phi,   phi = R eta,   R R^dagger = 1/r(A).
// The weight is 1/det r(A), which is (det A)^p as far as r is x^(-p) on the spectrum: |det S| of one flavour
// of Wilson or clover quarks for p = 1/2, and (det M)^(N/4) of N staggered flavours for p = N/4. Staggered
// quarks of several masses have A + m_k^2 - m^2 for A: r near prod_k (x + m_k^2 - m^2)^(-p_k) has the product
// of powers of their determinants, and ratios to a heavy mass are Hasenbusch's for roots. A product of
// several functions has a pseudofermion for each of them: small poles need many iterations, and have small
// forces. R is that of the quarks if they have a Hermitian Q, Q^2 = A, on even sites. Others have a rational
// function near r^(-1/2) for R.
//
// n pseudofermions for one determinant have the sum of n such actions with r near x^(-p/n) (Clark, Kennedy):
// the same power again, with forces whose fluctuations are smaller. Their systems are solved as one batch,
// and their vectors are read together.
#pragma once

#include <utility>

#include "dynamics/monomial/inverse_root.hpp"
#include "dynamics/monomial/monomial.hpp"

namespace plaq {

class RationalMonomial final : public Monomial {
 public:
  /// @param name    of the monomial
  /// @param number  of its first pseudofermion among those of the chain, all 0 to 255
  /// @param root    functions of the quark
  /// @param factor  its r is this factor of these functions
  /// @param fields  pseudofermions
  RationalMonomial(std::string name, int number, std::shared_ptr<InverseRoot> root, int factor = 0,
                   int fields = 1);

  std::string name() const override { return name_; }
  int halo_depth() const override { return quark_->halo_depth(); }
  void draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) override;
  double value(const Field& links) override;
  void force(Field& force, const Field& links) override;
  void remember(StateArchive& archive) override { quark_->remember(archive); }
  std::int64_t take_iterations() override { return std::exchange(iterations_, 0); }

 private:
  void make_room(std::size_t poles);
  const RationalFunction& r() const { return root_->factor(factor_); }

  std::string name_;
  int number_;
  std::shared_ptr<InverseRoot> root_;
  std::shared_ptr<SeaQuark> quark_;
  int factor_;
  Field phi_;             // a batch
  std::vector<Field> x_;  // one for each pole
  std::int64_t iterations_ = 0;
};

}  // namespace plaq
