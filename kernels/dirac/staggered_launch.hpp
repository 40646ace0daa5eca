// The launches of the staggered hopping terms for one machine and storage.
#pragma once

#include "comms/halo.hpp"
#include "core/active_set.hpp"
#include "core/field.hpp"
#include "kernels/gauge/link_storage_launch.hpp"
#include "kernels/site/staggered_weights.hpp"

namespace plaq {

// out = a * add + b * D in on the sites of `parity` (D in alone where `add` is null) for the active
// right-hand sides.
struct StaggeredHopCall {
  const Field* links = nullptr;       // fat ones, of 18 reals, where there are
  const Field* long_links = nullptr;  // these: then the operator is improved
  const Field* in = nullptr;          // holds the other parity
  const Field* add = nullptr;         // holds `parity`
  Field* out = nullptr;               // holds `parity`
  const Halo* halo = nullptr;
  StaggeredWeights<double> weights, long_weights;
  double a = 0, b = 1;
  int parity = 0;
  ActiveSet active;
};

// S: storage of vectors and links; the links of an operator that is not improved, or else the long ones, have
// `Reals` reals.
template <class Target, class S, int Reals>
void launch_staggered_hop(const StaggeredHopCall& call, Region region, const Queue& queue);
// Packing, the exchange, and the hopping term on all sites, on a device whose faces kernels move.
template <class S, int Reals>
void launch_staggered_joint(const StaggeredHopCall& call, const PeerFlags& flags, const Queue& queue);
// Fills halo's send buffers for that call.
template <class Target, class S, int Reals>
void launch_staggered_pack(const StaggeredHopCall& call, const Queue& queue);

// In double precision, 18 reals: the largest magnitude of any component on this rank (NaN where one is), and
// every link times `factor`.
template <class Target>
double launch_largest_component(const Field& links, const Queue& queue);
template <class Target>
void launch_scale_links(Field& links, double factor, const Queue& queue);

}  // namespace plaq
