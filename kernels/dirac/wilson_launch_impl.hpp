// Bodies of the launches in wilson_launch.hpp; each kernel source instantiates one storage.
#pragma once

#include "core/launch.hpp"
#include "core/tuning.hpp"
#include "kernels/dirac/wilson_launch.hpp"
#include "kernels/site/wilson_face_pack.hpp"
#include "kernels/site/wilson_hop.hpp"

namespace plaq {
namespace detail {

template <class Target, class S>
HalfSpinorView<Target, S> face_view(const Halo& halo, int d, void* data) {
  const Layout& layout = halo.face_layout(d);
  return HalfSpinorView<Target, S>({data, layout.size(), layout.site_stride});
}

template <class Target, class S, int Reals, bool Ghosts, int Width, bool Clover>
void run_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue, const Launch& launch = {}) {
  using T = Compute<S>;
  const Geometry& geometry = call.in->geometry();
  WilsonHop<Target, S, Reals, Ghosts, Width, Clover> hop;
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
  hop.weights = call.weights.as<T>();
  hop.a = static_cast<T>(call.a);
  hop.b = static_cast<T>(call.b);
  hop.parity = call.parity;
  hop.active = call.active;
  const int groups = (call.active.count() + Width - 1) / Width;
  for_each(make_domain(geometry, region, call.parity, location_of<Target>, groups), queue, hop, launch);
}

// Right-hand sides that share a link in registers; in double they no longer fit.
template <class S>
inline constexpr int hop_width = sizeof(S) == 8 ? 1 : 3;

// Blocks and right-hand sides of a thread, as the queue's tuner chooses.
template <class Target, class S, int Reals, bool Clover>
void tuned_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue) {
  constexpr int many = hop_width<S>;
  static constexpr int widths_of_one[] = {1}, widths_of_many[] = {many, 1};
  const std::size_t choices = many == 1 ? 1 : 2;
  static const auto candidates_of_one = launch_candidates(
      location_of<Target>, block_size<WilsonHop<Target, S, Reals, false, 1, Clover>>(), widths_of_one);
  static const auto candidates_of_many =
      launch_candidates(location_of<Target>, block_size<WilsonHop<Target, S, Reals, false, many, Clover>>(),
                        std::span<const int>(widths_of_many, choices));
  const auto run = [&](const Launch& launch) {
    if (launch.width == many) {
      run_wilson_hop<Target, S, Reals, false, many, Clover>(call, region, queue, launch);
    } else {
      run_wilson_hop<Target, S, Reals, false, 1, Clover>(call, region, queue, launch);
    }
  };
  const bool inside = region == Region::interior;
  const auto key = tune_key(Clover ? (inside ? "wilson_clover_hop interior" : "wilson_clover_hop")
                                   : (inside ? "wilson_hop interior" : "wilson_hop"),
                            storage_text(precision_of<S>, Reals), call.in->geometry(), call.active.count());
  const Tuner::Memory in_place[1] = {call.add == call.out ? memory_of(*call.out) : Tuner::Memory{}};
  run(tuned(queue, key, call.active.count() == 1 ? candidates_of_one : candidates_of_many, run, in_place));
}

}  // namespace detail

// Boundary sites are few: one instantiation for all batches, with and without clover.
template <class Target, class S, int Reals>
void launch_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue) {
  using detail::run_wilson_hop, detail::tuned_wilson_hop;
  if (region == Region::boundary) return run_wilson_hop<Target, S, Reals, true, 1, true>(call, region, queue);
  tuned_wilson_hop<Target, S, Reals, false>(call, region, queue);
}

template <class Target, class S, int Reals>
void launch_wilson_clover_hop(const WilsonHopCall& call, Region region, const Queue& queue) {
  detail::tuned_wilson_hop<Target, S, Reals, true>(call, region, queue);
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
  pack.parity = 1 - call.parity;
  pack.active = call.active;
  for_each(index_domain(halo.largest_face(), 8 * call.active.count()), queue, pack);
}

}  // namespace plaq
