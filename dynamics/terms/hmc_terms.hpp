// Terms of the action of hybrid Monte Carlo: their names, and their time scales.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/rational/power_product.hpp"
#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"
#include "kernels/dirac/staggered/staggered_parameters.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq {

/// Quarks of one mass, or staggered quarks of several masses in one pseudofermion.
struct SeaQuarks {
  std::string name = {};             // "quarks", or "quarks_1", "quarks_2", ... of several masses
  WilsonParameters parameters = {};  ///< of Wilson and clover quarks
  int flavours = 2;
  /// Fields of their determinant, whose actions have a root of it each: n of (det S^dagger S)^(flavours/2n),
  /// or of (det M)^(flavours/4n) of staggered quarks. One: pairs of flavours of Wilson and clover quarks need
  /// no root.
  int pseudofermions = 1;
  /// Staggered quarks, in the place of Wilson and clover quarks.
  std::optional<StaggeredParameters> staggered = {};
  /// Domain-wall quarks, in the place of Wilson and clover quarks. Their determinants are ratios to that of
  /// Pauli-Villars quarks.
  std::optional<DomainWallParameters> domain_wall = {};
  /// epsilon of HISQ quarks; none: staggered quarks with hops of one step.
  std::optional<double> epsilon = {};
  /// Further staggered quarks in the same pseudofermions: masses above the first one.
  struct Partner {
    double mass = 0;
    int flavours = 2, pseudofermions = 1;
  };
  std::vector<Partner> partners = {};

  /// An odd flavour of domain-wall quarks has the exact action of
  /// dynamics/monomial/exact_flavour_monomial.hpp.
  bool exact = false;

  double mass() const {
    return staggered ? staggered->mass : domain_wall ? domain_wall->mass : parameters.mass;
  }
  bool has_pair() const { return !staggered && flavours >= 2 && pseudofermions == 1; }
  /// Pauli-Villars quarks of these, where their rational function has a spectrum of its own.
  std::string pauli_villars_name() const { return name + "_pauli_villars"; }
  bool has_exact() const { return domain_wall && exact && flavours % 2 == 1 && pseudofermions == 1; }
  bool has_root() const { return staggered || (flavours % 2 == 1 && !has_exact()) || pseudofermions > 1; }
  int all_flavours() const;      // with those of partners
  double heaviest_mass() const;  // of staggered quarks
  /// p of the functions near x^(-p); of staggered quarks the sum of all powers.
  double root_power() const {
    if (staggered) return 0.25 * all_flavours() / pseudofermions;
    return pseudofermions == 1 ? 0.5 : 0.5 * flavours / pseudofermions;
  }
  /// Masses of a ladder that are above those of these staggered quarks: their ladder.
  std::vector<double> ladder(const std::vector<double>& heavier_masses) const;
  /// Functions of A that rational functions approximate (dynamics/quark/sea_quark.hpp). A ladder of
  /// staggered quarks has that of its heaviest mass first, then ratios from each mass to the next one and to
  /// the quarks.
  std::vector<PowerProduct> targets(const std::vector<double>& heavier_masses) const;
};
/// Takes the parameters of staggered quarks from their action. Returns false if it is one of other quarks.
bool take_staggered(SeaQuarks& quarks, const Action& action);
/// Joins staggered quarks of one epsilon: the lightest of them has the others as partners.
std::vector<SeaQuarks> joint_quarks(const std::vector<SeaQuarks>& quarks);
/// Names quarks by their number.
void name_quarks(std::vector<SeaQuarks>& quarks);

/// A term: the determinant of two flavours or ratios of its ladder, a rational function of roots of a
/// determinant, the determinant of the clover term, the gauge action, or a term of the user.
struct Term {
  enum class Kind { pair, rational, exact, determinant, gauge, own };
  // QUARKS, QUARKS_ratio_1, ..., QUARKS_rational_1, ..., QUARKS_exact, QUARKS_determinant, or gauge.
  std::string name;
  Kind kind;
  std::size_t quarks = 0;  // which of TermSettings::quarks
  int number = 0;  // of a ratio, from 1 on, 0: no ratio; of a rational function or an own term, from 0 on
  int pseudofermion = 0;  // number of its first one in the chain, of a term that has any
  int fields = 1;         // pseudofermions that it has then

  bool has_pseudofermion() const {
    return kind == Kind::pair || kind == Kind::rational || kind == Kind::exact;
  }
};

/// Settings from which the terms follow.
struct TermSettings {
  std::vector<SeaQuarks> quarks;
  std::vector<double> twists;    ///< mu_1 > mu_2 > ... of a ladder, for each pair of flavours
  int factors = 1;               ///< of the rational functions of roots
  std::vector<std::string> own;  ///< names of terms of the user
  /// Names on each time scale, the slowest first, with spaces between them.
  std::optional<std::vector<std::string>> time_scales = {};
  /// In place of twists, the masses m_1 > m_2 > ... of a ladder: bare, and larger than those of the quarks.
  /// Staggered quarks have those that are larger.
  std::vector<double> heavier_masses = {};
  /// Pairs of flavours have the symmetric form of S. Roots have the asymmetric one, in which Q is
  /// Hermitian.
  bool symmetric = false;

  /// Ratios of the ladder of each pair of flavours of Wilson and clover quarks.
  std::size_t ratios() const { return twists.size() + heavier_masses.size(); }
};

/// The gauge action and own terms last.
std::vector<Term> terms_of(const TermSettings& settings);

/// Terms on each time scale, the slowest first. An entry of time_scales names the terms of that name, and
/// those that have it before an underscore; a term belongs to the longest name of these. Without time_scales
/// quarks are on the first scale, and the gauge action and own terms on the second one.
struct TermsOnScales {
  std::vector<std::vector<Term>> scales;
  std::vector<std::string> names;     // of time_scales, scale by scale
  std::vector<std::string> mistakes;  // of time_scales: terms without a scale, names without a term
};
TermsOnScales terms_on_scales(const TermSettings& settings);

}  // namespace plaq
