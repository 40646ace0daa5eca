// The datasets of two-point functions:
//
//   /correlators/CHANNEL/p_X_Y_Z/SINK         [t][real, imaginary]  of one source
//   /correlators/BARYON_matrix/p_X_Y_Z/SINK   [t][sink spin][source spin][real, imaginary]
//
// X, Y, Z: the integers n of the momentum 2 pi n / L; SINK: "point" or "smeared". Where quarks have names,
// CHANNEL is NAME.Q1_Q2 with those that the channel has, and the attribute `quarks` lists them.
#pragma once

#include <string>

#include "jobs/results/results.hpp"
#include "observables/quark/two_point.hpp"

namespace plaq::jobs {

// `summed`: over what a correlator is summed at the source.
void add_correlator(Results& results, const TwoPointFunction& correlator, const std::string& summed);

}  // namespace plaq::jobs
