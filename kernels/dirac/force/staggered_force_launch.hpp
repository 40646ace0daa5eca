// The launch behind kernels/dirac/force/staggered_force.hpp for one machine, in double precision. Fields live
// on one extended geometry.
#pragma once

#include <array>
#include <span>

#include "core/field/field.hpp"

namespace plaq {

template <class Target>
struct StaggeredForceLaunch {
  // `pairs`: Z_i in subfield i. As many as there are weights count.
  static void hops(Field& force, const Field& links, const Field& pairs, std::span<const double> weights,
                   const std::array<int, 4>& boundary, const Queue& queue);
  // Adds to gradients of links of hops of `steps` steps, times `coefficient`.
  static void gradient(Field& gradient, const Field& pairs, std::span<const double> weights, int steps,
                       double coefficient, const std::array<int, 4>& boundary, const Queue& queue);
};

}  // namespace plaq
