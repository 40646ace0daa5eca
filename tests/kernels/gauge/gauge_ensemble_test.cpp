// Averages over quenched ensembles: strong coupling, and the plaquettes of large volumes (12^4 is one).
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/update.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/reference/strong_coupling.hpp"

namespace plaq {
namespace {

struct Run {
  Extents extents;
  double beta;
  bool hot;
  Precision precision;
  int thermalisation, measurements, overrelaxation;
};

struct Average {
  double mean, error;
};

// One heatbath sweep and `overrelaxation` others between measurements; error from 20 bins.
Average plaquette_of(const Run& run) {
  const Location location = test::locations().back();
  const Queue queue(location);
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  Field field(grid.geometry(run.extents)->extended(1), gauge_spec(run.precision, location));
  if (run.hot) {
    hot_start(field, 1, queue);
  } else {
    cold_start(field, queue);
  }
  QuenchedUpdate update(grid, field, {run.beta, 2024}, nullptr);
  constexpr int bins = 20;
  double bin[bins] = {};
  for (int i = 0; i < run.thermalisation + run.measurements; ++i) {
    update.heatbath_sweep(field, static_cast<std::uint32_t>(i), queue);
    for (int k = 0; k < run.overrelaxation; ++k) update.overrelaxation_sweep(field, queue);
    const int measurement = i - run.thermalisation;
    if (measurement >= 0)
      bin[measurement * bins / run.measurements] +=
          average_plaquette(grid, field, queue).all * bins / run.measurements;
  }
  EXPECT_LT(unitarity_violation(grid, field, queue),
            run.precision == Precision::double_precision ? 1e-14 : 5e-6);
  double mean = 0, variance = 0;
  for (const double b : bin) mean += b / bins;
  for (const double b : bin) variance += (b - mean) * (b - mean) / (bins * (bins - 1));
  const Average result{mean, std::sqrt(variance)};
  std::printf("beta %.1f %s %s: plaquette %.5f +- %.5f\n", run.beta, run.hot ? "hot " : "cold",
              run.precision == Precision::double_precision ? "double" : "single", result.mean, result.error);
  return result;
}

constexpr auto single = Precision::single_precision, dbl = Precision::double_precision;

TEST(Ensemble, StrongCoupling) {
  const auto found = plaquette_of({{8, 8, 8, 8}, 0.5, true, dbl, 10, 300, 0});
  EXPECT_LT(found.error, 1.5e-4);
  EXPECT_NEAR(found.mean, reference::strong_coupling_plaquette(0.5), 4 * found.error);
}

class LargeVolume : public testing::TestWithParam<bool> {};

TEST_P(LargeVolume, PlaquetteAtBeta57) {
  const auto found =
      plaquette_of({{12, 12, 12, 12}, 5.7, GetParam(), GetParam() ? single : dbl, 150, 400, 2});
  EXPECT_LT(found.error, 4e-4);
  EXPECT_NEAR(found.mean, 0.549, 0.001);
}

TEST_P(LargeVolume, PlaquetteAtBeta60) {
  const auto found =
      plaquette_of({{12, 12, 12, 12}, 6.0, GetParam(), GetParam() ? single : dbl, 100, 600, 2});
  EXPECT_LT(found.error, 1.5e-4);
  EXPECT_NEAR(found.mean, 0.59368, 0.0003);
}

INSTANTIATE_TEST_SUITE_P(Start, LargeVolume, testing::Bool(),
                         [](const auto& info) { return info.param ? "hot" : "cold"; });

}  // namespace
}  // namespace plaq
