// One application of a hopping term: its launches in the order of the schedule.
#pragma once

#include "comms/halo/halo_work.hpp"
#include "comms/halo/schedule.hpp"

namespace plaq {

// `Launch` is a HopLaunch.
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
