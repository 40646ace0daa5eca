// Launches of a hopping term on one machine, in one storage of vectors (S) and of links (`Reconstruction`).
// `Call` belongs to a discretisation: a HopCall and its links. plaq_instantiate names the storages.
#pragma once

#include "comms/halo/halo.hpp"
#include "comms/halo/halo_work.hpp"
#include "comms/halo/schedule.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

// The arguments of a launch of any hopping term D: out = a * add + b * D in on the sites of `parity` (D in
// alone where `add` is null), for the active right-hand sides. Discretisations add their links and weights.
struct HopCall {
  const Field* in = nullptr;   // holds the other parity
  const Field* add = nullptr;  // holds `parity`
  Field* out = nullptr;        // holds `parity`; may be `add`
  const Halo* halo = nullptr;
  double a = 0, b = 1;
  int parity = 0;
  ActiveSet active;
};

struct PeerFlags;

template <class Call, class Target, class S, int Reconstruction>
struct HopLaunch {
  // Fills the halo's send buffers for that call.
  static void pack(const Call& call, const Queue& queue);
  // The sites of a region, as the queue's tuner chooses: blocks, boxes of rows, right-hand sides that pass
  // held links, tiles.
  static void sites(const Call& call, Region region, const Queue& queue);
  // Packing, the exchange, and all sites as one launch, on a device whose faces kernels move.
  static void fused(const Call& call, const PeerFlags& flags, const Queue& queue);
};

// One application of a hopping term: its launches in the order of the schedule. `Launch` is a HopLaunch.
template <class Launch, class Call>
void apply_hop(Schedule& schedule, Halo& halo, const HaloWork& work, const Call& call) {
  record(halo, work);
  const auto pack = [&](const Queue& queue) { Launch::pack(call, queue); };
  const auto sites = [&](Region region, const Queue& queue) { Launch::sites(call, region, queue); };
  if (!work.fusible) return schedule.apply(halo, pack, sites);
  schedule.apply(halo, pack, sites,
                 [&](const PeerFlags& flags, const Queue& queue) { Launch::fused(call, flags, queue); });
}

}  // namespace plaq
