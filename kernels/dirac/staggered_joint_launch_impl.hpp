// Body of launch_staggered_joint; each kernel source instantiates one storage.
#pragma once

#include <optional>
#include <vector>

#include "comms/face_memory.hpp"
#include "comms/peer_signals.hpp"
#include "core/joint_launch_device.hpp"
#include "kernels/dirac/staggered_run.hpp"

namespace plaq {
namespace detail {

template <class S, int Reals, bool Improved>
void tuned_staggered_joint(const StaggeredHopCall& call, const PeerFlags& flags, const Queue& queue) {
  using Hop = StaggeredHop<Device, S, Reals, Improved, false>;
  using EdgeHop = StaggeredHop<Device, S, Reals, Improved, true>;
  static HopCandidates memory(Location::device, block_size<Hop>(), 0);
  const Geometry& geometry = call.in->geometry();
  const auto inside = staggered_hop<Hop, Device, S, Reals, Improved>(call, false);
  const auto edge = staggered_hop<EdgeHop, Device, S, Reals, Improved>(call, true);
  const auto pack = staggered_face_pack<Device, S, Reals, Improved>(call);
  const int count = call.active.count();
  const auto run = [&](const Launch& launch, const auto& packed, bool alone) {
    const JointShape joint{checked_block<Hop>(launch), launch.box};
    for_each_joint(index_domain(call.halo->largest_face(), pack.inner()), packed, PeerSignals(flags, alone),
                   static_cast<unsigned>(joint.block), geometry.joint_order(call.parity, joint, Hop::depth),
                   queue, inside, edge, geometry.shape().half_volume, count);
  };
  // Timed without the exchange, as wilson_joint_launch_impl.hpp does it.
  std::optional<FaceMemory> faces;
  auto kept = pack;
  const auto time = [&](const Launch& launch) {
    if (!faces) {
      std::vector<std::size_t> bytes;
      for (int d = 0; d < 8; ++d) bytes.push_back(call.halo->face_bytes(d));
      faces.emplace(Location::device, bytes);
      for (int d = 0; d < 8; ++d)
        if (bytes[static_cast<std::size_t>(d)] != 0)
          kept.send[d] = staggered_face<Device, S>(*call.halo, d, faces->at(static_cast<std::size_t>(d)));
    }
    run(launch, kept, true);
  };
  const auto key = tune_key(Improved ? "improved_staggered_hop joint" : "staggered_hop joint",
                            storage_text(precision_of<S>, Reals), geometry, count);
  const Tuner::Memory in_place[1] = {call.add == call.out ? memory_of(*call.out) : Tuner::Memory{}};
  run(tuned(queue, key, memory.of(geometry, Region::all, count), time, in_place), pack, false);
}

}  // namespace detail

template <class S, int Reals>
void launch_staggered_joint(const StaggeredHopCall& call, const PeerFlags& flags, const Queue& queue) {
  detail::with_improvement(
      call, [&](auto improved) { detail::tuned_staggered_joint<S, Reals, improved()>(call, flags, queue); });
}

}  // namespace plaq
