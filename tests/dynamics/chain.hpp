// Lattices, chains and means for tests of molecular dynamics.
#pragma once

#include "dynamics/check/md_check.hpp"
#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
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

// A trajectory of two flavours with a ladder of twists, and its way back.
inline TrajectoryReport ladder_trajectory(const LatticeAlone& alone, const Field& start,
                                          const WilsonParameters& parameters,
                                          const MdSolverSettings& settings) {
  const auto quark = std::make_shared<WilsonQuark>(alone.lattice, parameters, settings);
  const MonomialPtr gauge = std::make_shared<GaugeMonomial>(alone.lattice, wilson_gauge_action(5.6)),
                    heavy = std::make_shared<PairMonomial>("heavy", 0, quark, 0.3),
                    ratio = std::make_shared<PairMonomial>("ratio", 1, quark, 0.05, 0.3),
                    light = std::make_shared<PairMonomial>("light", 2, quark, 0, 0.05),
                    determinant = std::make_shared<DeterminantMonomial>("determinant", quark, 2);
  HybridMonteCarlo hmc(MolecularDynamics({{{Integrator::omelyan2, 2}, {heavy, ratio, light, determinant}},
                                          {{Integrator::omelyan2, 2}, {gauge}}},
                                         0.3),
                       1);
  PhaseSpace space(alone.lattice, start, hmc.halo_depth());
  TrajectoryOptions options;
  options.check_reversibility = true;
  return hmc.trajectory(space, 0, options);
}

// Multigrid leaves this trajectory as conjugate gradients make it.
inline void expect_trajectory_of_cg(const LatticeAlone& alone, const Field& start,
                                    const WilsonParameters& parameters, const MdSolverSettings& multigrid) {
  const auto fast = ladder_trajectory(alone, start, parameters, multigrid),
             slow = ladder_trajectory(alone, start, parameters, {.force_tolerance = 1e-10});
  ASSERT_EQ(fast.failure, "");
  ASSERT_EQ(slow.failure, "");
  EXPECT_NEAR(fast.delta_h, slow.delta_h, 1e-6);
  EXPECT_LT(fast.reversibility->links, 1e-8);
  EXPECT_LT(fast.reversibility->energy, 1e-5);
}

}  // namespace plaq::test
