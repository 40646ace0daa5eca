// Body of launch_update_joint; each kernel source instantiates one update and storage.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "comms/face_memory.hpp"
#include "comms/peer_signals.hpp"
#include "core/joint_launch_device.hpp"
#include "gaugefix/sweep_launch_impl.hpp"

namespace plaq {
namespace detail {

template <class L, class T, template <class> class Functional, class Update>
void run_update_joint(const SweepCall& call, const Update& update, const PeerFlags& flags,
                      const Queue& queue) {
  constexpr int reals = 12;
  using Inside = SiteUpdate<SiteGather<Device, L, T, L, reals, Functional, false>, Functional, Update>;
  using Edge = SiteUpdate<SiteGather<Device, L, T, L, reals, Functional, true>, Functional, Update>;
  static HopCandidates memory(Location::device, block_size<Inside>(), 0);
  const Geometry& geometry = call.g->geometry();
  const int copies = call.g->slots();
  const auto g = transformation_view<Device, T>(*call.g);
  const Inside inside{make_gather<decltype(Inside::gather), L, T, reals>(call), g, update};
  const Edge edge{make_gather<decltype(Edge::gather), L, T, reals>(call), g, update};
  const auto pack = make_face_pack<Device, L, T, L, reals>(call);
  const auto run = [&](const Launch& launch, const auto& packed, bool alone) {
    const JointShape joint{checked_block<Inside>(launch), launch.box};
    for_each_joint(index_domain(call.halo->largest_face(), 8 * copies), packed, PeerSignals(flags, alone),
                   static_cast<unsigned>(joint.block), geometry.joint_order(call.parity, joint), queue,
                   inside, edge, geometry.shape().half_volume, copies);
  };
  // Timed without the exchange: faces go to memory of this GPU, and no rank waits for another.
  std::optional<FaceMemory> faces;
  auto kept = pack;
  const auto time = [&](const Launch& launch) {
    if (!faces) {
      std::vector<std::size_t> bytes;
      for (int d = 0; d < 8; ++d) bytes.push_back(call.halo->face_bytes(d));
      faces.emplace(Location::device, bytes);
      for (int d = 0; d < 8; ++d)
        if (bytes[static_cast<std::size_t>(d)] != 0)
          kept.send[d] =
              face_view<Device, T, L, reals>(*call.halo, d, faces->at(static_cast<std::size_t>(d)));
    }
    run(launch, kept, true);
  };
  // A key does not copy its text.
  const static std::string names[2] = {name_of_sweep<Functional<T>, Update>(false, false) + " joint",
                                       name_of_sweep<Functional<T>, Update>(true, false) + " joint"};
  const auto key = tune_key(names[call.directions == 4], storage_of_sweep<L, T, reals>(), geometry, copies);
  const Tuner::Memory in_place[1] = {memory_of(*call.g)};
  run(tuned(queue, key, memory.of(geometry, Region::all, copies), time, in_place), pack, false);
}

}  // namespace detail

template <class L, class T, class Update>
void launch_update_joint(const SweepCall& call, const Update& update, const PeerFlags& flags,
                         const Queue& queue) {
  if (call.functional == GaugeFunctional::abelian)
    detail::run_update_joint<L, T, AbelianFunctional>(call, update, flags, queue);
  else
    detail::run_update_joint<L, T, TraceFunctional>(call, update, flags, queue);
  call.g->touch();
}

}  // namespace plaq
