// Correlators of a smeared source on a gauge field of another program, against that program's numbers.
#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "kernels/quark/sources.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/schur_solve.hpp"
#include "tests/reference/correlators.hpp"
#include "tests/solvers/data/other_programs.hpp"
#include "tests/support/convert.hpp"

namespace plaq {
namespace {

constexpr double source_norm = 6.6339991;
constexpr double expected[8] = {0.749881744,  0.127559099,  0.0488181504, 0.0261706815,
                                0.0205313155, 0.0261869591, 0.0488589315, 0.127618686};

double norm(const Field& b, const ProcessGrid& grid, const Queue& queue) {
  auto slices = blas::slice_norms(b, queue);
  double sum = 0;
  for (const double s : global_sums(grid, slices)) sum += s;
  return sum;
}

class CorrelatorData : public test::OnFiles<testing::Test> {};

TEST_F(CorrelatorData, SmearedSourceOnTheWeakField) {
  const Extents extents{4, 4, 4, 8};
  // The record ildg-binary-data of this file begins here.
  const auto links = reference::read_big_endian_links(folder + "weak_field.lime", {extents}, 1752);
  ASSERT_NEAR(reference::average_plaquette(links).all, test::weak_field_plaquette, 1e-12);

  std::vector<std::complex<double>> first;
  test::for_two_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const auto precision = Precision::double_precision;
    const Queue queue(location);
    const auto transport = make_host_transport(grid, location);
    const Field gauge = test::to_plaq(links, g, precision, Location::host);
    WilsonParameters parameters;
    parameters.mass = WilsonParameters::mass_of_kappa(0.135);
    parameters.xi = 2.464;
    parameters.nu = 0.95;
    const auto hopping =
        std::make_shared<WilsonHopping>(grid, gauge, parameters, precision, queue, transport);
    WilsonOperator m(hopping);
    WilsonSchur schur(hopping, 0, WilsonSchur::Form::symmetric, 12);
    ConjugateGradients solver(schur, grid, 12);

    Field b(g, m.spec(12)), s(g, m.spec(12));
    point_source(b, {0, 0, 0, 0});
    const GaussianSmearingParameters few_steps{
        .sigma = 2.0, .steps = 5, .allow_unstable = true};  // the other program's
    GaussianSmearing smearing(grid, gauge, few_steps, precision, queue, transport);
    smearing.apply(b);
    EXPECT_NEAR(norm(b, grid, queue), source_norm, 5e-8);
    SolverParameters wanted;
    wanted.tolerance = 1e-10;
    ASSERT_TRUE(solve_schur(schur, solver, m, grid, s, b, wanted).converged());

    const auto c = test::pion_of(grid, s);
    for (std::size_t t = 0; t < 8; ++t) {
      EXPECT_NEAR(c[t].real() / expected[t], 1, 5e-6) << "t " << t;
      EXPECT_NEAR(c[t].imag() / expected[t], 0, 1e-14) << "t " << t;
    }
    if (location == Location::host) {
      if (first.empty()) first = c;
      EXPECT_EQ(c, first);  // to the last bit
    }
  });
}

}  // namespace
}  // namespace plaq
