// The clover term's conventions: correlators of the slow reference on gauge fields of other programs, against
// those programs' numbers. No kernel has part in it.
#include <cmath>

#include "tests/reference/clover.hpp"
#include "tests/reference/lime.hpp"
#include "tests/reference/nersc.hpp"
#include "tests/reference/sources.hpp"
#include "tests/solvers/data/other_programs.hpp"

namespace plaq::reference {
namespace {

class CloverCorrelatorData : public test::OnFiles<testing::Test> {};

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

TEST_F(CloverCorrelatorData, AnisotropicOnTheWeakField) {
  const auto gauge = read_lime_gauge(folder + "weak_field.lime").gauge;
  ASSERT_NEAR(average_plaquette(gauge).all, test::weak_field_plaquette, 1e-12);
  CloverParameters parameters{{mass_from_kappa(0.115), 2.464, 0.95}, 0.91 / 2.464, 1.07};
  const auto found = correlator(parameters, gauge, [&](int spin, int color) {
    return gaussian_smeared(gauge, point_source(gauge.lattice, 0, spin, color), 2.0, 5);
  });
  test::expect_ratios_of_one(found, test::weak_field_pion, 5e-6);
}

TEST_F(CloverCorrelatorData, IsotropicInCoulombGauge) {
  const auto gauge = read_nersc(folder + "l4444_coulomb.nersc").gauge;
  ASSERT_NEAR(average_plaquette(gauge).all, 0.594850159, 1e-9);
  CloverParameters parameters{{mass_from_kappa(test::coulomb_kappa), 1, 1, {1, 1, 1, 1}}, 1.2, 1.2};
  auto found = correlator(parameters, gauge, [&](int spin, int color) {
    return test::coulomb_source(gauge.lattice, static_cast<std::size_t>(spin),
                                static_cast<std::size_t>(color));
  });
  for (double& value : found) value /= test::coulomb_factor;
  test::expect_ratios_of_one(found, test::coulomb_pion, 2e-5);
}

}  // namespace
}  // namespace plaq::reference
