// Bodies of the launches in wilson_launch.hpp but the one with clover; each kernel source instantiates one
// storage.
#pragma once

#include "kernels/dirac/wilson_run.hpp"

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
  const auto pack = detail::wilson_face_pack<Target, S, Reals>(call);
  for_each(index_domain(call.halo->largest_face(), pack.inner()), queue, pack);
}

}  // namespace plaq
