// How the kernels of the hopping term are launched, for the bodies of wilson_launch.hpp.
#pragma once

#include <type_traits>

#include "core/field_views.hpp"
#include "core/launch.hpp"
#include "core/tuning.hpp"
#include "kernels/dirac/hop_candidates.hpp"
#include "kernels/dirac/wilson_launch.hpp"
#include "kernels/site/wilson_face_pack.hpp"
#include "kernels/site/wilson_hop.hpp"
#if defined(__CUDACC__)
#include "core/tile_launch_device.hpp"
#include "kernels/dirac/wilson_tile_device.hpp"
#endif

namespace plaq {
namespace detail {

template <class Target, class S>
FaceView<Target, S> face_view(const Halo& halo, int d, void* data) {
  return {data, halo.face_layout(d).size(), halo.spec().precision == Precision::half_precision};
}

// `Functor` is a WilsonHop; with ghosts if it has them and they are wanted.
template <class Functor, class Target, class S, int Reals, bool Clover>
Functor wilson_hop(const WilsonHopCall& call, bool ghosts) {
  using T = Compute<S>;
  const Geometry& geometry = call.in->geometry();
  Functor hop;
  hop.lattice = LatticeView<Target, T>(geometry);
  hop.links = gauge_view<Target, S, Reals>(*call.links);
  hop.in = spinor_view<Target, S>(*call.in, 1 - call.parity);
  hop.out = spinor_view<Target, S>(*call.out, call.parity);
  if (call.add != nullptr) hop.add = spinor_view<Target, S>(*call.add, call.parity);
  if constexpr (Clover) {
    if (call.clover != nullptr) hop.clover = clover_view<Target, S>(*call.clover, call.parity);
    hop.clover_on_add = call.clover_on_add;
  }
  if (ghosts) {
    for (int d = 0; d < 8; ++d)
      if (geometry.partitioned(d / 2))
        hop.ghosts.face[d] = face_view<Target, S>(*call.halo, d, call.halo->receive(d));
  }
  hop.weights = call.weights.as<T>(Functor::Links::factor);
  hop.a = static_cast<T>(call.a);
  hop.b = static_cast<T>(call.b);
  hop.parity = call.parity;
  hop.active = call.active;
  return hop;
}

template <class Target, class S, int Reals>
WilsonFacePack<Target, S, Reals> wilson_face_pack(const WilsonHopCall& call) {
  using T = Compute<S>;
  WilsonFacePack<Target, S, Reals> pack;
  pack.lattice = LatticeView<Target, T>(call.in->geometry());
  pack.links = gauge_view<Target, S, Reals>(*call.links);
  pack.in = spinor_view<Target, S>(*call.in, 1 - call.parity);
  for (int d = 0; d < 8; ++d) {
    if (!call.in->geometry().partitioned(d / 2)) continue;
    pack.send[d] = face_view<Target, S>(*call.halo, d, call.halo->send(d));
    pack.send_for(d);
  }
  pack.projector_sign = static_cast<T>(call.weights.projector_sign);
  pack.unit_time = call.weights.unit_across[0];
  pack.parity = 1 - call.parity;
  pack.active = call.active;
  return pack;
}

template <class Target, class S, int Reals, bool Ghosts, bool Clover, bool Held, bool Temporal>
void run_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue, const Launch& launch = {}) {
  const Geometry& geometry = call.in->geometry();
  auto hop =
      wilson_hop<WilsonHop<Target, S, Reals, Ghosts, Clover, Held, Temporal>, Target, S, Reals, Clover>(
          call, Ghosts && region == Region::boundary);
  // A thread of a device takes one right-hand side or all that it is given, one of the host always all.
  constexpr bool together = Held || location_of<Target> == Location::host;
  const int count = call.active.count();
  const int width = together && launch.width > 0 ? launch.width : count;
  for (int first = 0; first < count; first += width) {
    hop.active = call.active.part(first, width);
    for_each(make_domain(geometry, region, call.parity, location_of<Target>, Held ? 1 : hop.active.count()),
             queue, hop, launch);
  }
}

// The kernel that goes by tiles, where there is one: on a device in single precision. In half precision
// instructions hold the hopping term, which tiles do not save; in double eight links are too much for a
// thread.
template <class Target, class S, int Reals, bool Clover>
struct WilsonTiles {
  static TileSize size() { return {}; }
  static void run(const WilsonHopCall&, Region, const Queue&, const Launch&) {}
};

#if defined(__CUDACC__)

template <int Reals, bool Clover>
struct WilsonTiles<Device, float, Reals, Clover> {
  using Tile = WilsonTile<float, Reals, Clover>;

  static TileSize size() { return has_memory_for_tiles<Tile>() ? Tile::size : TileSize{}; }
  static void run(const WilsonHopCall& call, Region region, const Queue& queue, const Launch& launch) {
    Tile tile;
    tile.hop = wilson_hop<typename Tile::Hop, Device, float, Reals, Clover>(call, false);
    tile.tiles = SiteTiles(call.in->geometry().shape(), launch.box);
    tile.inside = region == Region::interior;
    for_each_tile(queue, tile);
  }
};

#endif

// The kernels of one storage. Each case of a device has its own, or registers that the case does not need
// would leave room for fewer threads. A host decides on clover and temporal gauge at every group of sites.
template <class Target, class S, int Reals>
struct WilsonHopKernels {
  static constexpr bool host = location_of<Target> == Location::host;
  // Eight reals are stored in another gauge than the temporal one.
  static constexpr bool temporal = Reals != 8;
  // Whether threads hold eight links in shared memory: in half precision, where tiles gain nothing. In double
  // they would leave room for too few threads; on the host a core's cache has them.
  static constexpr bool holds = !host && sizeof(S) < 4;

  template <bool Clover, bool Held, bool Temporal>
  static void run(const WilsonHopCall& call, Region region, const Queue& queue, const Launch& launch) {
    run_wilson_hop<Target, S, Reals, false, host || Clover, Held, host ? temporal : Temporal>(call, region,
                                                                                              queue, launch);
  }
  template <bool Clover, bool Held, bool Temporal>
  static constexpr int block =
      block_size<WilsonHop<Target, S, Reals, false, host || Clover, Held, host ? temporal : Temporal>>();
};

// Blocks, boxes, and how many right-hand sides pass held links, as the queue's tuner chooses.
template <class Target, class S, int Reals, bool Clover, bool Temporal>
void tuned_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue) {
  using Kernels = WilsonHopKernels<Target, S, Reals>;
  using Tiles = WilsonTiles<Target, S, Reals, Clover>;
  constexpr bool may_hold = Kernels::holds;
  static HopCandidates memory(location_of<Target>, Kernels::template block<Clover, false, Temporal>,
                              may_hold ? Kernels::template block<Clover, may_hold, Temporal> : 0,
                              Tiles::size());
  const Geometry& geometry = call.in->geometry();
  const auto candidates = memory.of(geometry, region, call.active.count());
  const auto run = [&](const Launch& launch) {
    if (launch.tiles) {
      Tiles::run(call, region, queue, launch);
    } else if (launch.held) {
      Kernels::template run<Clover, may_hold, Temporal>(call, region, queue, launch);
    } else {
      Kernels::template run<Clover, false, Temporal>(call, region, queue, launch);
    }
  };
  const bool inside = region == Region::interior;
  static constexpr const char* names[2][2][2] = {
      {{"wilson_hop", "wilson_hop interior"},
       {"wilson_hop temporal gauge", "wilson_hop temporal gauge interior"}},
      {{"wilson_clover_hop", "wilson_clover_hop interior"},
       {"wilson_clover_hop temporal gauge", "wilson_clover_hop temporal gauge interior"}}};
  const auto key = tune_key(names[call.clover != nullptr][call.weights.unit_inside][inside],
                            storage_text(precision_of<S>, Reals), geometry, call.active.count());
  const Tuner::Memory in_place[1] = {call.add == call.out ? memory_of(*call.out) : Tuner::Memory{}};
  run(tuned(queue, key, candidates, run, in_place));
}

// A link that may be needed is asked for too late, so a device has a kernel for the temporal gauge.
template <class Target, int Reals, class F>
void with_temporal(const WilsonHopCall& call, F&& f) {
  if constexpr (Reals != 8 && location_of<Target> == Location::device) {
    if (call.weights.unit_inside) return f(std::true_type());
  }
  f(std::false_type());
}

}  // namespace detail

}  // namespace plaq
