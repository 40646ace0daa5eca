// Sea quarks of the action of hybrid Monte Carlo, as plain parameters.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dynamics/rational/power_product.hpp"
#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"
#include "kernels/dirac/staggered/staggered_parameters.hpp"
#include "kernels/dirac/wilson/wilson_parameters.hpp"
#include "quarks/action/action.hpp"

namespace plaq {

/// Staggered sea quarks, of one mass or of several in the same pseudofermions.
struct StaggeredSea {
  StaggeredParameters parameters = {};  ///< of the lightest ones
  std::optional<double> epsilon = {};   ///< of HISQ quarks; none: quarks with hops of one step
  /// Further quarks in the same pseudofermions: masses above the first one.
  struct Partner {
    double mass = 0;
    int flavours = 2, pseudofermions = 1;
  };
  std::vector<Partner> partners = {};

  double heaviest_mass() const;
};

/// Wilson and clover quarks, staggered quarks, or domain-wall quarks, whose determinants are ratios to that
/// of Pauli-Villars quarks.
using SeaKind = std::variant<WilsonParameters, StaggeredSea, DomainWallParameters>;

/// The kind of these quarks; none for those that hybrid Monte Carlo does not have. Spectral bounds of optimal
/// weights count as any_bounds where they are measured. Throws as DomainWallChoice::parameters().
std::optional<SeaKind> sea_kind_of(const Action& action);

/// Quarks of one mass, or staggered quarks of several masses in one pseudofermion.
struct SeaQuarks {
  std::string name = {};  ///< "quarks", or "quarks_1", "quarks_2", ... of several masses
  SeaKind kind = {};
  int flavours = 2;
  /// Fields of their determinant, whose actions have a root of it each: n of (det S^dagger S)^(flavours/2n),
  /// or of (det M)^(flavours/4n) of staggered quarks. One: pairs of flavours of Wilson and clover quarks need
  /// no root.
  int pseudofermions = 1;
  /// An odd flavour of domain-wall quarks has the exact action of
  /// dynamics/monomial/exact_flavour_monomial.hpp.
  bool exact = false;

  /// Null for quarks of another kind.
  const WilsonParameters* wilson() const { return std::get_if<WilsonParameters>(&kind); }
  const StaggeredSea* staggered() const { return std::get_if<StaggeredSea>(&kind); }
  const DomainWallParameters* walls() const { return std::get_if<DomainWallParameters>(&kind); }

  double mass() const;
  bool has_pair() const { return !staggered() && flavours >= 2 && pseudofermions == 1; }
  /// Pauli-Villars quarks of these, where their rational function has a spectrum of its own.
  std::string pauli_villars_name() const { return name + "_pauli_villars"; }
  bool has_exact() const { return walls() && exact && flavours % 2 == 1 && pseudofermions == 1; }
  bool has_root() const { return staggered() || (flavours % 2 == 1 && !has_exact()) || pseudofermions > 1; }
  int all_flavours() const;  ///< with those of partners
  /// p of the functions near x^(-p); of staggered quarks the sum of all powers.
  double root_power() const {
    if (staggered()) return 0.25 * all_flavours() / pseudofermions;
    return pseudofermions == 1 ? 0.5 : 0.5 * flavours / pseudofermions;
  }
  /// Masses of a ladder that are above those of these staggered quarks: their ladder. None of other quarks.
  std::vector<double> ladder(const std::vector<double>& heavier_masses) const;
  /// Functions of A that rational functions approximate (dynamics/quark/sea_quark.hpp). A ladder of
  /// staggered quarks has that of its heaviest mass first, then ratios from each mass to the next one and to
  /// the quarks.
  std::vector<PowerProduct> targets(const std::vector<double>& heavier_masses) const;
};

/// Joins staggered quarks of one epsilon: the lightest of them has the others as partners.
std::vector<SeaQuarks> joint_quarks(const std::vector<SeaQuarks>& quarks);
/// Names quarks by their number.
void name_quarks(std::vector<SeaQuarks>& quarks);

}  // namespace plaq
