#include "jobs/dirac/discretisation.hpp"

namespace plaq::jobs {

// Each in its file.
const Discretisations& staggered_quarks();
const Discretisations& domain_wall_quarks();

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

void add(Attributes& to, const Attributes& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace plaq::jobs
