// One flavour of domain-wall quarks over Pauli-Villars quarks, without a rational function in its action
// (Chen, Chiu, Phys. Lett. B 738 (2014) 55; Jung et al., arXiv:1706.05843). With P_+ S(m, M) P_+ and
// P_- S(m, M) P_- of quark fields in four dimensions, of an operator D(m, M) whose boundary term is m for
// chirality + and M for chirality -,
//   det D(m, m)/det D(1, 1) = 1/(det K_- det K_+),
//   K_- = P_- [1 + (1 - m) S(m, m)] P_-,   K_+ = P_+ [1 + (1 - m) S(m, 1)] P_+,
//   S_pf = phi^dagger (K_- + K_+) phi,     phi = (K_- + K_+)^(-1/2) eta,
// since D(m, M) - D(m, m) has the rank of a quark field of chirality - in four dimensions. Both K are
// Hermitian for weights that are the same on all slices, and their eigenvalues are from 1 to 1/m as far as
// the sign function is one. The root of the draw is a rational function with an error of 1e-12, whose poles
// are solves for other masses: with M = m + (1 - m)/(1 + b)
//   (K_- + b)^-1 = [1 - (M - m) P_- S(m, M) P_-]/(1 + b),
//   (K_+ + b)^-1 = [1 - (M - m) P_+ S(M, 1) P_+]/(1 + b).
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "dynamics/monomial/monomial.hpp"
#include "dynamics/quark/domain_wall_sea_quark.hpp"

namespace plaq {

class ExactFlavourMonomial final : public Monomial {
 public:
  /// @param name    of the monomial
  /// @param number  of its pseudofermion among those of the chain, 0 to 255
  /// @param quark   of the flavour: a positive mass, and weights that are the same on all slices
  ExactFlavourMonomial(std::string name, int number, std::shared_ptr<DomainWallSeaQuark> quark);

  std::string name() const override { return name_; }
  void draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) override;
  double value(const Field& links) override;
  void force(Field& force, const Field& links) override;
  std::int64_t take_iterations() override { return std::exchange(iterations_, 0); }

 private:
  // Adds to phi the part of this chirality of r(K) eta.
  void add_root(DomainWallSeaQuark& quark, const Field& links, const Field& eta, int chirality,
                double residue, double pole);

  std::string name_;
  int number_;
  std::shared_ptr<DomainWallSeaQuark> quark_[2];  // of K_+ and K_-
  Field phi_, q_, psi_;
  std::int64_t iterations_ = 0;
};

}  // namespace plaq
