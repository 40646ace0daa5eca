// Body of launch_wilson_clover_hop; each kernel source instantiates one storage.
#pragma once

#include "kernels/dirac/wilson_run.hpp"

namespace plaq {

template <class S, int Reals>
void launch_wilson_clover_hop(const WilsonHopCall& call, Region region, const Queue& queue) {
  detail::with_temporal<Device, Reals>(call, [&](auto temporal) {
    detail::tuned_wilson_hop<Device, S, Reals, true, temporal()>(call, region, queue);
  });
}

}  // namespace plaq
