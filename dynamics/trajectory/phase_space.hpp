// Links and momenta of a chain: the point in phase space that molecular dynamics moves.
#pragma once

#include <cstdint>

#include "comms/halo/extended_halo.hpp"
#include "comms/start/shared_lattice.hpp"
#include "core/field/field.hpp"

namespace plaq {

/// Both are in double precision on the geometry of the lattice, extended by `halo_depth` where directions are
/// split. The halo of the links is filled after every function. All functions are collective.
class PhaseSpace {
 public:
  /// Links are those of `gauge` (18 reals, any precision and location, with or without halo).
  PhaseSpace(const SharedLattice& lattice, const Field& gauge, int halo_depth);

  const SharedLattice& lattice() const { return lattice_; }
  const Field& links() const { return links_; }
  const Field& momenta() const { return momenta_; }

  /// Normal momenta as seed and trajectory give them.
  void draw_momenta(std::uint64_t seed, std::uint32_t trajectory);
  /// K(P) = sum over links of -tr P^2.
  double kinetic_energy() const;
  /// U <- exp(step P) U
  void drift(double step);
  /// U <- exp(step X) U for an element X of the Lie algebra for each link.
  void drift_along(const Field& x, double step);
  /// P <- P - step F
  void kick(const Field& force, double step);
  /// P <- -P
  void reverse();
  /// Back to SU(3), what rounding took away.
  void reunitarize();
  /// Takes links or momenta of another field of the same kind or without halo.
  void set_links(const Field& links);
  void set_momenta(const Field& momenta);

 private:
  SharedLattice lattice_;
  Field links_, momenta_;
  ExtendedHalo halo_;
};

}  // namespace plaq
