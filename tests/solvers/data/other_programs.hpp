// Gauge fields of other programs, and correlators on them.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "kernels/quark/mesons.hpp"
#include "tests/reference/spinor.hpp"
#include "tests/support/grids.hpp"

namespace plaq::test {

// Tests of files that other programs wrote, which are below PLAQ_DATA_DIR.
template <class Base>
class OnFiles : public Base {
 protected:
  void SetUp() override {
    const char* data = std::getenv("PLAQ_DATA_DIR");
    if (data == nullptr || *data == '\0') GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
    folder = std::string(data) + "/gauge/";
  }
  std::string folder;
};

// The plaquette of weak_field.lime, and of a point source that is smeared there the pion of clover quarks
// with kappa = 0.115, xi = 2.464, nu = 0.95, c_R = 0.91, c_T = 1.07.
inline constexpr double weak_field_plaquette = 0.994804132267;
inline constexpr double weak_field_pion[] = {0.588734333,   0.0440054624,  0.0154934270, 0.00913658337,
                                             0.00757904347, 0.00913718635, 0.0155014543, 0.0440099930};

// On l4444_coulomb.nersc, of a source of that shape on the slice t = 0, kappa = 0.1 and c_sw = 1.2. The other
// program's matrix is 1 + clover - kappa hop, 2 kappa times ours, and its sum over space an average.
inline constexpr double coulomb_kappa = 0.1, coulomb_factor = 64 * 4 * coulomb_kappa * coulomb_kappa;
inline constexpr double coulomb_pion[] = {4.408245, 0.2786407, 0.06210014, 0.2631308};
inline reference::SpinorField coulomb_source(const reference::Lattice& lattice, std::size_t spin,
                                             std::size_t color) {
  auto b = reference::zero_spinor(lattice);
  for (int x = 0; x < 64; ++x) {
    const auto c = lattice.coordinates(x);
    double square = 0;
    for (std::size_t mu = 0; mu < 3; ++mu) square += std::pow(std::min(c[mu], 4 - c[mu]), 2);
    b[static_cast<std::size_t>(x)][spin][color] = std::exp(-square / (1.5 * 1.5));
  }
  return b;
}

template <std::size_t N>
void expect_ratios_of_one(const std::vector<double>& found, const double (&expected)[N], double tolerance) {
  ASSERT_EQ(found.size(), N);
  for (std::size_t t = 0; t < N; ++t) EXPECT_NEAR(found[t] / expected[t], 1, tolerance) << "t " << t;
}

// Pion of a propagator from the origin.
inline std::vector<std::complex<double>> pion_of(const ProcessGrid& grid, const Field& s) {
  MesonContraction contraction(grid, s.geometry_ptr(), {meson_channel("pion")}, {{0, 0, 0}},
                               Queue(s.location()));
  return contraction(s, {0, 0, 0, 0})[0][0];
}
inline std::vector<double> real_parts(const std::vector<std::complex<double>>& c) {
  std::vector<double> real;
  for (const auto& z : c) real.push_back(z.real());
  return real;
}

}  // namespace plaq::test
