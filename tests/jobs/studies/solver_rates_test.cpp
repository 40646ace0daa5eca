// Names of storages, and rates of whole Krylov methods.
#include "jobs/rates/solver_rates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "comms/grid/grid_choice.hpp"
#include "comms/transport/transport_choice.hpp"
#include "jobs/bench/study_storage.hpp"
#include "jobs/dirac/storage_names.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/rated_action.hpp"
#include "quarks/action/wilson_action.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "solvers/krylov/krylov_method.hpp"

namespace plaq::jobs::test {
namespace {

TEST(ParseStorage, NamesComeBack) {
  const auto names = storage_names().texts();
  EXPECT_EQ(names.size(), 9u);
  for (const auto& name : names) EXPECT_EQ(name_of(*storage_names().read(name)), name);
  EXPECT_EQ(*storage_names().read("half 12"), LinkStorage(Precision::half_precision, 12));
  for (const char* text : {"", "half", "half 16", "half  12", "Half 12", "half 12 ", "18 double"})
    EXPECT_FALSE(storage_names().read(text)) << text;
  EXPECT_EQ(study_storage_names().texts().size(), 10u);
  for (const std::string& name : study_storage_names().texts())
    EXPECT_EQ(name_of(*study_storage_names().read(name)), name);
  EXPECT_EQ(name_of(StudyStorage(Precision::single_precision, 0)), "single");
}

// They run as many iterations as asked for, each with the work of the method, in every precision; also if the
// residual falls to nothing on the way.
TEST(SolverRates, CountIterationsAndWork) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Extents extents{4, 4, 4, 4};
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(ranks, extents));
  const auto geometry = grid.geometry(extents);
  const Queue queue(Location::host);
  const RateProblem problem{grid, random_gauge(geometry, 11), queue,
                            make_host_transport(grid, Location::host), 1};
  WilsonParameters parameters;
  for (const double mass : {0.1, 1000.0})
    for (const auto& name : {"double 18", "single 12", "half 8"}) {
      parameters.mass = mass;
      const LinkStorage storage = *storage_names().read(name);
      const auto action = make_rated_action(problem, wilson_action(parameters));
      const auto application = action->schur(true, storage, 1);
      LinearOperator& schur = application->schur();
      const Field b = application->random(43);
      for (const auto* method : {"cg", "bicgstab"}) {
        SCOPED_TRACE(std::string(method) + " " + name + " " + std::to_string(mass));
        const auto krylov = plaq::make_method(method, schur, 1);
        const SolverRate rate = solver_rate(grid, *krylov, b, 60);
        EXPECT_EQ(rate.iterations, 60);
        EXPECT_TRUE(rate.seconds > 0 && std::isfinite(rate.seconds));
        const double of_operator = 2 * schur.work(1).flops * ranks * 60;
        EXPECT_GT(rate.flops, of_operator);
        EXPECT_LT(rate.flops, 1.6 * of_operator);
        // Each iteration does the same.
        EXPECT_NEAR(solver_rate(grid, *krylov, b, 3).flops, rate.flops / 20, 1e-6 * rate.flops);
      }
    }
}

}  // namespace
}  // namespace plaq::jobs::test
