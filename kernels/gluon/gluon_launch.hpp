// The launch behind GluonTransform, in double precision.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

// A_mu^a(x) of kernels/gluon/gluon_transform.hpp, two real components in one complex number: subfield 4 mu
// + k of `components` (1x1, 16 subfields) is A_mu^(2k+1) + i A_mu^(2k+2), k = 0 ... 3. Both fields are of
// one geometry.
template <class Target>
void launch_gluon_components(const Field& gauge, Field& components, const Queue& queue);

}  // namespace plaq
