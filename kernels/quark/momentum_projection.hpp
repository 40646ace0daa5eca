// Sums over space of site densities: C(p, t) = sum_x exp(-i p (x - x_source)) density(x, t).
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "kernels/quark/momentum.hpp"

namespace plaq {

class MomentumProjection {
 public:
  // The grid must outlive this object; `geometry` is without halo. `half`: 1 in directions where momenta are
  // 2 pi (n + 1/2) / L, those of antiperiodic fields; sources are at 0 there.
  MomentumProjection(const ProcessGrid& grid, GeometryPtr geometry, std::vector<Momentum> momenta,
                     const Queue& queue, const std::array<int, 3>& half = {0, 0, 0});

  // Memory at the queue's location: the phases, kept; densities; and the sums, while a projection is made.
  static std::size_t phase_bytes(const Geometry& geometry, int momenta);
  static FieldSpec density_spec(int channels, Location location) {
    return {Subset::full, 1, 1, channels, Precision::double_precision, location};
  }
  static int sums(const Geometry& geometry, int channels, int momenta) {
    return 2 * geometry.global()[3] * channels * momenta;
  }

  const GeometryPtr& geometry() const { return geometry_; }
  const Queue& queue() const { return queue_; }
  const std::vector<Momentum>& momenta() const { return momenta_; }
  // A field for `channels` densities.
  Field make_density(int channels) const;

  // Collective, waits for the queue. Subfields of `density` are channels. The sums are exact, over sites and
  // ranks: the same bits on any process grid. Throws Error(internal) where `source` is outside the lattice.
  Correlators operator()(const Field& density, const Extents& source) const;

 private:
  const ProcessGrid* grid_;
  GeometryPtr geometry_;
  std::vector<Momentum> momenta_;
  std::array<int, 3> half_;
  Queue queue_;
  int stride_ = 0;  // of the table of phases, see PhaseTable
  Buffer phases_;
};

// Multiplies spinors in double precision by exp(i p (x - source)), p = 2 pi n / L, as a sink of momentum p
// needs it. `source` is the site from which phases count. Waits for the queue; not collective.
void multiply_by_plane_wave(Field& field, const Momentum& n, const Extents& source, const Queue& queue);

// Throws an internal error unless the field is a full propagator on `like`'s geometry: a column for each of
// its 3 `spins` components, `spins` 4 or 1 of staggered quarks, double or single. Single is converted:
// contractions are made in double.
Field as_double_propagator(const Field& propagator, const Geometry& like, Location location, int spins = 4);

}  // namespace plaq
