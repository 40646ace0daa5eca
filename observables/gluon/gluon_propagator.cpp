#include "observables/gluon/gluon_propagator.hpp"

#include <cmath>

#include "comms/start/shared_lattice.hpp"
#include "core/field/field.hpp"
#include "core/system/dry_run.hpp"
#include "kernels/gluon/gluon_transform.hpp"

namespace plaq {
namespace {

constexpr double gluon_colors = 8;

double relative_divergence(double longitudinal, double squared, double all) {
  return squared > 0 && all > 0 ? std::sqrt(longitudinal / (squared * all)) : 0;
}

// `factor`: 1/g0^2 where beta is known, since the links have g0 A.
GluonPropagator of_four_momenta(const GluonTransform& transform, const GluonMomenta& momenta, double volume,
                                double factor) {
  GluonPropagator found;
  for (const MomentumOrbit& orbit : momenta.orbits())
    for (const GluonPoint& point : transform.points(orbit, momenta.time_momenta())) {
      const auto& row = momenta.rows()[found.propagator.size()];
      const double transverse = row.is_zero() ? 4 : 3;
      found.propagator.push_back(factor * point.square / (gluon_colors * transverse * volume));
      found.divergence.push_back(relative_divergence(point.longitudinal, row.squared, point.square));
    }
  return found;
}

GluonPropagator of_equal_times(const GluonTransform& transform, const GluonMomenta& momenta, double volume,
                               double factor) {
  GluonPropagator found;
  for (const auto& row : momenta.rows()) {
    const SlicePoint point = transform.slices(momenta.orbits()[row.orbit]);
    const double transverse = row.is_zero() ? 3 : 2;
    found.propagator.push_back(factor * point.spatial / (gluon_colors * transverse * volume));
    found.temporal.push_back(factor * point.temporal / (gluon_colors * volume));
    found.divergence.push_back(relative_divergence(point.longitudinal, row.squared, point.spatial));
  }
  return found;
}

}  // namespace

GluonPropagator gluon_propagator(const SharedLattice& lattice, const Field& links,
                                 const GluonMomenta& momenta, const std::optional<double>& beta) {
  const Phase phase("gluon propagator");
  const MemoryName name("gluon field");
  const GluonTransform transform(*lattice.grid, links, lattice.queue);
  const double factor = beta ? *beta / 6 : 1.0;
  const Extents& extents = lattice.geometry->global();
  if (momenta.is_landau())
    return of_four_momenta(transform, momenta, static_cast<double>(lattice.geometry->global_volume()),
                           factor);
  return of_equal_times(transform, momenta, static_cast<double>(extents[0]) * extents[1] * extents[2],
                        factor);
}

}  // namespace plaq
