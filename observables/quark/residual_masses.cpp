#include "observables/quark/residual_masses.hpp"

#include "kernels/quark/residual_mass.hpp"

namespace plaq {

ResidualMasses::ResidualMasses(const SharedLattice& lattice, double mass,
                               const ResidualMassSettings& settings)
    : lattice_(lattice),
      mass_(mass),
      settings_(settings),
      plateau_(settings.plateau.value_or(Plateau::middle(lattice.geometry->global()[3]))),
      mesons_(*lattice.grid, lattice.geometry, {meson_channel("pion"), meson_channel("axial_pseudoscalar")},
              {{0, 0, 0}}, lattice.queue) {}

ResidualMassMeasurement ResidualMasses::operator()(const Field& source, const Field& quark,
                                                   const Field& midpoint, const Extents& position) {
  ResidualMassMeasurement found;
  found.summed = summed_residual_mass(*lattice_.grid, source, quark, mass_, lattice_.queue);
  const Correlators c = mesons_(quark, position);
  found.pcac = pcac_mass(c[1][0], c[0][0]);
  found.pcac_plateau = plateau_.average(found.pcac);
  if (!settings_.midpoint) return found;
  found.midpoint_pion = mesons_(midpoint, position)[0][0];
  found.midpoint = residual_mass(found.midpoint_pion, c[0][0]);
  found.midpoint_plateau = plateau_.average(found.midpoint);
  return found;
}

}  // namespace plaq
