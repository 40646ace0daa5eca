#include "quarks/smearing/quark_smearing.hpp"

#include "comms/start/shared_lattice.hpp"
#include "core/system/dry_run.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "kernels/quark/staggered_smearing.hpp"

namespace plaq {

std::unique_ptr<QuarkSmearing> make_quark_smearing(const SharedLattice& lattice, Field gauge,
                                                   const QuarkSmearingSettings& settings, int spins) {
  const Phase phase("making the smearing");
  const MemoryName name("smearing");
  smear_links(lattice, gauge, settings.links);
  if (spins == 1)
    return std::make_unique<StaggeredSmearing>(*lattice.grid, links_without_halo(lattice, gauge),
                                               settings.gaussian, lattice.queue, lattice.transport);
  return std::make_unique<GaussianSmearing>(*lattice.grid, links_without_halo(lattice, gauge),
                                            settings.gaussian, Precision::double_precision, lattice.queue,
                                            lattice.transport);
}

}  // namespace plaq
