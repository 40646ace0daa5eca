// Sea quarks of an action on their lattice, which make their terms: one class for each kind of quarks.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/quark/domain_wall_sea_quark.hpp"
#include "dynamics/terms/hmc_action.hpp"

namespace plaq {

/// Links and settings that quarks of all masses share, and the action where they are listed.
struct SharedQuarks {
  SharedQuarks(const HmcSetup& setup, const SharedLattice& lattice, HmcAction& action);

  const HmcSetup& setup;
  SharedLattice lattice;
  HmcAction& action;
  QuarkLinks links;                                             // of one-link, Wilson and domain-wall quarks
  std::shared_ptr<HisqChain> hisq;                              // links of HISQ quarks; null without
  std::map<double, std::shared_ptr<DomainWallSeaQuark>> walls;  // by mass, heavier ones of ladders too

  /// Lists quarks in the action.
  void list(const std::string& name, const std::shared_ptr<SeaQuark>& quark);
  /// Makes rational functions of quarks, and lists them in the action.
  std::shared_ptr<InverseRoot> root(const std::string& name, const std::shared_ptr<SeaQuark>& quark,
                                    const std::vector<PowerProduct>& targets);
};

class SeaTerms {
 public:
  virtual ~SeaTerms() = default;
  /// Makes a term of these quarks.
  virtual MonomialPtr monomial(const Term& term) const = 0;
};

/// Terms of Wilson and clover quarks, of domain-wall quarks, of staggered and HISQ quarks.
/// @param sea     the quarks
/// @param shared  with quarks of other masses
std::unique_ptr<SeaTerms> wilson_terms(const SeaQuarks& sea, SharedQuarks& shared);
std::unique_ptr<SeaTerms> domain_wall_terms(const SeaQuarks& sea, SharedQuarks& shared);
std::unique_ptr<SeaTerms> staggered_terms(const SeaQuarks& sea, SharedQuarks& shared);

}  // namespace plaq
