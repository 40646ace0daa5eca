// Shapes of fused launches of a hopping term, which also exchange faces, for plans of their memory.
#pragma once

#include <span>
#include <vector>

#include "comms/halo/halo.hpp"
#include "comms/transport/face_memory.hpp"
#include "core/lattice/fused_order.hpp"
#include "core/launch/tuning.hpp"
#include "kernels/dirac/hop/hop_candidates.hpp"

namespace plaq {

// Shapes that the tuner tries on a device (kernels/dirac/hop/fused_launch.hpp), the untuned default first.
std::vector<FusedShape> fused_shapes(const Geometry& geometry, Precision precision);

// Memory on a device for all faces of a halo: where a launch packs to while it is timed.
FaceMemory faces_for_timing(const Halo& halo);

// Counts the memory of launch_fused (kernels/dirac/hop/fused_launch.hpp) in a dry run of a plaq without
// kernels for devices. `parity`: of the sites that are written; `depth`: slices that hops reach.
void count_fused_launch(const Halo& halo, int parity, int depth, Precision precision, const Queue& queue,
                        const TuneKey& key, std::span<const Tuner::Memory> changed);

}  // namespace plaq
