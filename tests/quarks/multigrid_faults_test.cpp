// Near-null vectors and links that are of no use: multigrid is given up by
// name, and what comes after it solves.
#include <limits>

#include "core/system/log.hpp"
#include "quarks/multigrid/setup_file.hpp"
#include "tests/quarks/dirac_problem.hpp"
#include "tests/support/files.hpp"

namespace plaq::multigrid_faults_test {
namespace {

using test::batch, test::host;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Wilson quarks on 4x4x4x8.
class MultigridFaults : public testing::Test {
 protected:
  MultigridFaults() { problem_.parameters.clover = {}; }
  void SetUp() override { log::set_level(log::Level::error); }
  void TearDown() override { log::set_level(log::Level::info); }

  static SolverSettings spec(int vectors, const Extents& block) {
    MultigridOptions multigrid;
    multigrid.blocks = {block};
    multigrid.vectors = {vectors};
    multigrid.rounds = 0;
    SolverSettings spec = with_multigrid(test::mixed(Precision::single_precision, 18), multigrid);
    spec.fallback = true;
    return spec;
  }
  SystemSolver solver(const SolverSettings& spec, const SetupPaths& setup = {}) const {
    return SystemSolver(problem_.links(), problem_.action(), spec, batch, nullptr, setup);
  }
  // A setup that was interrupted before its first round, with these vectors.
  SetupPaths file_of(const SolverSettings& spec, const std::vector<reference::SpinorField>& vectors,
                     const SetupReport& report = {}) const {
    SetupPaths paths;
    paths.own = directory_ / "setup";
    SetupFile file(problem_.links(), *problem_.action(),
                   multigrid_settings(spec, *problem_.action(), problem_.extents, Location::host), paths);
    file.keep()(report,
                test::to_plaq(vectors, problem_.geometry, Subset::full, Precision::single_precision, host));
    return paths;
  }
  std::vector<reference::SpinorField> noise(int vectors) const {
    reference::Generator generator(7);
    std::vector<reference::SpinorField> all;
    for (int k = 0; k < vectors; ++k)
      all.push_back(reference::random_spinor(reference::Lattice{problem_.extents}, generator));
    return all;
  }
  // It solves, without multigrid.
  void expect_fallback(SystemSolver& solver) const {
    EXPECT_EQ(solver.multigrid(), nullptr);
    Field x(problem_.geometry, solver.spec_of_fields());
    const FullSolveReport report = solver.solve(x, problem_.b);
    EXPECT_TRUE(report.converged()) << describe_attempts(report);
    for (const double residual : report.relative_residuals) EXPECT_LE(residual, 1e-10);
    ASSERT_FALSE(report.solve.attempts.empty());
    EXPECT_EQ(report.solve.attempts[0].method.find("multigrid"), std::string::npos);
  }
  // Nothing comes after it, so that its setup is an error.
  std::string error_without_fallback(SolverSettings spec, const SetupPaths& setup = {}) const {
    spec.fallback = false;
    try {
      solver(spec, setup);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::not_converged) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "there was no error";
    return {};
  }

  test::DiracProblem problem_;
  const test::SharedDirectory directory_;
};

constexpr const char* no_inverse = "the matrix of a coarse site is singular or not finite at ";

// tests/multigrid/setup/setup_test.cpp has those that become so in memory.
TEST_F(MultigridFaults, NearNullVectorsThatAreNoNumbersAreNotWritten) {
  auto vectors = noise(4);
  vectors[2][0][1][2] = nan;
  test::expect_error(
      [&] {
        file_of(spec(4, {2, 2, 2, 2}), vectors);
      },
      ErrorKind::output_file,
      {"expected finite numbers, found another at site (0, 0, 0, 0), near-null vector 2"});
}

// No cycle is made of what a file has no right to say.
TEST_F(MultigridFaults, CyclesThatCannotBeAreAnError) {
  const SolverSettings open = spec(4, {2, 2, 2, 2});
  SetupReport report;
  report.finished = true;
  for (const CycleParameters& cycle : {CycleParameters{0, 0.25}, {4, 1.5}, {4, 0}}) {
    report.cycles = {cycle};
    const SetupPaths setup = file_of(open, noise(4), report);
    test::expect_error([&] { solver(open, setup); }, ErrorKind::input_file, {"setup: ", "make no cycle"});
  }
  report.cycles = {{6, 0.5}};
  const SetupPaths setup = file_of(open, noise(4), report);
  const SystemSolver takes = solver(open, setup);
  ASSERT_NE(takes.multigrid(), nullptr);
  EXPECT_EQ(takes.multigrid()->report().cycles, report.cycles);
}

// Whatever solves then says so as well, and ends.
TEST_F(MultigridFaults, LinksThatAreNoNumbersEndEverySolve) {
  if (problem_.grid.rank() == 0) set_real(problem_.gauge, 2, 0, 3, 4, nan);
  const SolverSettings multigrid = spec(4, {2, 2, 2, 2});
  SystemSolver fallen = solver(multigrid);
  EXPECT_EQ(fallen.multigrid(), nullptr);
  Field x(problem_.geometry, fallen.spec_of_fields());
  const FullSolveReport report = fallen.solve(x, problem_.b);
  EXPECT_FALSE(report.converged());
  ASSERT_FALSE(report.solve.attempts.empty());
  for (const Attempt& attempt : report.solve.attempts) {
    EXPECT_EQ(attempt.reason, StopReason::not_a_number) << attempt.method;
    EXPECT_EQ(attempt.iterations, 0) << attempt.method;
  }
  EXPECT_NE(error_without_fallback(multigrid).find(no_inverse), std::string::npos);
}

// A vector of ones, links of c_mu and blocks in which a site has the share f_mu of its neighbours: where the
// sum of c_mu is that of c_mu f_mu, which is m + 4 as well, the matrices of blocks are 0 but at the boundary
// in t. Those are all exact numbers of the machine.
TEST_F(MultigridFaults, ASingularCoarseMatrixIsGivenUp) {
  const reference::Lattice lattice{problem_.extents};
  constexpr double c[] = {-1, 1, 2, -1};
  reference::GaugeField links = reference::unit_gauge(lattice);
  for (auto& of_site : links.link)
    for (std::size_t mu = 0; mu < 4; ++mu) of_site[mu] = c[mu] * of_site[mu];
  problem_.gauge = test::to_plaq(links, problem_.geometry, Precision::double_precision, host);
  problem_.parameters.mass = -3;
  std::vector<reference::SpinorField> ones(1, reference::zero_spinor(lattice));
  for (auto& site : ones[0]) site[0][0] = site[0][1] = site[2][0] = site[2][1] = 1;
  SolverSettings multigrid = spec(1, {1, 2, 2, 2});
  multigrid.multigrid->storage = Precision::single_precision;
  multigrid.max_iterations = 100;  // BiCGstab is lost with these links, CG is not
  const SetupPaths setup = file_of(multigrid, ones);
  SystemSolver fallen = solver(multigrid, setup);
  expect_fallback(fallen);
  const std::string error = error_without_fallback(multigrid, setup);
  EXPECT_NE(error.find("the coarsest operator, on 4x2x2x4 with 64 rows, is singular"), std::string::npos)
      << error;
}

}  // namespace
}  // namespace plaq::multigrid_faults_test
