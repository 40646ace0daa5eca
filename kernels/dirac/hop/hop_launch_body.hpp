// Bodies of HopLaunch, written once for all discretisations; generated kernel sources instantiate them.
// HopsOf of a discretisation's call, of a target and a storage is a class `Hops` with
//   with_hop(call, f)     f(HopChoice<...>()) with the HopFormula that suits the call, and what is known of
//                         its time links: each choice that f may see has kernels of its own
//   open<Hop>(call)       the formula with its views and numbers set
//   weights<Hop>(call)    HopWeights times what its links leave out, where hops have weights
//   first_on_face(call)   subfield of the first right-hand side on a face
//   name(call, part)      for the tuner and for profiles
//   fuses                 whether a device has all of it as one launch, too
//   holds, tiles          whether batches pass links held in shared memory, or go by tiles
//   held_width            right-hand sides that share a link in registers, 1: none
#pragma once

#include <string_view>

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "core/launch/tuning.hpp"
#include "kernels/dirac/hop/fused_shapes.hpp"
#include "kernels/dirac/hop/held_hop_kernel.hpp"
#include "kernels/dirac/hop/hop_candidates.hpp"
#include "kernels/dirac/hop/hop_face_pack.hpp"
#include "kernels/dirac/hop/hop_launch.hpp"
#if defined(__CUDACC__)
#include "core/launch/tile_launch_device.hpp"
#include "kernels/dirac/hop/fused_launch.hpp"
#include "kernels/dirac/hop/tile_hop_kernel_device.hpp"
#endif

namespace plaq {

template <class Call, class Target, class S, int Reconstruction>
struct HopsOf;

// Inside: time links of kernels for sites without ghosts; Edge: of those with, whatever
// else the call has, and of packing.
template <class HopT, TimeLinks Inside = TimeLinks::ordinary, TimeLinks Edge = TimeLinks::ordinary>
struct HopChoice {
  using Hop = HopT;
  static constexpr TimeLinks inside = Inside, edge = Edge;
};

enum class HopPart { all, interior, fused };

namespace detail {

template <class Target>
inline constexpr bool on_host = location_of<Target> == Location::host;

// With ghosts if `Kernel` may have them and they are there.
template <class Kernel, class Hops, class Call>
Kernel hop_kernel(const Call& call, bool ghosts) {
  using Hop = typename Kernel::Hop;
  const Geometry& geometry = call.in->geometry();
  Kernel kernel;
  kernel.lattice = typename Kernel::Lattice(geometry, Kernel::depth > 1);
  kernel.hop = Hops::template open<Hop>(call);
  if constexpr (Hop::weighted) kernel.weights = Hops::template weights<Hop>(call);
  if (Kernel::has_faces && ghosts)
    kernel.ghosts = open_ghosts<typename Kernel::Face>(*call.halo, Hops::first_on_face(call));
  kernel.parity = call.parity;
  kernel.active = call.active;
  return kernel;
}

template <class Hop, TimeLinks Time, class Hops, class Call>
HopFacePack<Hop, Time> hop_face_pack(const Call& call) {
  HopFacePack<Hop, Time> pack;
  pack.lattice = decltype(pack.lattice)(call.in->geometry());
  pack.hop = Hops::template open<Hop>(call);
  pack.send_to(*call.halo);
  if constexpr (Time != TimeLinks::ordinary) pack.unit_time_link = call.weights.unit_across[0];
  pack.first = Hops::first_on_face(call);
  pack.parity = 1 - call.parity;
  pack.active = call.active;
  return pack;
}

// In as many launches as it takes where a launch has fewer right-hand sides than the call.
template <int Width, class Kernel>
void run_hop(const HopCall& call, Region region, const Queue& queue, Kernel kernel,
             const Launch& launch = {}) {
  using Target = typename Kernel::Arch::Target;
  const int count = call.active.count();
  // A thread of a device takes one right-hand side or all that share a link, one of the host always all.
  const bool parts = (on_host<Target> || Width > 1) && launch.width > 0;
  const int together = parts ? launch.width : count;
  for (int first = 0; first < count; first += together) {
    kernel.active = call.active.part(first, together);
    const int inner = (kernel.active.count() + Width - 1) / Width;
    for_each(make_domain(call.in->geometry(), region, call.parity, location_of<Target>, inner, Kernel::depth),
             queue, kernel, launch);
  }
}

// Links in shared memory while right-hand sides pass.
template <class Hop, TimeLinks Time>
void run_held(const HopCall& call, Region region, const Queue& queue, HeldHopKernel<Hop, Time> held,
              const Launch& launch) {
  using Target = typename Hop::Arch::Target;
  const int count = call.active.count();
  const int together = launch.width > 0 ? launch.width : count;
  for (int first = 0; first < count; first += together) {
    held.kernel.active = call.active.part(first, together);
    for_each(make_domain(call.in->geometry(), region, call.parity, location_of<Target>, 1), queue, held,
             launch);
  }
}

template <class Hops, class Hop>
TileSize tiles_of() {
#if defined(__CUDACC__)
  if constexpr (Hops::tiles) {
    if (has_memory_for_tiles<TileHopKernel<Hop>>()) return TileHopKernel<Hop>::size;
  }
#endif
  return {};
}

template <class Hops, class Hop>
constexpr int held_block() {
  if constexpr (Hops::holds) return block_size<HeldHopKernel<Hop>>();
  if constexpr (Hops::held_width > 1) return block_size<HopKernel<Hop, false, Hops::held_width>>();
  return 0;
}

// Memory that a launch both reads and writes.
inline Tuner::Memory in_place(const HopCall& call) {
  return call.add == call.out ? memory_of(*call.out) : Tuner::Memory{};
}

template <class Hops, class Hop, TimeLinks Time, class Call>
void tuned_hop(const Call& call, Region region, const Queue& queue) {
  using Target = typename Hop::Arch::Target;
  // A host asks for ghosts at every group of sites: one form of it.
  using Kernel = HopKernel<Hop, on_host<Target>, 1, Time>;
  static HopCandidates memory(location_of<Target>, block_size<Kernel>(), held_block<Hops, Hop>(),
                              tiles_of<Hops, Hop>());
  const Geometry& geometry = call.in->geometry();
  const int count = call.active.tuned_count();
  const auto run = [&](const Launch& launch) {
#if defined(__CUDACC__)
    if constexpr (Hops::tiles) {
      if (launch.tiles) {
        // Tiles read all links.
        const auto kernel = hop_kernel<HopKernel<Hop, false>, Hops>(call, false);
        const SiteTiles tiles(geometry.shape(), launch.box);
        return for_each_tile(queue, TileHopKernel<Hop>{kernel, tiles, region == Region::interior});
      }
    }
#endif
    if constexpr (Hops::holds) {
      if (launch.held)
        return run_held<Hop, Time>(call, region, queue,
                                   {hop_kernel<HopKernel<Hop, false, 1, Time>, Hops>(call, false)}, launch);
    }
    if constexpr (Hops::held_width > 1) {
      using Wide = HopKernel<Hop, false, Hops::held_width>;
      if (launch.held)
        return run_hop<Hops::held_width>(call, region, queue, hop_kernel<Wide, Hops>(call, false), launch);
    }
    run_hop<1>(call, region, queue, hop_kernel<Kernel, Hops>(call, false), launch);
  };
  const auto key = tune_key(Hops::name(call, region == Region::interior ? HopPart::interior : HopPart::all),
                            Hops::storage(), geometry, count);
  const Tuner::Memory changed[1] = {in_place(call)};
  run(tuned(queue, key, memory.of(geometry, region, count), run, changed));
}

}  // namespace detail

template <class Call, class Target, class S, int Reconstruction>
void HopLaunch<Call, Target, S, Reconstruction>::pack(const Call& call, const Queue& queue) {
  using Hops = typename HopsOf<Call, Target, S, Reconstruction>::type;
  Hops::with_hop(call, [&](auto choice) {
    using Choice = decltype(choice);
    const auto pack = detail::hop_face_pack<typename Choice::Hop, Choice::edge, Hops>(call);
    for_each(index_domain(call.halo->largest_face(), pack.inner()), queue, pack);
  });
}

// Boundary sites are few: one kernel for all batches, whatever else a call has.
template <class Call, class Target, class S, int Reconstruction>
void HopLaunch<Call, Target, S, Reconstruction>::sites(const Call& call, Region region, const Queue& queue) {
  using Hops = typename HopsOf<Call, Target, S, Reconstruction>::type;
  Hops::with_hop(call, [&](auto choice) {
    using Choice = decltype(choice);
    using Hop = typename Choice::Hop;
    if (region == Region::boundary) {
      using Kernel = HopKernel<Hop, true, 1, Choice::edge>;
      detail::run_hop<1>(call, region, queue, detail::hop_kernel<Kernel, Hops>(call, true));
    } else {
      detail::tuned_hop<Hops, Hop, Choice::inside>(call, region, queue);
    }
  });
}

template <class Call, class Target, class S, int Reconstruction>
void HopLaunch<Call, Target, S, Reconstruction>::fused(const Call& call,
                                                       [[maybe_unused]] const PeerFlags& flags,
                                                       const Queue& queue) {
  using Hops = typename HopsOf<Call, Target, S, Reconstruction>::type;
  Hops::with_hop(call, [&](auto choice) {
    using Choice = decltype(choice);
    using Hop = typename Choice::Hop;
    const Geometry& geometry = call.in->geometry();
    const int count = call.active.tuned_count();
    const auto key = tune_key(Hops::name(call, HopPart::fused), Hops::storage(), geometry, count);
    const Tuner::Memory changed[1] = {detail::in_place(call)};
#if defined(__CUDACC__)
    if constexpr (Hops::fuses) {
      using Inside = HopKernel<Hop, false, 1, Choice::inside>;
      using Edge = HopKernel<Hop, true, 1, Choice::inside>;
      static HopCandidates memory(Location::device, detail::block_size<Inside>(), 0);
      return launch_fused(*call.halo, flags, queue, detail::hop_kernel<Inside, Hops>(call, false),
                          detail::hop_kernel<Edge, Hops>(call, true),
                          detail::hop_face_pack<Hop, Choice::edge, Hops>(call), call.active.count(), key,
                          memory.of(geometry, Region::all, count), changed);
    }
#endif
    count_fused_launch(*call.halo, call.parity, Hop::depth, precision_of<S>, queue, key, changed);
  });
}

}  // namespace plaq
