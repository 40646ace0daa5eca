// The work of an operator with a halo: its kernel and the exchange of its faces. Performance traces of dry
// runs are made of it (core/system/performance_trace.hpp).
#pragma once

#include "comms/halo/halo.hpp"
#include "core/operator/kernel_work.hpp"

namespace plaq {

struct HaloWork {
  KernelWork kernel = {};
  int depth = 1;            // slices that hops reach
  double packed_bytes = 0;  // read for each site of a face, to fill both sides
  bool fusible = false;     // packing, exchange and sites may be one launch
};

// Bytes of one right-hand side of a site, as it is stored.
double site_bytes(const Field& vectors);

// Enters an application in the performance trace of a dry run; does nothing in other runs.
void record(const Halo& halo, const HaloWork& work);
// Enters an exchange of `bytes` with each neighbour in direction mu while no site is computed.
void record_exchange(const Geometry& geometry, const KernelWork& copies, int mu, double bytes);

}  // namespace plaq
