// Body of launch_wilson_joint; each kernel source instantiates one storage.
#pragma once

#include <optional>
#include <vector>

#include "comms/face_memory.hpp"
#include "comms/peer_signals.hpp"
#include "core/joint_launch_device.hpp"
#include "kernels/dirac/wilson_run.hpp"

namespace plaq {
namespace detail {

template <class S, int Reals, bool Clover, bool Temporal>
void tuned_wilson_joint(const WilsonHopCall& call, const PeerFlags& flags, const Queue& queue) {
  using Hop = WilsonHop<Device, S, Reals, false, Clover, false, Temporal>;
  using EdgeHop = WilsonHop<Device, S, Reals, true, Clover, false, Temporal>;
  static HopCandidates memory(Location::device, block_size<Hop>(), 0);
  const Geometry& geometry = call.in->geometry();
  const auto inside = wilson_hop<Hop, Device, S, Reals, Clover>(call, false);
  const auto edge = wilson_hop<EdgeHop, Device, S, Reals, Clover>(call, true);
  const auto pack = wilson_face_pack<Device, S, Reals>(call);
  const int count = call.active.count();
  const auto run = [&](const Launch& launch, const auto& packed, bool alone) {
    const JointShape joint{checked_block<Hop>(launch), launch.box};
    for_each_joint(index_domain(call.halo->largest_face(), pack.inner()), packed, PeerSignals(flags, alone),
                   static_cast<unsigned>(joint.block), geometry.joint_order(call.parity, joint), queue,
                   inside, edge, geometry.shape().half_volume, count);
  };
  // Timed without the exchange: faces go to memory of this GPU, what is found of ghosts does not matter, and
  // no rank waits for another.
  std::optional<FaceMemory> faces;
  auto kept = pack;
  const auto time = [&](const Launch& launch) {
    if (!faces) {
      std::vector<std::size_t> bytes;
      for (int d = 0; d < 8; ++d) bytes.push_back(call.halo->face_bytes(d));
      faces.emplace(Location::device, bytes);
      for (int d = 0; d < 8; ++d)
        if (bytes[static_cast<std::size_t>(d)] != 0)
          kept.send[d] = face_view<Device, S>(*call.halo, d, faces->at(static_cast<std::size_t>(d)));
    }
    run(launch, kept, true);
  };
  static constexpr const char* names[2][2] = {
      {"wilson_hop joint", "wilson_hop temporal gauge joint"},
      {"wilson_clover_hop joint", "wilson_clover_hop temporal gauge joint"}};
  const auto key = tune_key(names[Clover][Temporal && call.weights.unit_inside],
                            storage_text(precision_of<S>, Reals), geometry, count);
  const Tuner::Memory in_place[1] = {call.add == call.out ? memory_of(*call.out) : Tuner::Memory{}};
  run(tuned(queue, key, memory.of(geometry, Region::all, count), time, in_place), pack, false);
}

}  // namespace detail

template <class S, int Reals>
void launch_wilson_joint(const WilsonHopCall& call, const PeerFlags& flags, const Queue& queue) {
  detail::with_temporal<Device, Reals>(call, [&](auto temporal) {
    if (call.clover != nullptr) {
      detail::tuned_wilson_joint<S, Reals, true, temporal()>(call, flags, queue);
    } else {
      detail::tuned_wilson_joint<S, Reals, false, temporal()>(call, flags, queue);
    }
  });
}

}  // namespace plaq
