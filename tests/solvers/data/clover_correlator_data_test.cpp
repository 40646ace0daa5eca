// The clover term's conventions: correlators of the slow reference on gauge fields of other programs, against
// those programs' numbers. No kernel has part in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "tests/reference/clover.hpp"
#include "tests/reference/lime.hpp"
#include "tests/reference/nersc.hpp"
#include "tests/reference/sources.hpp"

namespace plaq::reference {
namespace {

// Where the fields are; empty without PLAQ_DATA_DIR.
std::string gauge_folder() {
  const char* data = std::getenv("PLAQ_DATA_DIR");
  return data == nullptr || *data == '\0' ? std::string() : std::string(data) + "/gauge/";
}

// C(t) = sum over space, spin and color of |S|^2 for the source b(x) times unit vectors in spin and color.
template <class MakeSource>
std::vector<double> correlator(const CloverParameters& parameters, const GaugeField& gauge,
                               const MakeSource& make_source) {
  const auto a = clover_matrices(parameters, gauge);
  Propagator columns;
  for (int spin = 0; spin < 4; ++spin)
    for (int color = 0; color < 3; ++color)
      columns[3 * spin + color] = solve(parameters, gauge, a, make_source(spin, color), 1e-10).x;
  return pion_correlator(gauge.lattice, columns);
}

template <std::size_t N>
void expect_ratios_of_one(const std::vector<double>& found, const double (&expected)[N], double tolerance) {
  ASSERT_EQ(found.size(), N);
  double worst = 0;
  for (std::size_t t = 0; t < N; ++t) {
    EXPECT_NEAR(found[t] / expected[t], 1, tolerance) << "t " << t;
    worst = std::max(worst, std::abs(found[t] / expected[t] - 1));
  }
  testing::Test::RecordProperty("worst_times_1e9", std::to_string(worst * 1e9));
}

TEST(CloverCorrelatorData, AnisotropicOnTheWeakField) {
  const auto folder = gauge_folder();
  if (folder.empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const auto gauge = read_lime_gauge(folder + "weak_field.lime").gauge;
  ASSERT_NEAR(average_plaquette(gauge).all, 0.994804132267, 1e-12);
  CloverParameters parameters;
  parameters.wilson.mass = mass_from_kappa(0.115);
  parameters.wilson.xi = 2.464;
  parameters.wilson.nu = 0.95;
  parameters.spatial = 0.91 / parameters.wilson.xi;
  parameters.temporal = 1.07;
  const auto found = correlator(parameters, gauge, [&](int spin, int color) {
    return gaussian_smeared(gauge, point_source(gauge.lattice, 0, spin, color), 2.0, 5);
  });
  constexpr double expected[] = {0.588734333,   0.0440054624,  0.0154934270, 0.00913658337,
                                 0.00757904347, 0.00913718635, 0.0155014543, 0.0440099930};
  expect_ratios_of_one(found, expected, 5e-6);
}

// The other program's matrix is 1 + clover - kappa hop, 2 kappa times ours, and its sum over space an
// average.
TEST(CloverCorrelatorData, IsotropicInCoulombGauge) {
  const auto folder = gauge_folder();
  if (folder.empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const auto gauge = read_nersc(folder + "l4444_coulomb.nersc").gauge;
  ASSERT_NEAR(average_plaquette(gauge).all, 0.594850159, 1e-9);
  const double kappa = 0.1;
  CloverParameters parameters;
  parameters.wilson.mass = mass_from_kappa(kappa);
  parameters.wilson.boundary = {1, 1, 1, 1};
  parameters.spatial = parameters.temporal = 1.2;
  const Lattice& lattice = gauge.lattice;
  auto found = correlator(parameters, gauge, [&](int spin, int color) {
    SpinorField b = zero_spinor(lattice);
    for (int x = 0; x < lattice.volume(); ++x) {
      const Coordinates c = lattice.coordinates(x);
      if (c[3] != 0) continue;
      double square = 0;
      for (int mu = 0; mu < 3; ++mu) square += std::pow(std::min(c[mu], lattice.extents[mu] - c[mu]), 2);
      b[x][spin][color] = std::exp(-square / (1.5 * 1.5));
    }
    return b;
  });
  for (double& value : found) value /= 64 * 4 * kappa * kappa;
  constexpr double expected[] = {4.408245, 0.2786407, 0.06210014, 0.2631308};
  expect_ratios_of_one(found, expected, 2e-5);
}

}  // namespace
}  // namespace plaq::reference
