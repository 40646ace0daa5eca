// Correlators of clover quarks on gauge fields of other programs, through operators and solvers, against
// those programs' numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/mesons.hpp"
#include "kernels/quark/sources.hpp"
#include "solvers/krylov/bicgstab.hpp"
#include "solvers/schur_solve.hpp"
#include "tests/reference/lime.hpp"
#include "tests/reference/nersc.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

constexpr auto wide = Precision::double_precision, single = Precision::single_precision;

// Where the fields are; empty without PLAQ_DATA_DIR.
std::string gauge_folder() {
  const char* data = std::getenv("PLAQ_DATA_DIR");
  return data == nullptr || *data == '\0' ? std::string() : std::string(data) + "/gauge/";
}

// One grid as it is, one with every direction exchanging.
template <class Visit>
void for_two_geometries(const Extents& extents, Visit&& visit) {
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const auto forced = g->decomposition().forced;
    if (grid.ranks() == choose_grid(grid.size(), extents) && (forced == 0 || forced == 15))
      visit(grid, g, location);
  });
}

// M^-1 b, iterated with the operator in `storage`, measured with the one in double.
Field solved(const ProcessGrid& grid, const Field& gauge, const WilsonParameters& parameters, const Field& b,
             const LinkStorage& storage, double tolerance, Location location) {
  const Queue queue(location);
  const auto transport = make_host_transport(grid, location);
  const auto exact = std::make_shared<WilsonHopping>(grid, gauge, parameters, wide, queue, transport);
  const auto inner = std::make_shared<WilsonHopping>(grid, gauge, parameters, storage, queue, transport);
  WilsonOperator residual_operator(exact, make_clover_blocks(grid, gauge, *exact, CloverNeed::operator_full));
  WilsonSchur schur(inner, 0, WilsonSchur::Form::symmetric, b.subfields(),
                    make_clover_blocks(grid, gauge, *inner, CloverNeed::schur_symmetric, 0));
  Bicgstab solver(schur, grid, b.subfields());
  Field x(b.geometry_ptr(), b.spec());
  SolverParameters wanted;
  // The residual of the reduced system is that of the full one up to C's distance from its diagonal.
  wanted.tolerance = tolerance / 4;
  const auto report = solve_schur(schur, solver, residual_operator, grid, x, b, wanted);
  for (const double residual : report.relative_residuals) EXPECT_LE(residual, tolerance);
  return x;
}

std::vector<double> pion(const ProcessGrid& grid, const Field& s) {
  MesonContraction contraction(grid, s.geometry_ptr(), {meson_channel("pion")}, {{0, 0, 0}},
                               Queue(s.location()));
  const Correlators found = contraction(s, {0, 0, 0, 0});
  std::vector<double> c;
  for (const auto& value : found[0][0]) c.push_back(value.real());
  return c;
}

class CloverSolveData : public testing::TestWithParam<LinkStorage> {
 protected:
  double tolerance() const { return GetParam().precision == wide ? 1e-10 : 1e-6; }
};

TEST_P(CloverSolveData, AnisotropicOnTheWeakField) {
  const auto folder = gauge_folder();
  if (folder.empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const Extents extents{4, 4, 4, 8};
  const auto links = reference::read_lime_gauge(folder + "weak_field.lime").gauge;
  WilsonParameters parameters;
  parameters.mass = WilsonParameters::mass_of_kappa(0.115);
  parameters.xi = 2.464;
  parameters.nu = 0.95;
  parameters.clover = {0.91 / 2.464, 1.07};
  constexpr double expected[] = {0.588734333,   0.0440054624,  0.0154934270, 0.00913658337,
                                 0.00757904347, 0.00913718635, 0.0155014543, 0.0440099930};
  std::vector<double> first;
  for_two_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Queue queue(location);
    const Field gauge = test::to_plaq(links, g, wide, Location::host);
    Field b(g, spinor_spec(Subset::full, 12, wide, location));
    point_source(b, {0, 0, 0, 0});
    GaussianSmearing smearing(grid, gauge, {2.0, 5}, wide, queue, make_host_transport(grid, location));
    smearing.apply(b);
    const auto c = pion(grid, solved(grid, gauge, parameters, b, GetParam(), tolerance(), location));
    ASSERT_EQ(c.size(), std::size(expected));
    for (std::size_t t = 0; t < c.size(); ++t) EXPECT_NEAR(c[t] / expected[t], 1, 5e-6) << "t " << t;
    if (location == Location::host) {
      if (first.empty()) first = c;
      EXPECT_EQ(c, first);  // to the last bit
    }
  });
}

// The other program's matrix is 1 + clover - kappa hop, 2 kappa times ours, and its sum over space an
// average.
TEST_P(CloverSolveData, IsotropicInCoulombGauge) {
  const auto folder = gauge_folder();
  if (folder.empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const Extents extents{4, 4, 4, 4};
  const auto links = reference::read_nersc(folder + "l4444_coulomb.nersc").gauge;
  const double kappa = 0.1, tolerance = GetParam().reals == 18 ? this->tolerance() : 1e-6;
  WilsonParameters parameters;
  parameters.mass = WilsonParameters::mass_of_kappa(kappa);
  parameters.boundary = {1, 1, 1, 1};
  parameters.clover = CloverCoefficients::isotropic(1.2);
  constexpr double expected[] = {4.408245, 0.2786407, 0.06210014, 0.2631308};
  std::vector<reference::SpinorField> sources;
  for (int column = 0; column < 12; ++column) {
    sources.push_back(reference::zero_spinor(links.lattice));
    for (int x = 0; x < 64; ++x) {  // the slice t = 0
      const auto r = links.lattice.coordinates(x);
      double square = 0;
      for (std::size_t mu = 0; mu < 3; ++mu) square += std::pow(std::min(r[mu], 4 - r[mu]), 2);
      sources.back()[static_cast<std::size_t>(x)][static_cast<std::size_t>(column / 3)]
                    [static_cast<std::size_t>(column % 3)] = std::exp(-square / (1.5 * 1.5));
    }
  }
  for_two_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Field gauge = test::to_plaq(links, g, wide, Location::host);
    const Field b = test::to_plaq(sources, g, Subset::full, wide, location);
    const auto c = pion(grid, solved(grid, gauge, parameters, b, GetParam(), tolerance, location));
    ASSERT_EQ(c.size(), std::size(expected));
    for (std::size_t t = 0; t < c.size(); ++t)
      EXPECT_NEAR(c[t] / (64 * 4 * kappa * kappa) / expected[t], 1, 2e-5) << "t " << t;
  });
}

INSTANTIATE_TEST_SUITE_P(Storages, CloverSolveData,
                         testing::Values(LinkStorage{wide, 18}, LinkStorage{wide, 12}, LinkStorage{wide, 8},
                                         LinkStorage{single, 18}, LinkStorage{single, 12},
                                         LinkStorage{single, 8}),
                         [](const auto& info) {
                           return std::string(name_of(info.param.precision)) + "_" +
                                  std::to_string(info.param.reals);
                         });

}  // namespace
}  // namespace plaq
