// Correlators of clover quarks on gauge fields of other programs, through operators and solvers, against
// those programs' numbers.
#include <cmath>

#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/sources.hpp"
#include "solvers/krylov/bicgstab.hpp"
#include "solvers/schur_solve.hpp"
#include "tests/reference/lime.hpp"
#include "tests/reference/nersc.hpp"
#include "tests/solvers/data/other_programs.hpp"
#include "tests/support/convert.hpp"

namespace plaq {
namespace {

constexpr auto wide = Precision::double_precision, single = Precision::single_precision;

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

class CloverSolveData : public test::OnFiles<testing::TestWithParam<LinkStorage>> {
 protected:
  double tolerance() const { return GetParam().precision == wide ? 1e-10 : 1e-6; }
};

TEST_P(CloverSolveData, AnisotropicOnTheWeakField) {
  const auto links = reference::read_lime_gauge(folder + "weak_field.lime").gauge;
  WilsonParameters parameters;
  parameters.mass = WilsonParameters::mass_of_kappa(0.115);
  parameters.xi = 2.464;
  parameters.nu = 0.95;
  parameters.clover = {0.91 / 2.464, 1.07};
  std::vector<double> first;
  test::for_two_geometries(
      {4, 4, 4, 8}, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        const Field gauge = test::to_plaq(links, g, wide, Location::host);
        Field b(g, spinor_spec(Subset::full, 12, wide, location));
        point_source(b, {0, 0, 0, 0});
        const GaussianSmearingParameters few_steps{
            .sigma = 2.0, .steps = 5, .allow_unstable = true};  // the other program's
        GaussianSmearing smearing(grid, gauge, few_steps, wide, Queue(location),
                                  make_host_transport(grid, location));
        smearing.apply(b);
        const auto c = test::real_parts(
            test::pion_of(grid, solved(grid, gauge, parameters, b, GetParam(), tolerance(), location)));
        test::expect_ratios_of_one(c, test::weak_field_pion, 5e-6);
        if (location == Location::host) {
          if (first.empty()) first = c;
          EXPECT_EQ(c, first);  // to the last bit
        }
      });
}

TEST_P(CloverSolveData, IsotropicInCoulombGauge) {
  const auto links = reference::read_nersc(folder + "l4444_coulomb.nersc").gauge;
  const double most = GetParam().reconstruction == 18 ? tolerance() : 1e-6;
  WilsonParameters parameters;
  parameters.mass = WilsonParameters::mass_of_kappa(test::coulomb_kappa);
  parameters.boundary = {1, 1, 1, 1};
  parameters.clover = CloverCoefficients::isotropic(1.2);
  std::vector<reference::SpinorField> sources;
  for (std::size_t k = 0; k < 12; ++k) sources.push_back(test::coulomb_source(links.lattice, k / 3, k % 3));
  test::for_two_geometries({4, 4, 4, 4}, [&](const ProcessGrid& grid, const GeometryPtr& g,
                                             Location location) {
    const Field gauge = test::to_plaq(links, g, wide, Location::host);
    const Field b = test::to_plaq(sources, g, Subset::full, wide, location);
    auto c =
        test::real_parts(test::pion_of(grid, solved(grid, gauge, parameters, b, GetParam(), most, location)));
    for (double& value : c) value /= test::coulomb_factor;
    test::expect_ratios_of_one(c, test::coulomb_pion, 2e-5);
  });
}

INSTANTIATE_TEST_SUITE_P(Storages, CloverSolveData,
                         testing::Values(LinkStorage{wide, 18}, LinkStorage{wide, 12}, LinkStorage{wide, 8},
                                         LinkStorage{single, 18}, LinkStorage{single, 12},
                                         LinkStorage{single, 8}),
                         [](const auto& info) {
                           return std::string(name_of(info.param.precision)) + "_" +
                                  std::to_string(info.param.reconstruction);
                         });

}  // namespace
}  // namespace plaq
