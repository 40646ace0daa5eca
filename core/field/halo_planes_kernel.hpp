// The launch of copy_halo_planes for one machine and precision.
#pragma once

#include "core/field/halo_planes.hpp"

namespace plaq {

template <class Target, class T>
void launch_copy_halo_planes(const Field& field, const HaloPlanes& planes, void* buffer, bool to_buffer,
                             const Queue& queue);

}  // namespace plaq
