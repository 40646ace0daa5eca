// The Wilson flow and what is measured along it, against the slow reference and fields that are known.
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/system/error.hpp"
#include "kernels/gauge/gradient_flow.hpp"
#include "kernels/gauge/observables.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/reference/flow.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using reference::GaugeField;
using test::both_precisions;
using test::distance;
using test::for_all_grids;
using test::to_plaq;

FlowPoint expected_point(const GaugeField& gauge) {
  return {0, reference::plaquette_energy(gauge), reference::clover_energy(gauge),
          reference::topological_charge(gauge)};
}

void expect_near(const FlowPoint& found, const FlowPoint& expected, double tolerance) {
  EXPECT_NEAR(found.plaquette_energy, expected.plaquette_energy, tolerance);
  EXPECT_NEAR(found.clover_energy, expected.clover_energy, tolerance);
  EXPECT_NEAR(found.topological_charge, expected.topological_charge, tolerance);
}

// This rank alone, the lattice in one piece.
class Alone {
 public:
  explicit Alone(const GaugeField& gauge, Location location = Location::host)
      : grid_(MPI_COMM_SELF, {1, 1, 1, 1}),
        queue_(location),
        field_(to_plaq(gauge, grid_.geometry(gauge.lattice.extents), Precision::double_precision, location)) {
  }
  FlowPoint measure() const { return measure_flow_point(grid_, field_, 0, queue_); }
  void flow(double epsilon, int steps) {
    GradientFlow flow(grid_, field_, make_host_transport(grid_, field_.location()));
    for (int n = 0; n < steps; ++n) flow.step(field_, epsilon, queue_);
    queue_.synchronize();
  }
  std::vector<FlowPoint> run(const FlowRun& run) {
    return GradientFlow(grid_, field_, make_host_transport(grid_, field_.location()))
        .run(field_, run, queue_);
  }
  const Field& field() const { return field_; }
  GaugeField links() const { return test::to_reference(field_); }

 private:
  ProcessGrid grid_;
  Queue queue_;
  Field field_;
};

class Flow : public testing::TestWithParam<Extents> {};

TEST_P(Flow, StepAndObservablesMatchTheReference) {
  reference::Generator generator(41);
  const auto gauge = reference::random_gauge({GetParam()}, generator);
  const auto step = [&](const GaugeField& from, double epsilon) {
    return test::links_from_first_rank(from.lattice, [&] { return reference::flow_step(from, epsilon); });
  };
  const auto once = step(gauge, 0.05), twice = step(once, 0.02);
  const auto start = test::from_first_rank([&] { return expected_point(gauge); }),
             end = test::from_first_rank([&] { return expected_point(twice); });
  for_all_grids(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    for (const Precision precision : both_precisions) {
      const bool single = precision == Precision::single_precision;
      const Queue queue(location);
      Field field = to_plaq(gauge, geometry, precision, location);
      expect_near(measure_flow_point(grid, field, 0, queue), start, single ? 5e-5 : 1e-12);
      GradientFlow flow(grid, field, make_host_transport(grid, field.location()));
      const auto version = field.version();
      flow.step(field, 0.05, queue);
      EXPECT_NE(field.version(), version);
      EXPECT_LT(distance(field, once), single ? 2e-6 : 4e-15);
      flow.step(field, 0.02, queue);
      EXPECT_LT(distance(field, twice), single ? 4e-6 : 8e-15);
      expect_near(measure_flow_point(grid, field, 0, queue), end, single ? 5e-5 : 1e-12);
    }
  });
}

TEST_P(Flow, HasTheSameBitsOnAnyGrid) {
  reference::Generator generator(42);
  const auto gauge = reference::random_gauge({GetParam()}, generator);
  for (const Precision precision : both_precisions)
    for_all_grids(
        GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                        Location location) {
          Field field = to_plaq(gauge, geometry, precision, location);
          const auto points = GradientFlow(grid, field, make_host_transport(grid, field.location()))
                                  .run(field, {0.03, 0.1, 2}, Queue(location));
          EXPECT_EQ(points.size(), 3u);  // t = 0, 0.06, 0.09
          std::vector<std::uint64_t> all{test::fingerprint(field, grid)};
          for (const auto& p : points)
            for (const double value : {p.t, p.plaquette_energy, p.clover_energy, p.topological_charge})
              all.push_back(std::bit_cast<std::uint64_t>(value));
          return all;
        }));
}

INSTANTIATE_TEST_SUITE_P(Extents, Flow,
                         testing::Values(Extents{4, 4, 4, 4}, Extents{6, 2, 4, 8}, Extents{8, 4, 2, 2}),
                         [](const auto& info) { return to_string(info.param); });

TEST(WilsonFlow, TurnsWithTheGaugeAndLeavesEnergiesAlone) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const reference::Lattice lattice{{4, 6, 2, 4}};
  reference::Generator generator(43);
  const auto gauge = reference::weak_gauge(lattice, generator, 0.5);
  const auto g = reference::random_transformation(lattice, generator);
  for (const Location location : test::locations()) {
    Alone one(gauge, location), other(reference::transformed(gauge, g), location);
    expect_near(one.measure(), other.measure(), 2e-13);
    one.flow(0.02, 10);
    other.flow(0.02, 10);
    expect_near(one.measure(), other.measure(), 2e-13);
    EXPECT_LT(distance(other.field(), reference::transformed(one.links(), g)), 2e-14);
  }
}

// Errors at a fixed flow time fall by eight for each halving of the step.
TEST(WilsonFlow, IsOfThirdOrder) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  reference::Generator generator(44);
  const auto gauge = reference::weak_gauge({{4, 4, 4, 4}}, generator, 0.4);
  auto flowed = [&](double epsilon) {
    Alone lattice(gauge);
    lattice.flow(epsilon, static_cast<int>(std::lround(0.32 / epsilon)));
    return lattice.links();
  };
  const auto exact = flowed(0.00125);
  double errors[3];
  for (int k = 0; k < 3; ++k) {
    const auto links = flowed(0.02 / (1 << k));
    double square = 0;
    for (std::size_t x = 0; x < links.link.size(); ++x)
      for (std::size_t mu = 0; mu < 4; ++mu)
        square += std::pow(reference::max_difference(links.link[x][mu], exact.link[x][mu]), 2);
    errors[k] = std::sqrt(square);
  }
  RecordProperty("ratios",
                 std::to_string(errors[0] / errors[1]) + " " + std::to_string(errors[1] / errors[2]));
  EXPECT_NEAR(errors[0] / errors[1], 8, 0.6);
  EXPECT_NEAR(errors[1] / errors[2], 8, 0.4);
}

TEST(WilsonFlow, GoesBackTheWayItCame) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  reference::Generator generator(45);
  const auto gauge = reference::weak_gauge({{4, 2, 4, 4}}, generator, 0.3);
  Alone lattice(gauge);
  lattice.flow(0.01, 5);
  EXPECT_GT(distance(lattice.field(), gauge), 0.05);
  lattice.flow(-0.01, 5);
  EXPECT_LT(distance(lattice.field(), gauge), 1e-5);
}

TEST(WilsonFlow, EnergyFallsAndLinksStayInSU3) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  reference::Generator generator(46);
  const auto gauge = reference::random_gauge({{6, 4, 4, 4}}, generator);
  for (const Location location : test::locations())
    for (const Precision precision : both_precisions) {
      const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
      const Queue queue(location);
      Field field = to_plaq(gauge, self.geometry({6, 4, 4, 4}), precision, location);
      const auto points = GradientFlow(self, field, make_host_transport(self, field.location()))
                              .run(field, {0.04, 4, 1}, queue);
      ASSERT_EQ(points.size(), 101u);
      EXPECT_NEAR(points.front().plaquette_energy, 36, 2);
      EXPECT_DOUBLE_EQ(points.back().t, 4);
      for (std::size_t n = 1; n < points.size(); ++n)
        EXPECT_LT(points[n].plaquette_energy, points[n - 1].plaquette_energy) << points[n].t;
      EXPECT_LT(points.back().plaquette_energy, 0.5);
      const double violation = unitarity_violation(self, field, queue);
      EXPECT_LT(violation, precision == Precision::double_precision ? 2e-15 : 1e-6);
      RecordProperty(std::string(name_of(location)) + std::string(name_of(precision)),
                     std::to_string(violation * 1e16));
    }
}

TEST(WilsonFlow, LeavesTorons) {
  const auto gauge = reference::toron({{4, 6, 2, 4}});
  for_all_grids(gauge.lattice.extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location l) {
    const Queue queue(l);
    Field field = to_plaq(gauge, geometry, Precision::double_precision, l);
    const auto points = GradientFlow(grid, field, make_host_transport(grid, field.location()))
                            .run(field, {0.1, 1, 10}, queue);
    EXPECT_LT(distance(field, gauge), 1e-14);
    for (const auto& p : points) expect_near(p, {}, 1e-13);
  });
}

// All plaquettes are diag(exp(i a), exp(-i a), 1) in the plane x-y, with b in z-t: stationary, and every
// energy is known. The charge is 2 n_xy n_zt up to sin(a) sin(b) / (a b).
TEST(WilsonFlow, ConstantFluxIsStationaryWithItsCharge) {
  for (const auto& [extents, n, m] :
       {std::tuple{Extents{4, 6, 4, 8}, 1, 1}, std::tuple{Extents{8, 4, 6, 4}, 1, -2},
        std::tuple{Extents{6, 6, 6, 6}, -1, -1}}) {
    const auto gauge = reference::constant_flux({extents}, n, m);
    const double a = 2 * std::numbers::pi * n / (extents[0] * extents[1]);
    const double b = 2 * std::numbers::pi * m / (extents[2] * extents[3]);
    const FlowPoint expected{0, 4 * (2 - std::cos(a) - std::cos(b)),
                             2 * (std::pow(std::sin(a), 2) + std::pow(std::sin(b), 2)),
                             2 * n * m * std::sin(a) * std::sin(b) / (a * b)};
    for_all_grids(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
      const Queue queue(location);
      Field field = to_plaq(gauge, geometry, Precision::double_precision, location);
      for (const auto& p : GradientFlow(grid, field, make_host_transport(grid, field.location()))
                               .run(field, {0.05, 0.2, 2}, queue))
        expect_near(p, expected, 1e-12);
      EXPECT_LT(distance(field, gauge), 1e-14);
    });
  }
}

// To the integer as 1/L^4: twice the extent, a sixteenth of the error.
TEST(TopologicalCharge, ConvergesToTheNumberOfFluxes) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  auto error = [](int extent) {
    return 2 - Alone(reference::constant_flux({{extent, extent, extent, extent}}, 1, 1))
                   .measure()
                   .topological_charge;
  };
  const double at4 = error(4), at8 = error(8), at12 = error(12);
  RecordProperty("errors", std::to_string(at4) + " " + std::to_string(at8) + " " + std::to_string(at12));
  EXPECT_NEAR(at4 / at8, 16, 0.5);
  EXPECT_NEAR(at8 / at12, std::pow(1.5, 4), 0.02);
  EXPECT_LT(at12, 2e-3);
}

TEST(TopologicalCharge, ChangesItsSignInAMirror) {
  reference::Generator generator(47);
  const auto gauge = reference::weak_gauge({{4, 6, 2, 4}}, generator, 0.4);
  const auto point = Alone(gauge).measure();
  EXPECT_GT(std::abs(point.topological_charge), 1e-3);
  for (int axis = 0; axis < 4; ++axis) {
    const auto mirrored = Alone(reference::reflected(gauge, axis)).measure();
    EXPECT_NEAR(mirrored.topological_charge, -point.topological_charge, 1e-12);
    EXPECT_NEAR(mirrored.clover_energy, point.clover_energy, 1e-12);
    EXPECT_NEAR(mirrored.plaquette_energy, point.plaquette_energy, 1e-12);
  }
}

TEST(FlowRun, StopsAtTheLastStepWithinAndRefusesNonsense) {
  Alone lattice(reference::unit_gauge({{2, 2, 2, 2}}));
  auto times = [&](const FlowRun& run) {
    std::vector<double> t;
    for (const auto& p : lattice.run(run)) t.push_back(p.t);
    return t;
  };
  EXPECT_EQ(times({0.1, 0.3, 1}).size(), 4u);  // 0.3 / 0.1 is below 3
  EXPECT_EQ(times({0.1, 0.35, 1}).size(), 4u);
  EXPECT_EQ(times({0.1, 0.5, 3}), (std::vector{0.0, 3 * 0.1, 5 * 0.1}));
  EXPECT_EQ(times({0.1, 0, 1}), std::vector{0.0});
  for (const FlowRun& run : {FlowRun{0, 1, 1}, FlowRun{-0.1, 1, 1}, FlowRun{0.1, -1, 1}, FlowRun{0.1, 1, 0},
                             FlowRun{NAN, 1, 1}, FlowRun{0.1, INFINITY, 1}, FlowRun{1e-300, 1, 1}})
    EXPECT_THROW(lattice.run(run), Error);
}

}  // namespace
}  // namespace plaq
