#include "settings/action/discretisation.hpp"

namespace plaq::settings {

// Each in its file.
const Discretisations& staggered_quarks();
const Discretisations& domain_wall_quarks();

const Discretisations& sea_quarks() {
  static const Discretisations all = joined<const Discretisation*>(
      {wilson_quarks(), {staggered_quarks().front(), staggered_quarks().back()}, domain_wall_quarks()});
  return all;
}

const Discretisations& multigrid_quarks() {
  static const Discretisations all = joined<const Discretisation*>({wilson_quarks(), domain_wall_quarks()});
  return all;
}

const Discretisations& all_discretisations() {
  static const Discretisations all =
      joined<const Discretisation*>({wilson_quarks(), staggered_quarks(), domain_wall_quarks()});
  return all;
}

Names<const Discretisation*> names_of(const Discretisations& discretisations) {
  Names<const Discretisation*> names;
  for (const Discretisation* one : discretisations) names.add(one->name(), one);
  return names;
}

}  // namespace plaq::settings
