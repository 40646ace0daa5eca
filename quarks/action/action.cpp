#include "quarks/action/action.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/system/error.hpp"
#include "io/gauge/link_sum.hpp"
#include "kernels/gauge/link_copies.hpp"

namespace plaq {

FermionLinks fermion_links(const SharedLattice& lattice, Field& gauge, const ActionSmearing& smearing) {
  FermionLinks links{lattice.grid.get(), {}, lattice.queue, lattice.transport};
  if (smearing.links.smears() && smearing.thin_clover)
    links.clover_links = links_without_halo(lattice, gauge);
  smear_links(lattice, gauge, smearing.links);
  links.gauge = links_without_halo(lattice, gauge);
  return links;
}

std::optional<HeaderEntry> clover_links_entry(const FermionLinks& links) {
  if (!links.clover_links) return std::nullopt;
  return HeaderEntry{clover_links_key, checksum_of_any_links(*links.grid, links.clover_links).text()};
}

FreeQuark free_quark_of(const std::array<double, 4>& k,
                        const std::function<std::complex<double>(std::complex<double>)>& propagator) {
  FreeQuark quark{k};
  const double length = std::max(std::sqrt(quark.k_squared()), tiny_momentum);
  const std::complex<double> s = propagator({0, length});
  quark.vector = -s.imag() / length;
  quark.scalar = s.real();
  return quark;
}

std::string Action::no_multigrid() const {
  return fmt::format("multigrid is for Wilson, clover and domain-wall quarks, not for {} ones", name());
}

FieldSpec Action::quark_spec(int batch, Location location) const {
  FieldSpec spec = spinor_spec(Subset::full, batch, Precision::double_precision, location);
  spec.spins = spins();
  return spec;
}

FieldSpec Action::full_spec(int batch, Location location) const {
  FieldSpec spec = quark_spec(batch * Ls(), location);
  spec.Ls = Ls();
  return spec;
}

SpectralBounds Action::measure_bounds(const FermionLinks&) const {
  require(false, "spectral bounds of quarks that need none");
  return {};
}

ActionPtr Action::within(const SpectralBounds&) const {
  require(false, "spectral bounds for quarks that need none");
  return {};
}

}  // namespace plaq
