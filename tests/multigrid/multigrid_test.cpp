// The whole preconditioner: setups of two and three levels, on Wilson quarks near the critical mass.
#include "multigrid/multigrid.hpp"

#include <gtest/gtest.h>

#include "solvers/krylov/krylov_solver.hpp"
#include "solvers/krylov/make_method.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/wilson_level.hpp"
#include "tests/support/same_as_alone.hpp"

namespace plaq {
namespace {

constexpr int batch = 2;

struct Problem {
  test::WilsonSystem system;
  WilsonSchur schur;
  std::unique_ptr<Multigrid> multigrid;

  Problem(const ProcessGrid& grid, const Extents& extents, double mass, const MultigridSettings& settings,
          Location where, std::uint32_t forced = 0)
      : system(grid, extents, test::random_sources(extents, batch), mass, 0.3, where, forced),
        schur(system.hopping[0], 0, WilsonSchur::Form::asymmetric, batch),
        multigrid(std::make_unique<Multigrid>(
            std::make_unique<test::WilsonLevel>(system, make_host_transport(grid, where), system.hopping[0]),
            settings)) {}

  // Of S x = b on the even sites.
  SolveReport solve(std::string_view method, LinearOperator* preconditioner, Field& x) {
    MethodSettings settings;
    settings.preconditioner = preconditioner;
    Field b(system.geometry, schur.spec(batch));
    copy_parity(b, system.source, 0, system.queue);
    x = Field(system.geometry, schur.spec(batch));
    KrylovSolver solver(make_method(method, schur, batch, settings), system.grid, batch);
    SolverParameters parameters;
    parameters.tolerance = 1e-10;
    parameters.max_iterations = 2000;
    return solver.solve(x, b, parameters);
  }
};

MultigridSettings two_levels() {
  MultigridSettings settings;
  settings.levels = {{{4, 2, 2, 4}, 8, 4, {0.1, 30}}};
  settings.storage = Precision::single_precision;
  return settings;
}

MultigridSettings three_levels() {
  MultigridSettings settings;
  settings.levels = {{{2, 2, 2, 2}, 8, 4, {0.1, 10}}, {{2, 1, 1, 2}, 8, 4, {0.1, 30}}};
  settings.storage = Precision::single_precision;
  return settings;
}

TEST(Multigrid, NeedsFewIterationsNearTheCriticalMass) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations())
    for (const MultigridSettings& settings : {two_levels(), three_levels()}) {
      Problem p(self, {8, 4, 4, 16}, -0.7, settings, where);
      Field x, y;
      const SolveReport plain = p.solve("bicgstab", nullptr, x), with = p.solve("gcr", p.multigrid.get(), y);
      for (const SolveReport* report : {&plain, &with})
        for (const auto& result : report->results) EXPECT_EQ(result.reason, StopReason::converged);
      EXPECT_LT(4 * with.iterations, plain.iterations);
      EXPECT_LT(test::deviation(y, test::Columns(test::to_vectors(x))).most(), 1e-7);
      const SetupReport& report = p.multigrid->report();
      std::printf("plain %d with %d rounds %d rho %g k %g s %g\n", plain.iterations, with.iterations,
                  report.rounds, report.kept.reduction, report.kept.coarse_iterations, report.seconds);
      for (const auto& probe : report.probes)
        std::printf("  rho %g k %g\n", probe.reduction, probe.coarse_iterations);
    }
}

}  // namespace
}  // namespace plaq
