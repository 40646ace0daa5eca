// Symanzik and Zeuthen flow, and adaptive steps, against the slow reference and fields that are known.
#include <bit>
#include <cmath>
#include <numbers>

#include "core/system/error.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/flow_scales.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "kernels/gauge/gradient_flow.hpp"
#include "kernels/gauge/momenta.hpp"
#include "kernels/gauge/observables.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/reference/flow.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/world.hpp"

namespace plaq::improved_flow_test {
namespace {

using reference::FlowKind;
using reference::GaugeField;
using test::both_precisions;
using test::distance;
using test::to_plaq;
constexpr auto wide = Precision::double_precision;
constexpr FlowAction all_actions[] = {FlowAction::wilson, FlowAction::symanzik, FlowAction::zeuthen};
constexpr FlowAction improved_actions[] = {FlowAction::symanzik, FlowAction::zeuthen};

FlowKind kind_of(FlowAction action) {
  return action == FlowAction::wilson     ? FlowKind::wilson
         : action == FlowAction::symanzik ? FlowKind::symanzik
                                          : FlowKind::zeuthen;
}

template <class Test>
void for_all_grids(const Extents& extents, FlowAction action, Test&& test) {
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    if (grid.size() == 1 || g->decomposition().forced == 0)
      test(grid, g->extended(flow_halo_depth(action)), location);
  });
}

// This rank alone, the lattice in one piece.
class Alone {
 public:
  explicit Alone(const GaugeField& gauge, FlowAction action, Location location = Location::host)
      : grid_(MPI_COMM_SELF, {1, 1, 1, 1}),
        queue_(location),
        field_(to_plaq(gauge, grid_.geometry(gauge.lattice.extents), wide, location)),
        flow_(grid_, field_, make_host_transport(grid_, location), action) {}
  Alone& flow(double epsilon, int steps) {
    for (int n = 0; n < steps; ++n) flow_.step(field_, epsilon, queue_);
    queue_.synchronize();
    return *this;
  }
  double step_with_error(double epsilon) { return flow_.step_with_error(field_, epsilon, queue_); }
  void flow_for(double length, AdaptiveStep& adaptive) { flow_.flow_for(field_, length, adaptive, queue_); }
  std::vector<FlowPoint> run(const FlowRun& run) { return flow_.run(field_, run, queue_); }
  double action(const LoopWeights& weights) const { return gauge_action(grid_, field_, weights, queue_); }
  // Sum over links of -tr F^2 of the force.
  double force_square(const LoopWeights& weights) const {
    Field force(field_.geometry_ptr(), algebra_spec(wide, field_.location()));
    gauge_force(force, field_, weights, queue_);
    return kinetic_energy(grid_, force, queue_);
  }
  const Field& field() const { return field_; }
  GaugeField links() const { return test::to_reference(field_); }

 private:
  ProcessGrid grid_;
  Queue queue_;
  Field field_;
  GradientFlow flow_;
};

double root_of_squares(const GaugeField& a, const GaugeField& b) {
  double square = 0;
  for (std::size_t x = 0; x < a.link.size(); ++x)
    for (std::size_t mu = 0; mu < 4; ++mu)
      square += std::pow(reference::max_difference(a.link[x][mu], b.link[x][mu]), 2);
  return std::sqrt(square);
}

class ImprovedFlow : public testing::TestWithParam<Extents> {};

TEST_P(ImprovedFlow, StepMatchesTheReference) {
  reference::Generator generator(41);
  const auto gauge = reference::random_gauge({GetParam()}, generator);
  for (const FlowAction action : improved_actions) {
    const auto once = test::links_from_first_rank(
                   gauge.lattice, [&] { return reference::flow_step(gauge, 0.03, kind_of(action)); }),
               twice = test::links_from_first_rank(
                   gauge.lattice, [&] { return reference::flow_step(once, 0.02, kind_of(action)); });
    for_all_grids(GetParam(), action,
                  [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
                    for (const Precision precision : both_precisions) {
                      const bool single = precision == Precision::single_precision;
                      const Queue queue(location);
                      Field field = to_plaq(gauge, geometry, precision, location);
                      GradientFlow flow(grid, field, make_host_transport(grid, location), action);
                      flow.step(field, 0.03, queue);
                      EXPECT_LT(distance(field, once), single ? 4e-6 : 8e-15);
                      flow.step_with_error(field, 0.02, queue);
                      EXPECT_LT(distance(field, twice), single ? 8e-6 : 16e-15);
                    }
                  });
  }
}

TEST_P(ImprovedFlow, HasTheSameBitsOnAnyGrid) {
  reference::Generator generator(42);
  const auto gauge = reference::random_gauge({GetParam()}, generator);
  for (const FlowAction action : all_actions)
    for (const Precision precision : both_precisions)
      for (const bool adapts : {false, true}) {
        const auto same = test::same_as_alone(
            GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
              Field field = to_plaq(gauge, geometry, precision, location);
              FlowRun run{0.03, 0.1, 2, action, {}};
              if (adapts) run.tolerance = 3e-3;
              const auto points = GradientFlow(grid, field, make_host_transport(grid, location), action)
                                      .run(field, run, Queue(location));
              EXPECT_EQ(points.size(), 3u);
              std::vector<std::uint64_t> all{test::fingerprint(field, grid)};
              for (const auto& p : points)
                for (const double value : {p.t, p.plaquette_energy, p.clover_energy, p.topological_charge})
                  all.push_back(std::bit_cast<std::uint64_t>(value));
              return all;
            });
        for_all_grids(GetParam(), action, same);
      }
}

INSTANTIATE_TEST_SUITE_P(Extents, ImprovedFlow, testing::Values(Extents{4, 4, 4, 4}, Extents{6, 2, 4, 8}),
                         [](const auto& info) { return to_string(info.param); });

TEST(ImprovedFlowOfAField, TurnsWithTheGauge) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const reference::Lattice lattice{{4, 6, 2, 4}};
  reference::Generator generator(43);
  const auto gauge = reference::weak_gauge(lattice, generator, 0.5);
  const auto g = reference::random_transformation(lattice, generator);
  for (const Location location : test::locations())
    for (const FlowAction action : improved_actions) {
      Alone one(gauge, action, location), other(reference::transformed(gauge, g), action, location);
      one.flow(0.02, 10);
      other.flow(0.02, 10);
      EXPECT_GT(distance(one.field(), gauge), 0.1);
      EXPECT_LT(distance(other.field(), reference::transformed(one.links(), g)), 4e-14);
    }
}

// Errors at a fixed flow time fall by eight for each halving of the step, and so does the estimate of one
// step's error.
TEST(ImprovedFlowOfAField, IsOfThirdOrder) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  reference::Generator generator(44);
  const auto gauge = reference::weak_gauge({{4, 4, 4, 4}}, generator, 0.4);
  for (const FlowAction action : improved_actions) {
    const auto flowed = [&](int steps) { return Alone(gauge, action).flow(0.16 / steps, steps).links(); };
    const auto exact = flowed(128);
    double errors[3], estimates[3];
    for (int k = 0; k < 3; ++k) {
      errors[k] = root_of_squares(flowed(8 << k), exact);
      estimates[k] = Alone(gauge, action).step_with_error(0.01 / (1 << k));
    }
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(errors[k] / errors[k + 1], 8, k == 0 ? 1.0 : 0.5) << k;
      EXPECT_NEAR(estimates[k] / estimates[k + 1], 8, k == 0 ? 1.0 : 0.5) << k;
    }
  }
}

TEST(ImprovedFlowOfAField, GoesBackTheWayItCame) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  reference::Generator generator(45);
  const auto gauge = reference::weak_gauge({{4, 2, 4, 4}}, generator, 0.3);
  for (const FlowAction action : improved_actions) {
    Alone lattice(gauge, action);
    lattice.flow(0.01, 5);
    EXPECT_GT(distance(lattice.field(), gauge), 0.05);
    lattice.flow(-0.01, 5);
    EXPECT_LT(distance(lattice.field(), gauge), 3e-5);
  }
}

// The Symanzik flow goes down its action as fast as the force says: dS/dt = -2 <A, F> with A = 6 F.
TEST(ImprovedFlowOfAField, ActionFallsByTheSquareOfTheForce) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  reference::Generator generator(46);
  const auto gauge = reference::random_gauge({{4, 4, 6, 4}}, generator);
  const LoopWeights weights = rectangle_gauge_action(1, symanzik_c1);
  const double e = 1e-3;
  const double found = (Alone(gauge, FlowAction::symanzik).flow(e, 1).action(weights) -
                        Alone(gauge, FlowAction::symanzik).flow(-e, 1).action(weights)) /
                       (2 * e);
  const double slope = -12 * Alone(gauge, FlowAction::symanzik).force_square(weights);
  EXPECT_NEAR(found / slope, 1, 1e-4);
  for (const FlowAction action : improved_actions) {
    Alone lattice(gauge, action);
    double last = lattice.action(weights);
    for (int n = 0; n < 30; ++n) {
      const double now = lattice.flow(0.05, 1).action(weights);
      EXPECT_LT(now, last) << n;
      last = now;
    }
  }
}

// A weak plane wave p = (k, k, 0, 0) with transverse links in x and y. Its rate of decay is
//   2 s,   2 s (1 + s/6),   2 s (1 + s/6) (1 - s/12),   s = 4 sin^2(k/2),
// with the Wilson, Symanzik and Zeuthen flow. The last one is 2 k^2 (1 - k^4/40): no O(a^2) in the flow.
TEST(ImprovedFlowOfAField, DampsAPlaneWave) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const reference::Lattice lattice{{16, 16, 4, 4}};
  const double k = 2 * std::numbers::pi / 16, s = std::pow(2 * std::sin(k / 2), 2), amplitude = 1e-4;
  const auto wave = [&](int x, int mu) {
    const auto c = lattice.coordinates(x);
    return (mu == 0 ? 1 : -1) * std::cos(k * (c[0] + c[1] + 0.5));
  };
  GaugeField gauge = reference::unit_gauge(lattice);
  for (int x = 0; x < lattice.volume(); ++x)
    for (int mu = 0; mu < 2; ++mu) {
      const double phase = amplitude * wave(x, mu);
      gauge.link[static_cast<std::size_t>(x)][static_cast<std::size_t>(mu)](0, 0) = std::polar(1.0, phase);
      gauge.link[static_cast<std::size_t>(x)][static_cast<std::size_t>(mu)](1, 1) = std::polar(1.0, -phase);
    }
  const auto rate = [&](FlowAction action) {
    const double t = 0.4;
    const auto end = Alone(gauge, action).flow(t / 20, 20).links();
    double along = 0, square = 0;
    for (int x = 0; x < lattice.volume(); ++x)
      for (int mu = 0; mu < 2; ++mu) {
        const auto u = end.link[static_cast<std::size_t>(x)][static_cast<std::size_t>(mu)](0, 0);
        along += std::arg(u) * wave(x, mu);
        square += std::pow(wave(x, mu), 2);
      }
    return -std::log(along / (amplitude * square)) / t;
  };
  EXPECT_NEAR(rate(FlowAction::wilson), 2 * s, 1e-7);
  EXPECT_NEAR(rate(FlowAction::symanzik), 2 * s * (1 + s / 6), 1e-7);
  EXPECT_NEAR(rate(FlowAction::zeuthen), 2 * s * (1 + s / 6) * (1 - s / 12), 1e-7);
  const auto off = [&](FlowAction action) { return std::abs(rate(action) / (2 * k * k) - 1); };
  EXPECT_GT(off(FlowAction::wilson), 0.01);
  EXPECT_GT(off(FlowAction::symanzik), 0.01);
  EXPECT_NEAR(off(FlowAction::zeuthen) / (std::pow(k, 4) / 40), 1, 0.05);
}

TEST(AdaptiveFlow, EstimateIsTheDistanceFromTheSecondOrderStep) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  reference::Generator generator(47);
  const auto gauge = reference::random_gauge({{4, 4, 2, 4}}, generator);
  for (const Location location : test::locations())
    for (const FlowAction action : all_actions) {
      const auto third = reference::flow_step(gauge, 0.05, kind_of(action)),
                 second = reference::second_order_flow_step(gauge, 0.05, kind_of(action));
      double largest = 0;
      for (std::size_t x = 0; x < third.link.size(); ++x)
        for (std::size_t mu = 0; mu < 4; ++mu) {
          const auto d = third.link[x][mu] - second.link[x][mu];
          largest = std::max(largest, std::sqrt(trace(d * dagger(d)).real()));
        }
      EXPECT_GT(largest, 1e-3);
      EXPECT_NEAR(Alone(gauge, action, location).step_with_error(0.05), largest, 1e-13);
    }
}

TEST(AdaptiveFlow, MeasuresAtTheTimesOfFixedStepsToItsTolerance) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  reference::Generator generator(48);
  const auto gauge = reference::weak_gauge({{4, 4, 4, 4}}, generator, 0.45);
  for (const FlowAction action : all_actions) {
    const FlowRun fixed{0.02, 1.3, 5, action, {}};
    FlowRun fine = fixed, adaptive = fixed, rough = fixed;
    fine.step = 0.005, fine.measure_interval = 20;
    adaptive.tolerance = 1e-6;
    rough.tolerance = 1e-4;
    const auto exact = Alone(gauge, action).run(fine), found = Alone(gauge, action).run(adaptive),
               coarse = Alone(gauge, action).run(rough), usual = Alone(gauge, action).run(fixed);
    ASSERT_EQ(found.size(), usual.size());
    ASSERT_EQ(found.size(), exact.size());
    double off = 0, rough_off = 0;
    for (std::size_t n = 0; n < found.size(); ++n) {
      EXPECT_EQ(found[n].t, usual[n].t);
      off = std::max(off, std::abs(found[n].clover_energy / exact[n].clover_energy - 1));
      rough_off = std::max(rough_off, std::abs(coarse[n].clover_energy / exact[n].clover_energy - 1));
    }
    EXPECT_LT(off, 1e-5);
    EXPECT_LT(rough_off, 1e-3);
    EXPECT_LT(off, rough_off);
    std::vector<double> t, energies[2];
    for (std::size_t n = 0; n < found.size(); ++n) {
      t.push_back(found[n].t);
      energies[0].push_back(found[n].clover_energy);
      energies[1].push_back(exact[n].clover_energy);
    }
    const double target = 0.5 * t.back() * t.back() * energies[1].back();
    const auto t0 = find_t0(t, energies[0], target), expected = find_t0(t, energies[1], target);
    ASSERT_TRUE(t0 && expected);
    EXPECT_NEAR(*t0 / *expected, 1, 1e-5);
  }
}

// Steps grow as the field becomes smooth, a first step that is too long is repeated, and no step has a larger
// error than the tolerance.
TEST(AdaptiveFlow, AdaptsItsSteps) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  reference::Generator generator(49);
  const auto gauge = reference::weak_gauge({{4, 4, 4, 4}}, generator, 0.45);
  for (const FlowAction action : all_actions) {
    Alone lattice(gauge, action);
    AdaptiveStep adaptive{0.09, 1e-5};
    lattice.flow_for(0.05, adaptive);
    EXPECT_GT(adaptive.repeated, 0);
    EXPECT_LE(adaptive.error, 1e-5);
    const auto early = adaptive;
    EXPECT_LT(early.step, 0.03);
    lattice.flow_for(2, adaptive);
    EXPECT_GT(adaptive.step, 1.5 * early.step);
    EXPECT_LT(adaptive.taken, 2.05 / early.step);
    EXPECT_LE(adaptive.error, 1e-5);
  }
  Alone lattice(reference::unit_gauge({{4, 4, 4, 4}}), FlowAction::wilson);
  AdaptiveStep adaptive{0.01, 1e-6};
  lattice.flow_for(4, adaptive);  // nothing moves: steps grow to the longest stable one
  EXPECT_EQ(adaptive.repeated, 0);
  EXPECT_LT(adaptive.taken, 40);
}

TEST(AdaptiveFlow, EndsWhereItsToleranceIsOutOfReach) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  auto gauge = reference::unit_gauge({{4, 4, 4, 4}});
  gauge.link[5][1](0, 0) = NAN;
  Alone lattice(gauge, FlowAction::symanzik);
  test::expect_error(ErrorKind::not_converged, "does not reach its tolerance", [&] {
    lattice.run({0.02, 0.1, 1, FlowAction::symanzik, 1e-6});
  });
}

TEST(ImprovedFlowOfAField, RefusesAHaloThatIsTooShallow) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const Field shallow(self.geometry({4, 4, 4, 4}, 15)->extended(1), gauge_spec(wide, Location::host));
  test::expect_error(ErrorKind::internal, "halo", [&] {
    GradientFlow(self, shallow, make_host_transport(self, Location::host), FlowAction::zeuthen);
  });
}

}  // namespace
}  // namespace plaq::improved_flow_test
