// The launches of a hopping term on one machine, in one storage of vectors (S) and of links (`Reals`). `Call`
// is a discretisation's, a HopCall and its links, and tells which one it is;
// plaq_instantiate names the storages.
#pragma once

#include "core/launch/queue.hpp"
#include "kernels/dirac/hop/hop_call.hpp"

namespace plaq {

struct PeerFlags;

template <class Call, class Target, class S, int Reals>
struct HopLaunch {
  // Fills the halo's send buffers for that call.
  static void pack(const Call& call, const Queue& queue);
  // The sites of a region, as the queue's tuner chooses: blocks, boxes of rows, right-hand sides that pass
  // held links, tiles.
  static void sites(const Call& call, Region region, const Queue& queue);
  // Packing, the exchange, and all sites as one launch, on a device whose faces kernels move.
  static void fused(const Call& call, const PeerFlags& flags, const Queue& queue);
};

}  // namespace plaq
