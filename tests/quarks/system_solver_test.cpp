// SystemSolver from explicit numbers: many on one gauge field, on any process grid, and what is wrong with
// its links.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file.hpp"
#include "solvers/krylov/cg.hpp"
#include "tests/quarks/dirac_problem.hpp"

namespace plaq::system_solver_test {
namespace {

using test::batch, test::host, test::mixed;
using Problem = test::DiracProblem;

TEST(SystemSolver, ManyShareAGaugeFieldAndItsCloverField) {
  const Problem problem;
  const auto clover = problem.action()->clover_field(problem.links());
  const SolverSettings specs[] = {
      {}, mixed(Precision::single_precision), mixed(Precision::half_precision, 8)};
  for (const SolverSettings& spec : specs) {
    SCOPED_TRACE(name_of(spec));
    auto alone = problem.solver(spec), shared = problem.solver(spec, clover);
    Field x(problem.geometry, alone.spec_of_fields()), y(problem.geometry, alone.spec_of_fields());
    const auto report = alone.solve(x, problem.b), again = shared.solve(y, problem.b);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.relative_residuals, again.relative_residuals);
    EXPECT_EQ(test::fingerprint(x, problem.grid), test::fingerprint(y, problem.grid));
    ASSERT_EQ(report.solve.attempts.size(), static_cast<std::size_t>(1 + report.tightened));
    EXPECT_EQ(report.solve.attempts[0].method, name_of(spec));
  }
  const std::string text = name_of(specs[2]);
  EXPECT_EQ(text, "bicgstab, half 8 in double 18, reliable updates 0.1");
}

// Faces of 16-bit numbers in all directions: the true residual is none the worse.
TEST(SystemSolver, ConvergesWithShortFaces) {
  const Problem problem(0.3, 15u);
  for (const Precision inner : {Precision::single_precision, Precision::half_precision}) {
    SolverSettings spec = mixed(inner);
    auto usual = problem.solver(spec);
    spec.short_halo = true;
    EXPECT_TRUE(has_short_halo(spec));
    auto solver = problem.solver(spec);
    Field x(problem.geometry, solver.spec_of_fields()), y(problem.geometry, solver.spec_of_fields());
    const auto report = solver.solve(x, problem.b), expected = usual.solve(y, problem.b);
    EXPECT_TRUE(report.converged());
    for (const double residual : report.relative_residuals) EXPECT_LE(residual, spec.tolerance);
    EXPECT_LE(report.solve.iterations, 1.3 * expected.solve.iterations + 5);
    EXPECT_NE(test::fingerprint(x, problem.grid), test::fingerprint(y, problem.grid));  // they were short
  }
  SolverSettings alone = test::unmixed();
  alone.short_halo = true;
  EXPECT_FALSE(has_short_halo(alone));
}

// A Schur complement that is wrong about its scale by a factor, and says that it may be.
class OffScale final : public SchurOperator {
 public:
  OffScale(SchurOperator& schur, double factor, bool exact) : schur_(schur), factor_(factor), exact_(exact) {}
  const GeometryPtr& geometry() const override { return schur_.geometry(); }
  FieldSpec spec(int n) const override { return schur_.spec(n); }
  const Queue& queue() const override { return schur_.queue(); }
  Work work(int n) const override { return schur_.work(n); }
  int parity() const override { return schur_.parity(); }
  double residual_scale() const override { return factor_ * schur_.residual_scale(); }
  bool residual_scale_is_exact() const override { return exact_; }
  void reduce_source(Field& reduced, const Field& full) override { schur_.reduce_source(reduced, full); }
  void reconstruct(Field& full, const Field& x, const Field& b) override { schur_.reconstruct(full, x, b); }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override {
    dagger ? schur_.apply_dagger(out, in, active) : schur_.apply(out, in, active);
  }
  SchurOperator& schur_;
  double factor_;
  bool exact_;
};

TEST(SystemSolver, TargetsFollowWhereTheScaleIsNotExact) {
  Problem problem;
  problem.parameters.clover = {};
  DiracOperators operators = problem.operators();
  const auto symmetric = operators.outer(LinkStorage());
  LinearOperator& residual_operator = operators.residual_operator();
  SolverParameters parameters;
  parameters.tolerance = 1e-10;
  const auto solve = [&](double factor, bool exact) {
    OffScale schur(*symmetric->schur(), factor, exact);
    ConjugateGradients solver(schur, problem.grid, batch);
    Field x(problem.geometry, residual_operator.spec(batch));
    return solve_schur(schur, solver, residual_operator, problem.grid, x, problem.b, parameters);
  };
  const auto right = solve(1, true), wrong = solve(0.01, true), followed = solve(0.01, false);
  EXPECT_TRUE(right.converged());
  EXPECT_FALSE(wrong.converged());
  EXPECT_EQ(wrong.tightened, 0);
  EXPECT_TRUE(followed.converged());
  EXPECT_EQ(followed.tightened, 1);
  ASSERT_EQ(followed.solve.attempts.size(), 2u);
  EXPECT_EQ(followed.solve.iterations,
            followed.solve.attempts[0].iterations + followed.solve.attempts[1].iterations);
  EXPECT_GE(followed.solve.iterations, right.solve.iterations);
  EXPECT_LT(followed.solve.iterations, 2 * right.solve.iterations);
  // The limit is for all of it.
  parameters.max_iterations = wrong.solve.iterations + 1;
  const auto limited = solve(0.01, false);
  EXPECT_FALSE(limited.converged());
  EXPECT_EQ(limited.solve.reason(), StopReason::max_iterations);
  for (const auto& result : limited.solve.results) EXPECT_LE(result.iterations, parameters.max_iterations);
}

TEST(SystemSolver, LinksThatAreNotSU3AreOneErrorWhereTheyAreCompressed) {
  Problem problem;
  problem.parameters.clover = {};
  if (problem.grid.rank() == 0)  // the determinant of one link is -1
    for (int real = 0; real < 18; ++real)
      set_real(problem.gauge, 0, 0, 0, real, -get_real(problem.gauge, 0, 0, 0, real));
  for (const int reals : {12, 8}) {
    try {
      problem.solver(mixed(Precision::single_precision, reals));
      ADD_FAILURE() << reals << " reals were stored";
    } catch (const LinkStorageError& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input_file);
      EXPECT_EQ(error.remedy(), LinkStorageError::Remedy::reconstruction) << error.what();
    }
  }
  auto solver = problem.solver(mixed(Precision::single_precision, 18));
  EXPECT_FALSE(solver.temporal_gauge());  // which is of SU(3) alone
  Field x(problem.geometry, solver.spec_of_fields());
  EXPECT_TRUE(solver.solve(x, problem.b).converged());
}

// Isotropic clover in another program's normalisation: 1 + clover - kappa hop is 2 kappa times our matrix,
// its correlator an average over the slice.
TEST(SystemSolver, CorrelatorOfAnotherProgramInCoulombGauge) {
  const char* data = std::getenv("PLAQ_DATA_DIR");
  if (data == nullptr || *data == '\0') GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  const ProcessGrid grid(MPI_COMM_WORLD, Problem::choose());
  const auto geometry = grid.geometry({4, 4, 4, 4});
  Field gauge(geometry, gauge_spec(Precision::double_precision, host));
  read_gauge_file(std::string(data) + "/gauge/l4444_coulomb.nersc", grid, gauge);
  constexpr double kappa = 0.1;
  WilsonParameters parameters;
  parameters.mass = WilsonParameters::mass_of_kappa(kappa);
  parameters.boundary = {1, 1, 1, 1};
  parameters.clover = CloverCoefficients::isotropic(1.2);
  const Queue queue(host);
  for (const Precision inner :
       {Precision::double_precision, Precision::single_precision, Precision::half_precision}) {
    SolverSettings spec = mixed(inner, 12);
    if (inner == Precision::double_precision) spec.scheme = MixedScheme::none;
    SystemSolver solver({&grid, gauge, queue, make_host_transport(grid, host)}, wilson_action(parameters),
                        spec, 12);
    const FieldSpec spinors = solver.spec_of_fields();
    Field b(geometry, spinors), x(geometry, spinors);
    const reference::Lattice lattice{geometry->global()};
    test::for_stored_sites(*geometry, [&](int parity, int s, int site) {
      const auto at = lattice.coordinates(site);
      double square = 0;
      for (int mu = 0; mu < 3; ++mu) square += std::pow(std::min(at[mu], 4 - at[mu]), 2);
      if (at[3] != 0) return;
      for (int column = 0; column < 12; ++column)
        set_real(b, column, parity, s, 2 * column, std::exp(-square / (1.5 * 1.5)));
    });
    ASSERT_TRUE(solver.solve(x, b).converged());
    std::vector<double> found(4);
    test::for_stored_sites(*geometry, [&](int parity, int s, int site) {
      for (int column = 0; column < 12; ++column)
        for (int real = 0; real < 24; ++real)
          found[static_cast<std::size_t>(lattice.coordinates(site)[3])] +=
              std::pow(get_real(x, column, parity, s, real), 2);
    });
    MPI_Allreduce(MPI_IN_PLACE, found.data(), 4, MPI_DOUBLE, MPI_SUM, grid.comm().mpi());
    constexpr double expected[] = {4.408245, 0.2786407, 0.06210014, 0.2631308};
    for (std::size_t t = 0; t < 4; ++t)
      EXPECT_NEAR(found[t] / (64 * 4 * kappa * kappa) / expected[t], 1, 2e-5) << "t " << t;
  }
}

}  // namespace
}  // namespace plaq::system_solver_test
