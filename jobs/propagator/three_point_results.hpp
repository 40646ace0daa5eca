// Datasets of three-point functions from one source:
//
//   /three_point/INSERTION/CURRENT/p_X_Y_Z               [t][real, imaginary]
//   /three_point/INSERTION/true_residual                 [column]
//
//   /conserved/INSERTION/vector_MU/p_X_Y_Z               [t][real, imaginary]
//   /derivative/INSERTION/DIRECTIONS/GAMMA/p_X_Y_Z       [t][real, imaginary]
//   /wilson_line/INSERTION/DIRECTION/GAMMA/p_X_Y_Z       [z][t][real, imaginary]
//
// With sink_times all have an axis [sink_time] in front.
#pragma once

#include <span>
#include <string>

#include "jobs/results/results.hpp"
#include "observables/quark/three_point.hpp"

namespace plaq::jobs {

/// Adds the functions of one insertion at all sink times of `of`, which made them.
///
/// @param sink    "smeared" or "point"
/// @param summed  over what, at the source
void add_three_point(Results& results, std::span<const ThreePointFunctions> at_sink_times,
                     const ThreePoints& of, const std::string& sink, const std::string& summed);

}  // namespace plaq::jobs
