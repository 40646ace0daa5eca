// Two degenerate flavours of Wilson or clover quarks, even-odd, and the ratios of a Hasenbusch ladder by
// twists (Hasenbusch, Phys. Lett. B 519 (2001) 177; Luescher, Schaefer, Comput. Phys. Commun. 184 (2013)
// 519). With W(mu) = S + i mu gamma5 on even sites (dynamics/quark/wilson_quark.hpp):
//   S_pf = phi^dagger (W^dagger W)^-1 phi                         det(Q^2 + mu^2),   phi = W^dagger eta
//   S_pf = phi^dagger W_2 (W_1^dagger W_1)^-1 W_2^dagger phi      det[(Q^2 + mu_1^2)/(Q^2 + mu_2^2)],
//                                                                 W_2^dagger phi = W_1^dagger eta
// W_k = W(mu_k). det M of two flavours is det C_o^2 det Q^2: the terms -2 ln det C_o are a monomial of their
// own. The doublet mu_q, -mu_q of twisted-mass quarks has det(C_o^2 + mu_q^2) det W^dagger W. The twists
// of a ladder are added to mu_q on even sites.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "dynamics/monomial/monomial.hpp"
#include "dynamics/quark/wilson_quark.hpp"

namespace plaq {

class TwistedMonomial final : public Monomial {
 public:
  /// @param name    of the monomial
  /// @param number  of its pseudofermion among those of the chain, 0 to 255
  /// @param mu      the twist mu, or mu_1
  /// @param heavier mu_2 of a ratio; none: the determinant alone
  TwistedMonomial(std::string name, int number, std::shared_ptr<WilsonQuark> quark, double mu,
                  std::optional<double> heavier = std::nullopt);

  std::string name() const override { return name_; }
  void draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) override;
  double value(const Field& links) override;
  void force(Field& force, const Field& links) override;
  void remember(StateArchive& archive) override { quark_->remember(archive); }
  std::int64_t take_iterations() override { return std::exchange(iterations_, 0); }

 private:
  std::string name_;
  int number_;
  std::shared_ptr<WilsonQuark> quark_;
  double mu_;
  std::optional<double> heavier_;
  Field phi_, source_;  // source_: W_2^dagger phi at the present links, or phi
  Field x_, y_;
  std::int64_t iterations_ = 0;
};

/// -flavours ln det C_o of quarks with a clover term that is not exponential, or -flavours
/// ln |det(C_o + i mu_q gamma5)|.
class DeterminantMonomial final : public Monomial {
 public:
  DeterminantMonomial(std::string name, std::shared_ptr<WilsonQuark> quark, double flavours);

  std::string name() const override { return name_; }
  double value(const Field& links) override;
  void force(Field& force, const Field& links) override;

 private:
  std::string name_;
  std::shared_ptr<WilsonQuark> quark_;
  double flavours_;
};

}  // namespace plaq
