// Staggered quarks: one-link, asqtad or HISQ.
#pragma once

#include "kernels/dirac/staggered/staggered_parameters.hpp"
#include "quarks/action/action.hpp"

namespace plaq {

// Staggered quarks with fat and long links made from the thin ones (kernels/gauge/asqtad_links.hpp).
struct AsqtadParameters {
  StaggeredParameters staggered;  // its naik is what u0 makes of it
  double u0 = 1;                  // tadpole
};

// Parameters of HISQ links, kernels/gauge/hisq_links.hpp.
struct HisqParameters {
  StaggeredParameters staggered;
  double epsilon = 0;  // of the Naik term
};

ActionPtr staggered_action(const StaggeredParameters& parameters);
ActionPtr asqtad_action(const AsqtadParameters& parameters);
ActionPtr hisq_action(const HisqParameters& parameters);

}  // namespace plaq
