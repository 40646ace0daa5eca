// Gauge actions and their forces, and the steps of molecular dynamics, against paths that are followed link
// by link, differences of the action, and numbers of other programs.
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "kernels/gauge/observables.hpp"
#include "tests/kernels/gauge/algebra_support.hpp"
#include "tests/reference/gauge_action.hpp"
#include "tests/reference/smearing.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/world.hpp"

namespace plaq::gauge_action_test {
namespace {

using test::algebra_distance;
using test::for_all_geometries;
using test::to_plaq;
constexpr auto wide = Precision::double_precision;

std::vector<reference::WeightedLoops> loops_of(const LoopWeights& w) {
  return {{reference::plaquettes(false), w.plaquette_space}, {reference::plaquettes(true), w.plaquette_time},
          {reference::rectangles(0), w.rectangle_space},     {reference::rectangles(1), w.rectangle_one_time},
          {reference::rectangles(2), w.rectangle_two_times}, {reference::chairs(), w.chair}};
}

struct NamedAction {
  const char* name;
  LoopWeights weights;
};
std::vector<NamedAction> actions() {
  return {{"wilson", wilson_gauge_action(5.7)},
          {"wilson, anisotropic", wilson_gauge_action(5.7, 2.3)},
          {"symanzik", rectangle_gauge_action(4.1, symanzik_c1)},
          {"iwasaki, anisotropic", rectangle_gauge_action(2.2, iwasaki_c1, 1.7)},
          {"dbw2", rectangle_gauge_action(0.9, dbw2_c1)},
          {"luscher_weisz, two flavours", luscher_weisz_gauge_action(6.5, 0.862, 2)},
          {"anisotropic", anisotropic_gauge_action(1.9, 3.5, 0.8, 0.97)}};
}

TEST(GaugeAction, HasTheLoopsOfASiteOnce) {
  EXPECT_EQ(reference::plaquettes(false).size() + reference::plaquettes(true).size(), 6u);
  EXPECT_EQ(reference::rectangles(0).size(), 6u);
  EXPECT_EQ(reference::rectangles(1).size(), 3u);
  EXPECT_EQ(reference::rectangles(2).size(), 3u);
  EXPECT_EQ(reference::chairs().size(), 16u);
}

TEST(GaugeAction, MILCsCoefficientsOfLuescherAndWeisz) {
  const auto w = luscher_weisz_gauge_action(6.5, 0.862, 0);
  EXPECT_DOUBLE_EQ(w.plaquette_space, 6.5);
  EXPECT_NEAR(w.rectangle_space / 6.5, -0.07355018, 5e-9);
  EXPECT_NEAR(w.chair / 6.5, -0.008663654, 2e-9);
}

class GaugeForce : public testing::TestWithParam<Extents> {};

TEST_P(GaugeForce, AndValueMatchPathsOnAllGrids) {
  reference::Generator generator(71);
  const auto gauge = reference::random_gauge({GetParam()}, generator);
  test::Turns turns(static_cast<int>(actions().size()));
  for (const auto& [name, weights] : actions()) {
    if (!turns.mine()) continue;
    SCOPED_TRACE(name);
    const auto loops = loops_of(weights);
    const double value = test::from_first_rank([&] { return reference::gauge_action(gauge, loops); });
    const auto force = test::from_first_rank([&] { return reference::gauge_force(gauge, loops); });
    for_all_geometries(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      const auto geometry = g->extended(halo_depth(weights));
      const Queue queue(location);
      const Field links = to_plaq(gauge, geometry, wide, location);
      EXPECT_NEAR(gauge_action(grid, links, weights, queue), value, 1e-11 * std::abs(value) + 1e-9);
      Field found(geometry, algebra_spec(wide, location));
      gauge_force(found, links, weights, queue);
      queue.synchronize();
      EXPECT_LT(algebra_distance(found, g, force), 2e-13);
    });
  }
}

// dS/de under U -> exp(e T) U, T drawn as momenta are: 2 <T, F> against central differences of eighth order.
TEST_P(GaugeForce, IsTheDerivativeOfTheAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  reference::Generator generator(72);
  const auto gauge = reference::weak_gauge({GetParam()}, generator, 0.4);
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = grid.geometry(GetParam());
  for (const Location location : test::locations())
    for (const auto& [name, weights] : actions()) {
      SCOPED_TRACE(name);
      const Queue queue(location);
      const Field links = to_plaq(gauge, geometry, wide, location);
      Field direction(geometry, algebra_spec(wide, location)), force(geometry, direction.spec());
      draw_momenta(direction, 5, 3, queue);
      gauge_force(force, links, weights, queue);
      // 2 <T, F> = K(T + F) - K(T) - K(F)
      const double t = kinetic_energy(grid, direction, queue), f = kinetic_energy(grid, force, queue);
      Field sum(geometry, direction.spec());
      copy(sum, direction);
      kick(sum, force, -1, queue);
      const double predicted = kinetic_energy(grid, sum, queue) - t - f;
      const auto moved = [&](double e) {
        Field there(geometry, links.spec());
        copy(there, links);
        drift(there, direction, e, queue);
        return gauge_action(grid, there, weights, queue);
      };
      const double h = 8e-3, c[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
      double difference = 0;
      for (int k = 1; k <= 4; ++k) difference += c[k - 1] * (moved(k * h) - moved(-k * h)) / h;
      EXPECT_NEAR(predicted / difference, 1, 3e-9);
    }
}

TEST_P(GaugeForce, TurnsWithTheGauge) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  reference::Generator generator(73);
  const auto gauge = reference::random_gauge({GetParam()}, generator);
  const auto g = reference::random_transformation(gauge.lattice, generator);
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = grid.geometry(GetParam());
  const Queue queue(Location::host);
  for (const auto& [name, weights] : actions()) {
    SCOPED_TRACE(name);
    auto expected = reference::gauge_force(gauge, loops_of(weights));
    for (std::size_t x = 0; x < expected.size(); ++x)
      for (auto& f : expected[x]) f = g[x] * f * dagger(g[x]);
    Field force(geometry, algebra_spec(wide, Location::host));
    gauge_force(force, to_plaq(reference::transformed(gauge, g), geometry, wide, Location::host), weights,
                queue);
    EXPECT_LT(algebra_distance(force, geometry, expected), 4e-13);
  }
}

INSTANTIATE_TEST_SUITE_P(Extents, GaugeForce,
                         testing::Values(Extents{4, 2, 6, 8}, Extents{2, 2, 2, 2}, Extents{6, 4, 4, 2}),
                         [](const auto& info) { return to_string(info.param); });

TEST(GaugeForceOfOneLattice, VanishesOnUnitLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid grid(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = grid.geometry({4, 6, 4, 2});
  const Queue queue(Location::host);
  const Field links = to_plaq(reference::unit_gauge({{4, 6, 4, 2}}), geometry, wide, Location::host);
  for (const auto& [name, weights] : actions()) {
    Field force(geometry, algebra_spec(wide, Location::host));
    gauge_force(force, links, weights, queue);
    EXPECT_LT(force_size(grid, force, queue).largest, 1e-13) << name;
  }
}

struct KnownField {
  ProcessGrid grid{MPI_COMM_SELF, {1, 1, 1, 1}};
  Queue queue{Location::host};
  Field links;

  KnownField(const std::string& file, const Extents& extents)
      : links(grid.geometry(extents), gauge_spec(wide, Location::host)) {
    read_gauge_file(std::string(std::getenv("PLAQ_DATA_DIR")) + "/gauge/" + file, grid, links);
  }
};
bool data_is_there() {
  const char* data = std::getenv("PLAQ_DATA_DIR");
  return data != nullptr && *data != '\0' && test::world_rank() == 0;
}

// CL2QCD, physics/algorithms/forces_test.cpp: its squared norm is four times F^a F^a.
TEST(GaugeForceOfOneLattice, SquaredNormsOfAnotherProgram) {
  if (!data_is_there()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set, or another rank looks";
  KnownField field("conf.00200", {4, 4, 4, 4});
  const auto norm = [&](const LoopWeights& weights) {
    Field force(field.links.geometry_ptr(), algebra_spec(wide, Location::host));
    gauge_force(force, field.links, weights, field.queue);
    const double rms = force_size(field.grid, force, field.queue).rms;
    return rms * rms * 4 * 256;
  };
  EXPECT_NEAR(norm(wilson_gauge_action(4)), 52723.299867438458 / 4, 2e-8);
  LoopWeights rectangles = rectangle_gauge_action(4, -0.0833333);  // its force of rectangles alone
  rectangles.plaquette_space = rectangles.plaquette_time = 0;
  EXPECT_NEAR(norm(rectangles), 2016.6355154119337 / 4, 2e-8);
}

// MILC, ks_imp_rhmc/test: its action is sum of c (3 - Re tr) without the factor 1/3 of beta in each loop.
TEST(GaugeForceOfOneLattice, ActionOfMILC) {
  if (!data_is_there()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set, or another rank looks";
  KnownField field("lat.sample.l6666b650m010m050", {6, 6, 6, 6});
  const auto w = luscher_weisz_gauge_action(6.5, 0.862, 0);
  const double loops = 6 * w.plaquette_space + 12 * w.rectangle_space + 16 * w.chair;
  const double value = gauge_action(field.grid, field.links, w, field.queue) + 1296 * loops;
  EXPECT_NEAR(value / 16777.0842255, 1, 1e-8);
}

TEST(GaugeForceOfOneLattice, RefusesWhatIsNoAction) {
  test::expect_error(ErrorKind::job_file, "beta of the gauge action", [] { wilson_gauge_action(NAN); });
  test::expect_error(ErrorKind::job_file, "anisotropy", [] { wilson_gauge_action(6, 0); });
  test::expect_error(ErrorKind::job_file, "c1", [] { rectangle_gauge_action(6, INFINITY); });
  test::expect_error(ErrorKind::job_file, "u0", [] { luscher_weisz_gauge_action(6, 0, 0); });
  test::expect_error(ErrorKind::job_file, "u0", [] { anisotropic_gauge_action(6, 2, 0.9, -1); });
}

}  // namespace
}  // namespace plaq::gauge_action_test
