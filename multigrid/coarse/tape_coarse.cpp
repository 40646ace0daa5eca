#include "multigrid/coarse/tape_coarse.hpp"

#include "core/system/runs_dry.hpp"
#include "kernels/dirac/hop/tape_hop.hpp"
#include "multigrid/tape_kernel.hpp"

namespace plaq {

// Matrices once for all right-hand sides; of vectors those that are read and the result.
void tape_coarse_hop(const CoarseHopCall& call) {
  if (!runs_dry()) return;
  const double n = call.components, sites = call.in->geometry().general_shape().parity_sites(call.parity);
  const double numbers = (call.parts.end - call.parts.begin) * n * n * sites;
  const int vectors = call.active.count(), touched = call.from == nullptr ? 2 : 3;
  const Work work{8 * numbers * vectors,
                  2 * numbers * bytes_of(call.links->precision()) +
                      2 * n * sites * vectors * touched * bytes_of(call.in->precision())};
  if (call.parts.begin == coarse_hops)
    return tape_kernel("coarse_site", KernelKind::coarse_hop, call.links->precision(), vectors, work);
  TapedHop hop;
  hop.name = "coarse_hop";
  hop.kernel = KernelKind::coarse_hop;
  hop.link_reals = 0;
  hop.work = work;
  hop.packed_links = 0;
  hop.storage = call.links->precision();
  tape_hop(hop, *call.halo, *call.in, vectors);
}

}  // namespace plaq
