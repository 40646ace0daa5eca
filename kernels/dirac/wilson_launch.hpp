// The launches of the Wilson hopping term for one machine and storage.
#pragma once

#include "comms/halo.hpp"
#include "core/active_set.hpp"
#include "core/field.hpp"
#include "kernels/dirac/clover_launch.hpp"
#include "kernels/gauge/link_storage_launch.hpp"
#include "kernels/site/hop_weights.hpp"

namespace plaq {

// out = a * add + b * D in on the sites of `parity` (D in alone where `add` is null) for the active
// right-hand sides; with `clover`, C multiplies D in or add.
struct WilsonHopCall {
  const Field* links = nullptr;
  const Field* in = nullptr;   // holds the other parity
  const Field* add = nullptr;  // holds `parity`
  Field* out = nullptr;        // holds `parity`
  const Halo* halo = nullptr;
  HopWeights<double> weights;
  double a = 0, b = 1;
  int parity = 0;
  ActiveSet active;
  const Field* clover = nullptr;  // holds `parity`
  bool clover_on_add = false;
};

// S: storage of spinors and links, the latter of `Reals` reals. On a device without clover but for the
// boundary.
template <class Target, class S, int Reals>
void launch_wilson_hop(const WilsonHopCall& call, Region region, const Queue& queue);
// The one with clover of a device; not for the boundary.
template <class S, int Reals>
void launch_wilson_clover_hop(const WilsonHopCall& call, Region region, const Queue& queue);
// Packing, the exchange, and the hopping term on all sites, on a device whose faces kernels move.
template <class S, int Reals>
void launch_wilson_joint(const WilsonHopCall& call, const PeerFlags& flags, const Queue& queue);
// Fills halo's send buffers for that call.
template <class Target, class S, int Reals>
void launch_wilson_pack(const WilsonHopCall& call, const Queue& queue);

}  // namespace plaq
