// Bodies of the launches in wilson_launch.hpp but the one with clover; each kernel source instantiates one
// storage.
#pragma once

#include "kernels/dirac/wilson_run.hpp"
#include "kernels/site/wilson_face_pack.hpp"

namespace plaq {

// Boundary sites are few: one instantiation for all batches, with and without clover.
template <class Target, class S, int Reals>
void launch_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue) {
  if (region == Region::boundary)
    return detail::run_wilson_hop<Target, S, Reals, true, true, false, Reals != 8>(call, region, queue);
  detail::with_temporal<Target, Reals>(call, [&](auto temporal) {
    detail::tuned_wilson_hop<Target, S, Reals, false, temporal()>(call, region, queue);
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
