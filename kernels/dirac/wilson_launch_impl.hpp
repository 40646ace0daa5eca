// Bodies of the launches in wilson_launch.hpp; each kernel source instantiates one storage.
#pragma once

#include <type_traits>

#include "core/field_views.hpp"
#include "core/launch.hpp"
#include "core/tuning.hpp"
#include "kernels/dirac/hop_candidates.hpp"
#include "kernels/dirac/wilson_launch.hpp"
#include "kernels/site/wilson_face_pack.hpp"
#include "kernels/site/wilson_hop.hpp"

namespace plaq {
namespace detail {

template <class Target, class S>
HalfSpinorView<Target, S> face_view(const Halo& halo, int d, void* data) {
  const Layout& layout = halo.face_layout(d);
  return HalfSpinorView<Target, S>({data, layout.size()});
}

template <class Target, class S, int Reals, bool Ghosts, int Width, bool Clover, bool Temporal,
          bool Held = false>
void run_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue, const Launch& launch = {}) {
  using T = Compute<S>;
  const Geometry& geometry = call.in->geometry();
  WilsonHop<Target, S, Reals, Ghosts, Width, Clover, Held, Temporal> hop;
  hop.lattice = LatticeView<Target, T>(geometry);
  hop.links = gauge_view<Target, S, Reals>(*call.links);
  hop.in = spinor_view<Target, S>(*call.in, 1 - call.parity);
  hop.out = spinor_view<Target, S>(*call.out, call.parity);
  if (call.add != nullptr) hop.add = spinor_view<Target, S>(*call.add, call.parity);
  if constexpr (Clover) {
    if (call.clover != nullptr) hop.clover = clover_view<Target, S>(*call.clover, call.parity);
    hop.clover_on_add = call.clover_on_add;
  }
  if constexpr (Ghosts) {
    for (int d = 0; d < 8; ++d)
      if (geometry.partitioned(d / 2))
        hop.ghosts.face[d] = face_view<Target, S>(*call.halo, d, call.halo->receive(d));
  }
  hop.weights = call.weights.as<T>(decltype(hop)::Links::factor);
  hop.a = static_cast<T>(call.a);
  hop.b = static_cast<T>(call.b);
  hop.parity = call.parity;
  const auto run = [&](const ActiveSet& active, int groups) {
    hop.active = active;
    for_each(make_domain(geometry, region, call.parity, location_of<Target>, groups), queue, hop, launch);
  };
  const int count = call.active.count();
  if constexpr (Held) {
    const int together = launch.width > 0 ? launch.width : count;
    for (int first = 0; first < count; first += together) run(call.active.part(first, together), 1);
  } else {
    run(call.active, (count + Width - 1) / Width);
  }
}

// Whether a thread of a device can hold eight links. In double they would leave room for too few threads.
template <class S>
inline constexpr bool holds_links = sizeof(S) < 8;
// Blocks, boxes, and whether right-hand sides pass held links, as the queue's tuner chooses.
template <class Target, class S, int Reals, bool Clover, bool Temporal>
void tuned_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue) {
  constexpr bool may_hold = holds_links<S> || location_of<Target> == Location::host;
  using Plain = WilsonHop<Target, S, Reals, false, 1, Clover, false, Temporal>;
  using Holding = WilsonHop<Target, S, Reals, false, 1, Clover, may_hold, Temporal>;
  static HopCandidates memory(location_of<Target>, block_size<Plain>(), may_hold ? block_size<Holding>() : 0);
  const Geometry& geometry = call.in->geometry();
  const auto candidates = memory.of(geometry, region, call.active.count());
  const auto run = [&](const Launch& launch) {
    if (launch.held) {
      run_wilson_hop<Target, S, Reals, false, 1, Clover, Temporal, may_hold>(call, region, queue, launch);
    } else {
      run_wilson_hop<Target, S, Reals, false, 1, Clover, Temporal>(call, region, queue, launch);
    }
  };
  const bool inside = region == Region::interior;
  static constexpr const char* names[2][2] = {
      {Clover ? "wilson_clover_hop" : "wilson_hop",
       Clover ? "wilson_clover_hop interior" : "wilson_hop interior"},
      {Clover ? "wilson_clover_hop temporal gauge" : "wilson_hop temporal gauge",
       Clover ? "wilson_clover_hop temporal gauge interior" : "wilson_hop temporal gauge interior"}};
  const auto key = tune_key(names[call.weights.unit_inside][inside], storage_text(precision_of<S>, Reals),
                            geometry, call.active.count());
  const Tuner::Memory in_place[1] = {call.add == call.out ? memory_of(*call.out) : Tuner::Memory{}};
  run(tuned(queue, key, candidates, run, in_place));
}

// Eight reals are stored in another gauge than the temporal one. Elsewhere a device has two kernels, since a
// link that may be needed is asked for too late; a host decides at every group of sites.
template <class Target, int Reals, class F>
void with_temporal(const WilsonHopCall& call, F&& f) {
  if constexpr (Reals == 8) {
    f(std::false_type());
  } else if constexpr (location_of<Target> == Location::host) {
    f(std::true_type());
  } else if (call.weights.unit_inside) {
    f(std::true_type());
  } else {
    f(std::false_type());
  }
}

}  // namespace detail

// Boundary sites are few: one instantiation for all batches, with and without clover.
template <class Target, class S, int Reals>
void launch_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue) {
  if (region == Region::boundary)
    return detail::run_wilson_hop<Target, S, Reals, true, 1, true, Reals != 8>(call, region, queue);
  detail::with_temporal<Target, Reals>(call, [&](auto temporal) {
    detail::tuned_wilson_hop<Target, S, Reals, false, temporal()>(call, region, queue);
  });
}

template <class Target, class S, int Reals>
void launch_wilson_clover_hop(const WilsonHopCall& call, Region region, const Queue& queue) {
  detail::with_temporal<Target, Reals>(call, [&](auto temporal) {
    detail::tuned_wilson_hop<Target, S, Reals, true, temporal()>(call, region, queue);
  });
}

template <class Target, class S, int Reals>
void launch_wilson_pack(const WilsonHopCall& call, const Queue& queue) {
  using T = Compute<S>;
  const Halo& halo = *call.halo;
  WilsonFacePack<Target, S, Reals> pack;
  pack.lattice = LatticeView<Target, T>(call.in->geometry());
  pack.links = gauge_view<Target, S, Reals>(*call.links);
  pack.in = spinor_view<Target, S>(*call.in, 1 - call.parity);
  for (int d = 0; d < 8; ++d)
    if (call.in->geometry().partitioned(d / 2))
      pack.send[d] = detail::face_view<Target, S>(halo, d, halo.send(d));
  pack.projector_sign = static_cast<T>(call.weights.projector_sign);
  pack.unit_time = call.weights.unit_across[0];
  pack.parity = 1 - call.parity;
  pack.active = call.active;
  for_each(index_domain(halo.largest_face(), 8 * call.active.count()), queue, pack);
}

}  // namespace plaq
