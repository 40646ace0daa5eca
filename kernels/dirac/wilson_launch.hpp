// The launches of the Wilson hopping term for one machine and precision.
#pragma once

#include "comms/halo.hpp"
#include "core/field.hpp"
#include "kernels/site/hop_weights.hpp"

namespace plaq {

// out = a * add + b * D in on the sites of `parity` (D in alone where `add` is null), all right-hand sides.
struct WilsonHopCall {
  const Field* links = nullptr;
  const Field* in = nullptr;   // holds the other parity
  const Field* add = nullptr;  // holds `parity`
  Field* out = nullptr;        // holds `parity`
  const Halo* halo = nullptr;
  HopWeights<double> weights;
  double a = 0, b = 1;
  int parity = 0;
};

template <class Target, class T>
void launch_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue);
// Fills halo's send buffers for that call.
template <class Target, class T>
void launch_wilson_pack(const WilsonHopCall& call, const Queue& queue);

}  // namespace plaq
