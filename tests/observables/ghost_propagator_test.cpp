// The ghost propagator: 1/p^2 on unit links, and the inverse of a dense matrix on others.
#include "observables/gluon/ghost_propagator.hpp"

#include <gtest/gtest.h>

#include "tests/reference/dense.hpp"
#include "tests/reference/gluon.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/shared_lattice.hpp"

namespace plaq {
namespace {

namespace reference = plaq::reference;
namespace test = plaq::test;

double ghost_at(const Momentum4& n, const reference::GaugeField& links, const ProcessGrid& grid,
                const GeometryPtr& g, Location location, const GhostSettings& settings = {}) {
  const Field gauge = test::to_plaq(links, g, Precision::double_precision, location);
  GhostPropagator ghost(test::lattice_on(grid, g, location), gauge, settings);
  const GhostPoint point = ghost(n, "field");
  EXPECT_LE(point.true_residual, settings.tolerance);
  return point.propagator;
}

TEST(GhostPropagator, TreeLevelOnUnitLinks) {
  const Extents extents{4, 6, 2, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const auto unit = reference::unit_gauge({extents});
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    for (const Momentum4& n : {Momentum4{1, 0, 0, 0}, Momentum4{2, -1, 1, 1}})
      EXPECT_NEAR(ghost_at(n, unit, grid, g, location) * momentum_squared(n, extents), 1, 1e-14);
  });
}

// (P M P + 1 - P)^-1 between plane waves; real and imaginary parts of exp(i p x) one by one.
double dense_ghost(const Momentum4& n, const reference::GaugeField& links) {
  const reference::Lattice& lattice = links.lattice;
  const int sites = lattice.volume(), size = 8 * sites;
  reference::Dense<double> m(size);
  for (int j = 0; j < size; ++j) {
    reference::AdjointField w(static_cast<std::size_t>(sites));
    w[static_cast<std::size_t>(j / 8)][static_cast<std::size_t>(j % 8)] = 1;
    const auto column =
        reference::without_constant(reference::faddeev_popov(links, reference::without_constant(w)));
    const auto varying = reference::without_constant(w);
    for (int i = 0; i < size; ++i) {
      const auto x = static_cast<std::size_t>(i / 8), a = static_cast<std::size_t>(i % 8);
      m(i, j) = column[x][a] + w[x][a] - varying[x][a];
    }
  }
  const auto inverse = m.inverse();
  const auto p = lattice.momentum({1, 1, 1, 1}, n);
  double sum = 0;
  for (int x = 0; x < sites; ++x)
    for (int y = 0; y < sites; ++y)
      for (int a = 0; a < 8; ++a)
        sum += std::cos(lattice.angle(p, x) - lattice.angle(p, y)) * inverse(8 * x + a, 8 * y + a);
  return sum / (8 * sites);
}

TEST(GhostPropagator, InvertsTheDenseMatrix) {
  const Extents extents{2, 4, 2, 2};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid of this many ranks";
  reference::Generator generator(61);
  const auto links = reference::weak_gauge({extents}, generator, 0.1);
  const Momentum4 n{1, 1, 0, 1};
  const double expected = test::from_first_rank([&] { return std::vector{dense_ghost(n, links)}; })[0];
  EXPECT_GT(std::abs(expected * momentum_squared(n, extents) - 1), 1e-3);  // links matter
  test::for_all_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location l) {
        const double found = ghost_at(n, links, grid, g, l);
        EXPECT_NEAR(found, expected, 1e-9);
        return found;
      }));
}

TEST(GhostPropagator, SaysWhyASolveFailed) {
  const Extents extents{2, 4, 2, 2};
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  reference::Generator generator(62);
  const auto ghost = [&](const reference::GaugeField& links, const GhostSettings& settings) {
    return test::error_of(ErrorKind::not_converged, [&] {
      ghost_at({1, 0, 0, 0}, links, self, self.geometry(extents), Location::host, settings);
    });
  };
  GhostSettings few;
  few.max_iterations = 2;
  EXPECT_NE(ghost(reference::weak_gauge({extents}, generator, 0.1), few).find("n = (1, 0, 0, 0)"),
            std::string::npos);
  // A field that is no maximum of the functional.
  EXPECT_NE(ghost(reference::random_gauge({extents}, generator), {}).find("negative eigenvalue"),
            std::string::npos);
}

}  // namespace
}  // namespace plaq
