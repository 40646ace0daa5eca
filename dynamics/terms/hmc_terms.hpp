// Terms of the action of hybrid Monte Carlo: their names, and their time scales.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/terms/sea_quarks.hpp"

namespace plaq {

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
