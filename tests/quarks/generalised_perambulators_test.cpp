// Generalised perambulators against solves through the current, with color vectors of any kind for modes.
#include "quarks/distillation/generalised_perambulators.hpp"

#include <gtest/gtest.h>

#include "quarks/action/wilson_action.hpp"
#include "tests/quarks/distillation_support.hpp"
#include "tests/reference/solve.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/shared_lattice.hpp"
#include "tests/support/world.hpp"

namespace plaq::distillation_test {
namespace {

// [operator][momentum], of the currents between a source and a sink.
std::vector<GeneralisedPerambulator> lines_with_currents(const reference::GaugeField& gauge,
                                                         const SliceModes& modes, const SourceAndSink& at,
                                                         const LineCurrents& currents, int together,
                                                         const ProcessGrid& grid, const GeometryPtr& g,
                                                         Location location, double tolerance) {
  const SharedLattice lattice = test::lattice_on(grid, g, location);
  const Field links = test::to_plaq(gauge, g, wide, location);
  PropagatorSolver solver({&grid, links, lattice.queue, lattice.transport}, wilson_action({.mass = mass}),
                          accurate(tolerance), columns_of_solves(4 * modes.count, together));
  std::vector<Field> solutions;
  perambulator(lattice, modes, solver, at.source, "field", false, &solutions);
  return generalised_perambulators(lattice, modes, solver, solutions, at, currents, {&links}, "field")
      .currents;
}

reference::SpinorField solved(const reference::GaugeField& gauge, const reference::SpinorField& b) {
  return reference::solve(reference::WilsonParameters{.mass = mass}, gauge, b).x;
}

TEST(GeneralisedPerambulators, AreSolvesThroughTheCurrent) {
  if (test::world_size() > 1) GTEST_SKIP() << "is of one rank";
  const reference::Lattice lattice{Extents{4, 2, 2, 4}};
  reference::Generator generator(77);
  const reference::GaugeField gauge = reference::weak_gauge(lattice, generator, 0.6);
  const Batch vectors = reference::random_spinors(lattice, 1, generator);
  const int count = 2;
  const SourceAndSink at{3, 2};  // around the lattice
  const LineCurrents currents{.operators = {"1", "x", "zx"}, .momenta = {{1, 0, -1}}};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const GeometryPtr g = self.geometry(lattice.extents);
  const auto found = lines_with_currents(gauge, modes_on(vectors, count, g, Location::host), at, currents, 4,
                                         self, g, Location::host, 1e-12);
  ASSERT_EQ(found.size(), 3u);
  reference::SpinMatrix matrix;
  for (auto& row : matrix.element)
    for (auto& number : row) number = reference::normal(generator);
  for (int j = 0; j < count; ++j) {
    const int source_spin = 1 + 2 * j;
    reference::SpinorField b = reference::zero_spinor(lattice);
    for (int site = 0; site < lattice.volume(); ++site)
      if (lattice.coordinates(site)[3] == at.source)
        b[static_cast<std::size_t>(site)][static_cast<std::size_t>(source_spin)] =
            vector_at(vectors, j, site);
    const reference::SpinorField x = solved(gauge, b);
    for (std::size_t d = 0; d < found.size(); ++d)
      for (int t = 0; t <= at.sink_time; ++t) {
        reference::SpinorField current =
            times(matrix,
                  differentiated(gauge, {x}, d == 0 ? "" : currents.operators[d], periodic_in_space).front());
        for (int site = 0; site < lattice.volume(); ++site)
          for (auto& color : current[static_cast<std::size_t>(site)])
            for (Complex& z : color)
              z *= lattice.coordinates(site)[3] == (at.source + t) % 4
                       ? wave(lattice, currents.momenta[0], site)
                       : 0.0;
        const reference::SpinorField y = solved(gauge, current);
        for (int i = 0; i < count; ++i)
          for (int s = 0; s < 4; ++s) {
            Complex expected = 0, line = 0;
            for (int site = 0; site < lattice.volume(); ++site)
              for (std::size_t c = 0; c < 3; ++c)
                if (lattice.coordinates(site)[3] == (at.source + at.sink_time) % 4)
                  expected += std::conj(vector_at(vectors, i, site)[c]) *
                              y[static_cast<std::size_t>(site)][static_cast<std::size_t>(s)][c];
            for (int a = 0; a < 4; ++a)
              for (int b_spin = 0; b_spin < 4; ++b_spin)
                line +=
                    matrix(a, b_spin) * found[d].numbers[found[d].at(t, {a, b_spin, s, source_spin}, i, j)];
            EXPECT_LT(std::abs(line - expected), 1e-9) << currents.operators[d] << " at t = " << t;
          }
      }
  }
}

TEST(GeneralisedPerambulators, HaveTheSameBitsOnEveryGridAndInAnyBatch) {
  const Extents extents{4, 2, 4, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(78);
  const reference::GaugeField gauge = reference::weak_gauge({extents}, generator, 0.4);
  const Batch vectors = reference::random_spinors({extents}, 1, generator);
  const LineCurrents currents{.operators = {"1", "yx"}, .momenta = {{0, 0, 0}, {0, 1, 1}}};
  test::for_some_geometries(
      extents,
      test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        const SliceModes modes = modes_on(vectors, 1, g, location);
        const SourceAndSink at{1, 1};
        const auto of_batch = [&](int together) {
          Numbers all;
          for (const auto& one :
               lines_with_currents(gauge, modes, at, currents, together, grid, g, location, 1e-4))
            all.insert(all.end(), one.numbers.begin(), one.numbers.end());
          return all;
        };
        const Numbers all = of_batch(4);
        EXPECT_EQ(all.size(), 4 * GeneralisedPerambulator::size(2, 1));
        EXPECT_EQ(of_batch(2), all);
        return all;
      }));
}

}  // namespace
}  // namespace plaq::distillation_test
