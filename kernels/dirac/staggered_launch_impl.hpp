// Bodies of the launches in staggered_launch.hpp; each kernel source instantiates one storage.
#pragma once

#include "kernels/dirac/staggered_run.hpp"

namespace plaq {

template <class Target, class S, int Reals>
void launch_staggered_hop(const StaggeredHopCall& call, Region region, const Queue& queue) {
  detail::with_improvement(call, [&](auto improved) {
    if (region == Region::boundary) {
      detail::run_staggered_hop<Target, S, Reals, improved(), true>(call, region, queue);
    } else {
      detail::tuned_staggered_hop<Target, S, Reals, improved()>(call, region, queue);
    }
  });
}

template <class Target, class S, int Reals>
void launch_staggered_pack(const StaggeredHopCall& call, const Queue& queue) {
  detail::with_improvement(call, [&](auto improved) {
    const auto pack = detail::staggered_face_pack<Target, S, Reals, improved()>(call);
    for_each(index_domain(call.halo->largest_face(), pack.inner()), queue, pack);
  });
}

}  // namespace plaq
