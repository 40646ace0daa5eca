#include "quarks/action/fermion_links.hpp"

#include "kernels/gauge/halo_links.hpp"

namespace plaq {

FermionLinks fermion_links(const SharedLattice& lattice, Field& gauge, const ActionSmearing& smearing) {
  FermionLinks links{lattice.grid.get(), {}, lattice.queue, lattice.transport};
  if (smearing.links.smears() && smearing.thin_clover)
    links.clover_links = links_without_halo(lattice, gauge);
  smear_links(lattice, gauge, smearing.links);
  links.gauge = links_without_halo(lattice, gauge);
  return links;
}

}  // namespace plaq
