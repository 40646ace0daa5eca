// Three-point functions of a propagator job, [three_point]:
//
//   /three_point/INSERTION/CURRENT/p_X_Y_Z   [t][real, imaginary]  of one source
//   /three_point/INSERTION/true_residual     [column]
#pragma once

#include <string>

#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/schema.hpp"
#include "observables/quark/three_point.hpp"

namespace plaq::jobs {

Table three_point_table();
Rule three_point_rule();

// Throws Error(job_file) where the sink is not on the lattice.
ThreePointSettings three_point_settings(const JobFile& job, const Extents& extents);
// `of`: what made the functions. `summed`: over what, at the source.
void add_three_point(Results& results, const ThreePointFunctions& found, const ThreePoints& of,
                     const std::string& summed);

}  // namespace plaq::jobs
