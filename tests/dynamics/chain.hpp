// Lattices, chains and means for tests of molecular dynamics.
#pragma once

#include <cmath>
#include <vector>

#include "dynamics/trajectory/hybrid_monte_carlo.hpp"
#include "kernels/gauge/momenta.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"

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

// Mean of numbers with its error from blocks of 10.
struct BlockedMean {
  std::vector<double> values;
  void add(double value) { values.push_back(value); }
  double mean() const {
    double sum = 0;
    for (const double v : values) sum += v;
    return sum / static_cast<double>(values.size());
  }
  double error() const {
    constexpr std::size_t size = 10;
    const std::size_t blocks = values.size() / size;
    double squares = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      double block = 0;
      for (std::size_t k = 0; k < size; ++k) block += values[b * size + k];
      squares += std::pow(block / size - mean(), 2);
    }
    return std::sqrt(squares / static_cast<double>(blocks * (blocks - 1)));
  }
};

// Central difference of eighth order of f at 0.
template <class F>
double central_difference(const F& f, double h) {
  const double c[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double sum = 0;
  for (int k = 1; k <= 4; ++k) sum += c[k - 1] / h * (f(k * h) - f(-k * h));
  return sum;
}

// 2 sum of -tr(T F) for elements of the Lie algebra: K(T + F) - K(T) - K(F).
inline double along(const ProcessGrid& grid, const Field& t, const Field& f, const Queue& queue) {
  Field sum(t.geometry_ptr(), t.spec());
  copy(sum, t);
  kick(sum, f, -1, queue);
  return kinetic_energy(grid, sum, queue) - kinetic_energy(grid, t, queue) - kinetic_energy(grid, f, queue);
}

// The force of a monomial along a random direction against differences of its value.
inline void expect_derivative(const LatticeAlone& alone, Monomial& monomial, const Field& links,
                              double tolerance) {
  PhaseSpace space(alone.lattice, links, monomial.halo_depth());
  Field direction(space.momenta().geometry_ptr(), space.momenta().spec()),
      force(direction.geometry_ptr(), direction.spec());
  draw_momenta(direction, 9, 2, alone.lattice.queue);
  monomial.force(force, space.links());
  const double predicted = along(alone.grid, direction, force, alone.lattice.queue);
  const double difference = central_difference(
      [&](double e) {
        space.set_links(links);
        space.drift_along(direction, e);
        return monomial.value(space.links());
      },
      8e-3);
  EXPECT_NEAR(predicted / difference, 1, tolerance);
}

}  // namespace plaq::test
