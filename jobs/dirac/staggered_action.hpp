// Staggered quarks: one-link, asqtad or HISQ.
#pragma once

#include "jobs/dirac/discretisation.hpp"
#include "kernels/dirac/staggered/staggered_parameters.hpp"

namespace plaq::jobs {

// Staggered quarks with fat and long links made from the thin ones (kernels/gauge/asqtad_links.hpp).
struct AsqtadParameters {
  StaggeredParameters staggered;  // its naik is what u0 makes of it
  double u0 = 1;                  // tadpole
};

// The same by kernels/gauge/hisq_links.hpp.
struct HisqParameters {
  StaggeredParameters staggered;
  double epsilon = 0;  // of the Naik term
};

ActionParameters staggered_action(const StaggeredParameters& parameters);
ActionParameters asqtad_action(const AsqtadParameters& parameters);
ActionParameters hisq_action(const HisqParameters& parameters);

}  // namespace plaq::jobs
