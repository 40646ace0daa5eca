// Products of color vectors by the antisymmetric tensor, as baryons of distillation need them.
#pragma once

#include "core/launch/queue.hpp"
#include "kernels/quark/color_vectors.hpp"

namespace plaq {

// y_k = (x_j cross x_k)^*, component a eps_abc x_j^b x_k^c, for the color vectors k of the subfields
// first_x, first_x + 1, ... of x, as many as y has. Spinors on both parities without halo, alike but for
// their number of subfields; y is another field than x. Waits for the end; not collective.
void color_cross(const Field& x, int j, int first_x, Field& y, const Queue& queue);

// The launch behind it for one machine, S float or double.
template <class Target, class S>
void launch_color_cross(const Field& x, int j, int first_x, Field& y, const Queue& queue);

}  // namespace plaq
