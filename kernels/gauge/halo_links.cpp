#include "kernels/gauge/halo_links.hpp"

#include "comms/halo/extended_halo.hpp"

namespace plaq {

Field links_with_halo(const SharedLattice& lattice, const Field& links) {
  const GeometryPtr extended = lattice.geometry->extended(1);
  Field with_halo(extended, links.spec());
  copy(with_halo, links);
  ExtendedHalo(*lattice.grid, extended, links.spec(), lattice.transport).exchange(with_halo, lattice.queue);
  return with_halo;
}

Field links_without_halo(const SharedLattice& lattice, const Field& links) {
  Field plain(lattice.geometry, gauge_spec(Precision::double_precision, lattice.location()));
  copy(plain, links);
  return plain;
}

}  // namespace plaq
