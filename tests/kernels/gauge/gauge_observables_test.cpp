// Staples and observables against the slow reference, on every process grid.
#include "kernels/gauge/observables.hpp"

#include <cmath>

#include "core/launch/dispatch.hpp"
#include "kernels/gauge/update.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/kernels/gauge/staple_kernel.hpp"

namespace plaq {
namespace {

using test::both_precisions;
using test::for_all_grids;
using test::to_plaq;

class Gauge : public testing::TestWithParam<Extents> {
 protected:
  Gauge() : generator_(11), gauge_(reference::random_gauge({GetParam()}, generator_)) {}
  reference::Generator generator_;
  reference::GaugeField gauge_;
};

TEST_P(Gauge, ObservablesMatchTheReferenceWithTheSameBitsOnAnyGrid) {
  const auto plaquette = reference::average_plaquette(gauge_);
  const auto loop = reference::polyakov_loop(gauge_);
  for (const Precision precision : both_precisions)
    for_all_grids(
        GetParam(), test::same_as_alone(GetParam(), [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                        Location location) {
          const double tolerance = precision == Precision::double_precision ? 1e-14 : 2e-7;
          const auto found =
              measure_gauge(grid, to_plaq(gauge_, geometry, precision, location), Queue(location));
          EXPECT_NEAR(found.plaquette.all, plaquette.all, tolerance);
          EXPECT_NEAR(found.plaquette.spatial, plaquette.spatial, tolerance);
          EXPECT_NEAR(found.plaquette.temporal, plaquette.temporal, tolerance);
          EXPECT_NEAR(found.link_trace, reference::link_trace(gauge_), tolerance);
          EXPECT_LT(std::abs(found.polyakov_loop - loop), tolerance);
          EXPECT_LT(found.unitarity_violation, 20 * tolerance);
          return std::vector{found.plaquette.all,      found.plaquette.spatial,    found.plaquette.temporal,
                             found.link_trace,         found.polyakov_loop.real(), found.polyakov_loop.imag(),
                             found.unitarity_violation};
        }));
}

TEST_P(Gauge, StaplesMatchTheReference) {
  for_all_grids(GetParam(), [&](const ProcessGrid&, const GeometryPtr& geometry, Location location) {
    for (const Precision precision : both_precisions) {
      const Field links = to_plaq(gauge_, geometry, precision, location);
      Field staples(geometry, gauge_spec(precision, location));
      dispatch(location, precision, [&](auto kind) {
        using K = decltype(kind);
        test::launch_store_staples<typename K::target, typename K::scalar>(staples, links, Queue(location));
      });
      const Field host = test::on_host(staples);
      double worst = 0;
      test::for_stored_sites(*geometry, [&](int parity, int s, int site) {
        const auto& shape = geometry->shape();
        const auto c = shape.coordinates(parity, s);
        for (int mu = 0; mu < 4; ++mu)
          if (c.x[mu] < shape.halo[mu] || c.x[mu] >= shape.extent[mu] - shape.halo[mu]) return;
        for (int mu = 0; mu < 4; ++mu)
          worst = std::max(worst, reference::max_difference(test::link(host, mu, parity, s),
                                                            reference::staple_sum(gauge_, site, mu)));
      });
      EXPECT_LT(worst, precision == Precision::double_precision ? 1e-14 : 5e-6);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Extents, Gauge,
                         testing::Values(Extents{4, 4, 4, 8}, Extents{2, 6, 10, 4}, Extents{8, 4, 2, 2},
                                         Extents{6, 2, 4, 12}),
                         [](const auto& info) { return to_string(info.param); });

TEST(Unitarity, ViolationsAreFoundWhereverTheyAreAndCured) {
  const Extents extents{4, 4, 4, 8};
  for_all_grids(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    for (const Precision precision : both_precisions) {
      const double rounding = precision == Precision::double_precision ? 1e-14 : 2e-6;
      const Queue queue(location);
      reference::Generator generator(3);
      auto broken = reference::random_gauge({extents}, generator);
      auto& u = broken.link[131][2];
      const auto before = u;
      for (int j = 0; j < 3; ++j) u(1, j) = 1.001 * u(1, j);
      const auto expected = reference::unitarity_violation(u);
      Field field = to_plaq(broken, geometry, precision, location);
      // Only one element of U U^dagger is wrong, so that its norm is the largest element.
      EXPECT_NEAR(unitarity_violation(grid, field, queue), expected.unitarity, rounding);
      reunitarize(field, queue);
      EXPECT_LT(unitarity_violation(grid, field, queue), rounding);
      u = before;
      Field sound = to_plaq(broken, geometry, precision, location);
      EXPECT_NEAR(average_plaquette(grid, field, queue).all, average_plaquette(grid, sound, queue).all,
                  rounding);

      u = reference::Complex(std::polar(1.0, 1e-3)) * before;
      EXPECT_NEAR(unitarity_violation(grid, to_plaq(broken, geometry, precision, location), queue),
                  reference::unitarity_violation(u).determinant, rounding);
      u(0, 2) = NAN;
      EXPECT_TRUE(
          std::isnan(unitarity_violation(grid, to_plaq(broken, geometry, precision, location), queue)));
    }
  });
}

}  // namespace
}  // namespace plaq
