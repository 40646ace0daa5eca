// Packing, the exchange and the sites of a hopping term as one kernel of a device, timed by the queue's
// tuner. Included by kernel sources.
#pragma once

#include <optional>
#include <span>

#include "comms/gpus/peer_signals.hpp"
#include "comms/halo/halo.hpp"
#include "core/launch/fused_launch_device.hpp"
#include "core/launch/tuning.hpp"
#include "kernels/dirac/hop/fused_shapes.hpp"
#include "kernels/dirac/hop/hop_faces.hpp"

namespace plaq {

// `inside` for sites without ghosts, `edge` with; both are HopKernels, `pack` is a HopFacePack. Each takes
// `inner` right-hand sides. `key`, `candidates`, `changed`: as tuned() has them.
template <class Inside, class Edge, class Pack>
void launch_fused(const Halo& halo, const PeerFlags& flags, const Queue& queue, const Inside& inside,
                  const Edge& edge, const Pack& pack, int inner, const TuneKey& key,
                  std::span<const Launch> candidates, std::span<const Tuner::Memory> changed) {
  const Geometry& geometry = halo.geometry();
  const auto run = [&](const Launch& launch, const Pack& packed, bool alone) {
    const FusedShape fused{detail::checked_block<Inside>(launch), launch.box};
    for_each_fused(index_domain(halo.largest_face(), pack.inner()), packed, PeerSignals(flags, alone),
                   static_cast<unsigned>(fused.block),
                   geometry.fused_order(inside.parity, fused, Inside::depth), queue, inside, edge,
                   geometry.shape().half_volume, inner);
  };
  // Timed without the exchange: faces go to memory of this GPU, what is found of ghosts does not matter, and
  // no rank waits for another.
  std::optional<FaceMemory> faces;
  Pack kept = pack;
  const auto time = [&](const Launch& launch) {
    if (!faces) {
      faces = faces_for_timing(halo);
      for (int d = 0; d < 8; ++d)
        if (halo.face_bytes(d) != 0)
          kept.send[d] = open_face<typename Pack::Face>(halo, d, faces->at(static_cast<std::size_t>(d)));
    }
    run(launch, kept, true);
  };
  run(tuned(queue, key, candidates, time, changed), pack, false);
}

}  // namespace plaq
