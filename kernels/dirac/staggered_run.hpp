// How the kernels of the staggered hopping terms are launched, for the bodies of staggered_launch.hpp.
#pragma once

#include <type_traits>

#include "core/field_views.hpp"
#include "core/launch.hpp"
#include "core/tuning.hpp"
#include "kernels/dirac/hop_candidates.hpp"
#include "kernels/dirac/staggered_launch.hpp"
#include "kernels/site/staggered_face_pack.hpp"
#include "kernels/site/staggered_hop.hpp"

namespace plaq {
namespace detail {

template <class Target, class S>
FaceView<Target, S, 1> staggered_face(const Halo& halo, int d, void* data) {
  return {data, halo.face_layout(d).size(), halo.spec().precision == Precision::half_precision};
}

// `Functor` is a StaggeredHop or a StaggeredFacePack.
template <class Target, class S, int Reals, bool Improved, class Functor>
void open_links(Functor& functor, const StaggeredHopCall& call) {
  functor.lattice = LatticeView<Target, Compute<S>>(call.in->geometry(), Improved);
  functor.links = gauge_view < Target, S, Improved ? 18 : Reals > (*call.links);
  if constexpr (Improved) functor.long_links = gauge_view<Target, S, Reals>(*call.long_links);
  functor.in = staggered_view<Target, S>(*call.in, 1 - call.parity);
  functor.active = call.active;
}

// With ghosts if `Functor` has them and they are wanted.
template <class Functor, class Target, class S, int Reals, bool Improved>
Functor staggered_hop(const StaggeredHopCall& call, bool ghosts) {
  using T = Compute<S>;
  const Geometry& geometry = call.in->geometry();
  Functor hop;
  open_links<Target, S, Reals, Improved>(hop, call);
  hop.out = staggered_view<Target, S>(*call.out, call.parity);
  if (call.add != nullptr) hop.add = staggered_view<Target, S>(*call.add, call.parity);
  if (ghosts) {
    for (int d = 0; d < 8; ++d) {
      if (!geometry.partitioned(d / 2)) continue;
      hop.ghosts.face[d] = staggered_face<Target, S>(*call.halo, d, call.halo->receive(d));
      hop.ghosts.stride[d / 2] = call.halo->layer_stride(d);
    }
  }
  hop.weights = call.weights.as<T>(static_cast<double>(Functor::Links::factor));
  hop.long_weights = call.long_weights.as<T>(static_cast<double>(Functor::LongLinks::factor));
  hop.a = static_cast<T>(call.a);
  hop.b = static_cast<T>(call.b);
  hop.parity = call.parity;
  return hop;
}

template <class Target, class S, int Reals, bool Improved>
StaggeredFacePack<Target, S, Reals, Improved> staggered_face_pack(const StaggeredHopCall& call) {
  StaggeredFacePack<Target, S, Reals, Improved> pack;
  open_links<Target, S, Reals, Improved>(pack, call);
  for (int d = 0; d < 8; ++d) {
    if (!call.in->geometry().partitioned(d / 2)) continue;
    pack.send[d] = staggered_face<Target, S>(*call.halo, d, call.halo->send(d));
    pack.stride[d / 2] = call.halo->layer_stride(d);
    pack.send_for(d);
  }
  pack.parity = 1 - call.parity;
  return pack;
}

template <class Target, class S, int Reals, bool Improved, bool Ghosts, int Width = 1>
void run_staggered_hop(const StaggeredHopCall& call, Region region, const Queue& queue,
                       const Launch& launch = {}) {
  using Hop = StaggeredHop<Target, S, Reals, Improved, Ghosts, Width>;
  const Geometry& geometry = call.in->geometry();
  auto hop = staggered_hop<Hop, Target, S, Reals, Improved>(call, Ghosts && region == Region::boundary);
  const int count = call.active.count();
  // A batch may go in several launches where links are held, or on a host.
  const bool parts = (location_of<Target> == Location::host || Width > 1) && launch.width > 0;
  const int together = parts ? launch.width : count;
  for (int first = 0; first < count; first += together) {
    hop.active = call.active.part(first, together);
    const int inner = (hop.active.count() + Width - 1) / Width;
    for_each(make_domain(geometry, region, call.parity, location_of<Target>, inner, Hop::depth), queue, hop,
             launch);
  }
}

// Right-hand sides for which a thread of a device keeps a link in registers, where it does; a core of the
// host has them in its cache.
template <class Target, class S>
inline constexpr int held_width = location_of<Target> == Location::host ? 1
                                  : sizeof(S) == 8                      ? 4
                                                                        : 6;

// Blocks, boxes, and whether links are held while several right-hand sides pass, as the queue's tuner
// chooses.
template <class Target, class S, int Reals, bool Improved>
void tuned_staggered_hop(const StaggeredHopCall& call, Region region, const Queue& queue) {
  constexpr int held = held_width<Target, S>;
  static HopCandidates memory(
      location_of<Target>, block_size<StaggeredHop<Target, S, Reals, Improved, false>>(),
      held > 1 ? block_size<StaggeredHop<Target, S, Reals, Improved, false, held>>() : 0);
  const Geometry& geometry = call.in->geometry();
  const auto run = [&](const Launch& launch) {
    if (launch.held) {
      run_staggered_hop<Target, S, Reals, Improved, false, held>(call, region, queue, launch);
    } else {
      run_staggered_hop<Target, S, Reals, Improved, false>(call, region, queue, launch);
    }
  };
  static constexpr const char* names[2][2] = {{"staggered_hop", "staggered_hop interior"},
                                              {"improved_staggered_hop", "improved_staggered_hop interior"}};
  const auto key = tune_key(names[Improved][region == Region::interior], storage_text(precision_of<S>, Reals),
                            geometry, call.active.count());
  const Tuner::Memory in_place[1] = {call.add == call.out ? memory_of(*call.out) : Tuner::Memory{}};
  run(tuned(queue, key, memory.of(geometry, region, call.active.count()), run, in_place));
}

template <class F>
void with_improvement(const StaggeredHopCall& call, F&& f) {
  if (call.long_links != nullptr) {
    f(std::true_type());
  } else {
    f(std::false_type());
  }
}

}  // namespace detail
}  // namespace plaq
