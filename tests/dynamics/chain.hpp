// Lattices, chains and means for tests of molecular dynamics.
#pragma once

#include "dynamics/check/md_check.hpp"
#include "dynamics/trajectory/hybrid_monte_carlo.hpp"
#include "kernels/gauge/momenta.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/support/blocked_mean.hpp"

namespace plaq::test {

inline SharedLattice shared_lattice(const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
  return {std::shared_ptr<const ProcessGrid>(std::shared_ptr<void>(), &grid), geometry, Queue(location),
          make_host_transport(grid, location)};
}

// One rank that has the whole lattice.
struct LatticeAlone {
  ProcessGrid grid{MPI_COMM_SELF, {1, 1, 1, 1}};
  GeometryPtr geometry;
  SharedLattice lattice;

  explicit LatticeAlone(const Extents& extents, Location location = Location::host)
      : geometry(grid.geometry(extents)), lattice(shared_lattice(grid, geometry, location)) {}
  Field weak_links(double strength, unsigned seed = 3) const {
    reference::Generator generator(seed);
    return to_plaq(reference::weak_gauge({geometry->global()}, generator, strength), geometry,
                   Precision::double_precision, lattice.location());
  }
};

// The force of a monomial along a random direction against differences of its value.
inline void expect_derivative(const LatticeAlone& alone, Monomial& monomial, const Field& links,
                              double tolerance) {
  EXPECT_NEAR(force_deviation(alone.lattice, monomial, links), 0, tolerance);
}

}  // namespace plaq::test
