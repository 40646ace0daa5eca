// Two degenerate flavours of quarks, even-odd, and the ratios of a Hasenbusch ladder by twists or by masses
// (Hasenbusch, Phys. Lett. B 519 (2001) 177; Luescher, Schaefer, Comput. Phys. Commun. 184 (2013) 519). With
// W on even sites, W = S + i mu gamma5 or W = S (dynamics/quark/pair_quark.hpp):
//   S_pf = phi^dagger (W^dagger W)^-1 phi                       det W^dagger W,   phi = W^dagger eta
//   S_pf = phi^dagger W_2 (W_1^dagger W_1)^-1 W_2^dagger phi    det(W_1^dagger W_1)/det(W_2^dagger W_2),
//                                                               W_2^dagger phi = W_1^dagger eta
// W_1 and W_2 have different twists or masses. The ladder of domain-wall quarks ends with Pauli-Villars
// quarks, of mass 1: it has ratios alone. Wilson and clover quarks: in the asymmetric form without a twisted
// mass W^dagger W is S^dagger S + mu^2. det M^2 of two flavours is det C_o^2 det S^dagger S, and in the
// symmetric form det C_e^2 det C_o^2 det S^dagger S: the terms -2 ln det C are those of the lightest quarks,
// a monomial of their own. The doublet mu_q, -mu_q of twisted-mass quarks has det(C^2 + mu_q^2) in the place
// of det C^2, and twists of a ladder are added to mu_q on even sites.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "dynamics/monomial/monomial.hpp"
#include "dynamics/quark/wilson_quark.hpp"

namespace plaq {

/// W of two flavours.
struct PairOperator {
  std::shared_ptr<PairQuark> quark;
  double twist = 0;  ///< mu
};

class PairMonomial final : public Monomial {
 public:
  /// @param name    of the monomial
  /// @param number  of its pseudofermion among those of the chain, 0 to 255
  /// @param light   W or W_1
  /// @param heavy   W_2 of a ratio: quarks of the same form on the same links, whose parameters differ in the
  ///   mass alone, or another twist of the same quarks; none: the determinant alone
  PairMonomial(std::string name, int number, PairOperator light,
               std::optional<PairOperator> heavy = std::nullopt);
  /// A ratio by twists.
  /// @param name    of the monomial
  /// @param number  of its pseudofermion
  /// @param quark   of both W
  /// @param mu      the twist mu, or mu_1
  /// @param heavier mu_2 of a ratio; none: the determinant alone
  PairMonomial(std::string name, int number, std::shared_ptr<PairQuark> quark, double mu,
               std::optional<double> heavier = std::nullopt)
      : PairMonomial(std::move(name), number, PairOperator{quark, mu},
                     heavier ? std::optional(PairOperator{quark, *heavier}) : std::nullopt) {}

  std::string name() const override { return name_; }
  void draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) override;
  double value(const Field& links) override;
  void force(Field& force, const Field& links) override;
  void remember(StateArchive& archive) override {
    light_.quark->remember(archive);
    if (heavy_) heavy_->quark->remember(archive);
  }
  std::int64_t take_iterations() override { return std::exchange(iterations_, 0); }

 private:
  void update(const Field& links);
  // X = (W_1^dagger W_1)^-1 W_2^dagger phi.
  void solve(double tolerance);
  const Field& source() const { return heavy_ ? source_ : phi_; }

  std::string name_;
  int number_;
  PairOperator light_;
  std::optional<PairOperator> heavy_;
  Field phi_, source_;  // source_: W_2^dagger phi at the present links
  Field x_, y_;
  std::int64_t iterations_ = 0;
};

/// -flavours ln det C of quarks with a clover term that is not exponential, or -flavours
/// ln |det(C + i mu_q gamma5)|, with the number of flavours on the sites of each parity.
class DeterminantMonomial final : public Monomial {
 public:
  /// @param name   of the monomial
  /// @param quark  that has C
  /// @param odd    flavours on odd sites
  /// @param even   flavours on even sites: those in the symmetric form
  DeterminantMonomial(std::string name, std::shared_ptr<WilsonQuark> quark, double odd, double even = 0);

  std::string name() const override { return name_; }
  double value(const Field& links) override;
  void force(Field& force, const Field& links) override;

 private:
  std::string name_;
  std::shared_ptr<WilsonQuark> quark_;
  std::array<double, 2> flavours_;  // by parity
};

}  // namespace plaq
