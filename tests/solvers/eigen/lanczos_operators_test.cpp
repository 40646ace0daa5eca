// The range of singular values of all kinds of operators, and their vectors, on every process grid.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/gauge/asqtad_links.hpp"
#include "solvers/eigen/singular_range.hpp"
#include "solvers/normal_operator.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/operators/staggered.hpp"
#include "tests/support/operators/wilson.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

// The smallest and the largest of sqrt(f(p)) over the momenta of the lattice.
template <class F>
std::pair<double, double> range_of(const reference::Lattice& lattice, const F& f) {
  double low = HUGE_VAL, high = 0;
  for (int n = 0; n < lattice.volume(); ++n) {
    const auto p = reference::momentum({}, lattice, lattice.coordinates(n));
    low = std::min(low, std::sqrt(f(p)));
    high = std::max(high, std::sqrt(f(p)));
  }
  return {low, high};
}

void expect_range(LinearOperator& m, const ProcessGrid& grid, const Field& start,
                  const std::pair<double, double>& exact) {
  const auto range = singular_range(m, grid, start, {.basis = 20, .accuracy = 1e-8});
  ASSERT_TRUE(range.converged()) << name_of(range.low.reason) << " " << name_of(range.high.reason);
  EXPECT_NEAR(range.smallest / exact.first, 1, 1e-8);
  EXPECT_NEAR(range.largest / exact.second, 1, 1e-8);
  EXPECT_LE(range.below, exact.first);
  EXPECT_GE(range.above, exact.second);
  EXPECT_GT(range.below, exact.first * (1 - 1e-8));
  EXPECT_LT(range.above, exact.second * (1 + 1e-8));
}

// On unit links, on several geometries.
void expect_range_on_grids(const test::OperatorProblem& p, const std::pair<double, double>& exact) {
  const auto start = test::random_vectors(p, 1);
  test::for_some_geometries(p.extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                           Location where) {
    const auto m = p.make({grid, geometry, {}, Queue(where)});
    expect_range(*m, grid, p.field(start, geometry, Subset::full, Precision::double_precision, where), exact);
  });
}

// M^dagger M: (m + sum (1 - cos p))^2 + sum sin^2 p.
TEST(UnitLinks, WilsonOperator) {
  const double mass = -1.2;
  auto p = test::make_wilson({4, 4, 2, 8}, test::Clover::none);
  p.gauge = reference::unit_gauge(p.gauge.lattice);
  p.temporal = true;
  p.ours = {};
  p.ours.mass = mass;
  expect_range_on_grids(test::wilson_operator(p),
                        range_of(p.gauge.lattice, [&](const std::array<double, 4>& k) {
                          double first = mass, second = 0;
                          for (const double one : k) {
                            first += 1 - std::cos(one);
                            second += std::sin(one) * std::sin(one);
                          }
                          return first * first + second;
                        }));
}

// Color vectors: M^dagger M of M = m + D/2 is m^2 + sum sin^2 p.
TEST(UnitLinks, StaggeredOperator) {
  auto p = test::make_staggered({4, 4, 2, 6}, false, {1, 1, 1, -1});
  test::set_mass(p, 0.3);
  p.links.near = reference::unit_gauge(p.links.near.lattice);
  expect_range_on_grids(test::staggered_operator(p),
                        range_of(p.links.near.lattice, [](const std::array<double, 4>& k) {
                          double sum = 0.3 * 0.3;
                          for (const double one : k) sum += std::sin(one) * std::sin(one);
                          return sum;
                        }));
}

// Links and operator together: sin p becomes 9/8 sin p - 1/24 sin 3p.
TEST(UnitLinks, AsqtadOperator) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 6, 4, 8};
  const reference::Lattice lattice{extents};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry(extents);
  const auto exact = range_of(lattice, [&](const std::array<double, 4>& k) {
    double sum = 0.3 * 0.3;
    for (const double one : k) sum += std::pow(9.0 / 8 * std::sin(one) - std::sin(3 * one) / 24, 2);
    return sum;
  });
  reference::Generator generator(3);
  const std::vector<reference::ColorField> start{reference::random_colors(lattice, generator)};
  const auto unit = reference::transformed(reference::unit_gauge(lattice),
                                           reference::random_transformation(lattice, generator));
  for (const Location where : test::locations()) {
    const Queue queue(where);
    const auto transport = make_host_transport(self, where);
    const auto links = asqtad_links(self, test::to_plaq(unit, geometry, Precision::double_precision, where),
                                    asqtad_coefficients(1), Precision::double_precision, queue, transport);
    StaggeredParameters parameters;
    parameters.mass = 0.3;
    parameters.naik = links.coefficients.naik;
    StaggeredOperator m(std::make_shared<StaggeredHopping>(self, links.fat, links.three, parameters,
                                                           LinkStorage(), queue, transport));
    expect_range(m, self, test::to_plaq(start, geometry, Subset::full, Precision::double_precision, where),
                 exact);
  }
}

// Five dimensions: values, bounds and vectors are those of one rank, and v is an eigenvector by the slow
// reference.
TEST(FiveDimensions, DomainWallOperator) {
  const Extents extents{4, 2, 4, 4};
  constexpr int n_s = 6;
  const auto p = test::make_wall_problem(extents, test::Wall::moebius, n_s, 1, 0.3);
  std::vector<double> values;
  int visited = 0;
  test::for_some_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                         Location where) {
    const int n = visited++;  // of several ranks each grid either plain or with forced partitions
    if (grid.size() > 1 && test::locations().size() == 1 && (n + n / 2) % 2 == 1) return;
    DomainWallOperator m(test::make_hopping(p, {grid, geometry, {}, Queue(where)}), p.ours, 1);
    NormalOperator normal(m, 1);
    const Field start =
        test::five_to_plaq(p, p.in, geometry, Subset::full, Precision::double_precision, where);
    LanczosParameters parameters;
    parameters.values = 2;
    parameters.tolerance = 1e-9;
    parameters.filter_degree = 8;
    Lanczos lanczos(normal, grid, 20);
    const auto report = lanczos.run(start, parameters);
    ASSERT_TRUE(report.converged()) << name_of(report.reason);
    if (where != Location::host) return;
    if (values.empty()) values = report.values;
    EXPECT_EQ(report.values, values);
    if (grid.size() > 1) return;
    const auto v = test::to_reference<reference::SpinorField>(lanczos.vector(0))[0];
    auto r = reference::domain_wall_dagger(p.theirs, p.gauge, reference::domain_wall(p.theirs, p.gauge, v));
    reference::add(r, -report.values[0], v);
    EXPECT_NEAR(reference::norm_squared(v), 1, 1e-10);
    EXPECT_NEAR(std::sqrt(reference::norm_squared(r)), report.bounds[0], 1e-11);
  });
}

}  // namespace
}  // namespace plaq
