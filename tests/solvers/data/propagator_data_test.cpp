// Point-source propagators on gauge fields that other programs wrote, component by component against the
// reference, which reads the same files on its own.
#include "io/gauge/gauge_file.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "solvers/krylov/bicgstab.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/schur_solve.hpp"
#include "tests/reference/nersc.hpp"
#include "tests/reference/solve.hpp"
#include "tests/solvers/data/other_programs.hpp"
#include "tests/support/convert.hpp"

namespace plaq {
namespace {

constexpr double kappa = 0.12;

// All 12 columns, each solved by one rank and one thread.
reference::Propagator reference_propagator(const reference::GaugeField& gauge) {
  reference::WilsonParameters parameters;
  parameters.mass = reference::mass_from_kappa(kappa);
  parameters.boundary = {1, 1, 1, -1};
  int size = 1, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  reference::Propagator columns;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 12; ++i) {
    const auto source = reference::point_source(gauge.lattice, 0, i / 3, i % 3);
    auto& column = columns[static_cast<std::size_t>(i)];
    column = i % size == rank ? reference::solve(parameters, gauge, source, 1e-13).x : source;
  }
  for (int i = 0; i < 12; ++i) {
    auto& column = columns[static_cast<std::size_t>(i)];
    MPI_Bcast(column.data(), static_cast<int>(column.size() * sizeof(column[0])), MPI_BYTE, i % size,
              MPI_COMM_WORLD);
  }
  return columns;
}

// C(t), of all columns and all ranks.
std::vector<double> pion(const Field& x, const ProcessGrid& grid, const Queue& queue) {
  const Geometry& g = x.geometry();
  std::vector<ExactSum> sums(static_cast<std::size_t>(g.global()[3]));
  const auto slices = blas::slice_norms(x, queue);
  const auto local = static_cast<std::size_t>(g.local()[3]), first = static_cast<std::size_t>(g.offset()[3]);
  for (std::size_t i = 0; i < slices.size(); ++i) sums[first + i % local].merge(slices[i]);
  return global_sums(grid, sums);
}

class PropagatorData : public test::OnFiles<testing::TestWithParam<const char*>> {};

TEST_P(PropagatorData, AgreesWithTheReference) {
  const std::string path = folder + GetParam() + ".nersc";
  const auto file = reference::read_nersc(path);
  const auto expected = reference_propagator(file.gauge);
  const auto expected_pion = reference::pion_correlator(file.gauge.lattice, expected);
  const std::vector<reference::SpinorField> columns(expected.begin(), expected.end());

  const Extents extents = file.gauge.lattice.extents;
  std::vector<reference::SpinorField> sources;
  for (int i = 0; i < 12; ++i)
    sources.push_back(reference::point_source(file.gauge.lattice, 0, i / 3, i % 3));
  test::for_two_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    Field gauge(g, gauge_spec(Precision::double_precision, Location::host));
    read_gauge_file(path, grid, gauge);
    const Queue queue(location);
    WilsonParameters parameters;
    parameters.mass = WilsonParameters::mass_of_kappa(kappa);
    parameters.boundary = {1, 1, 1, -1};
    const auto hopping = std::make_shared<WilsonHopping>(grid, gauge, parameters, Precision::double_precision,
                                                         queue, make_host_transport(grid, location));
    WilsonOperator m(hopping);
    WilsonSchur schur(hopping, 0, WilsonSchur::Form::symmetric, 12);
    const Field b = test::to_plaq(sources, g, Subset::full, Precision::double_precision, location);
    Bicgstab bicgstab(schur, grid, 12);
    ConjugateGradients cg(schur, grid, 12);
    for (Solver* solver : {static_cast<Solver*>(&bicgstab), static_cast<Solver*>(&cg)}) {
      SCOPED_TRACE(solver->name());
      Field x(g, m.spec(12));
      SolverParameters wanted;
      wanted.tolerance = 1e-12;
      const auto report = solve_schur(schur, *solver, m, grid, x, b, wanted);
      EXPECT_TRUE(report.converged());
      for (const double residual : report.relative_residuals) EXPECT_LE(residual, 1.000001e-12);
      EXPECT_LT(test::max_difference(x, columns), 1e-10);
      const auto correlator = pion(x, grid, queue);
      ASSERT_EQ(correlator.size(), expected_pion.size());
      for (std::size_t t = 0; t < correlator.size(); ++t)
        EXPECT_NEAR(correlator[t] / expected_pion[t], 1, 1e-10) << "t " << t;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Files, PropagatorData, testing::Values("l4444_coulomb", "purgaug"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace plaq
