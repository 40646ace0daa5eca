// Parts of kernel studies: names of storages, keys, what becomes of the results of pieces, rates of methods.
#include "jobs/kernel_study/kernel_study_keys.hpp"
#include "quarks/action/wilson_action.hpp"

#include <cmath>

#include "jobs/dirac/storage_names.hpp"
#include "jobs/kernel_study/kernel_study_results.hpp"
#include "jobs/kernel_study/kernel_study_tables.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/rated_action.hpp"
#include "jobs/rates/solver_rates.hpp"
#include "jobs/study/columns.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "solvers/krylov/make_method.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

const std::string study_text = R"(job = "kernel_study"
[lattice]
extents = [4, 4, 4, 8]
[action]
mass = 0.5
[rates]
temporal_extents = [4, 16]
storages = ["half 12", "single 8"]
operators = ["schur"]
[solvers]
methods = ["bicgstab"]
storages = ["double 18"]
[accuracy]
epsilons = [0.5]
[output]
file = "kernels.h5"
)";

TEST(ParseStorage, NamesComeBack) {
  const auto names = storage_names().texts();
  EXPECT_EQ(names.size(), 9u);
  for (const auto& name : names) EXPECT_EQ(name_of(*storage_names().read(name)), name);
  EXPECT_EQ(*storage_names().read("half 12"), LinkStorage(Precision::half_precision, 12));
  for (const char* text : {"", "half", "half 16", "half  12", "Half 12", "half 12 ", "18 double"})
    EXPECT_FALSE(storage_names().read(text)) << text;
}

TEST(KernelStudyKeys, PiecesAndNames) {
  const KernelStudyKeys keys(JobFile::parse(study_text, "job.toml"));
  EXPECT_EQ(keys.piece_names(),
            (std::vector<std::string>{"rates 4", "rates 16", "solvers double 18", "accuracy"}));
  EXPECT_EQ(keys.name_of("hop"), "wilson_hop");
  EXPECT_EQ(keys.name_of("schur_asymmetric"), "wilson_schur_asy");
  EXPECT_EQ(keys.accurate_storages.size(), 9u);
  EXPECT_EQ(keys.accuracy_extent, 8);
  const KernelStudyKeys clover(
      JobFile::parse(study_text, "job.toml",
                     {"action.type=clover", "action.c_sw=1", "accuracy.storages=[]", "solvers.methods=[]",
                      "accuracy.epsilons=[]", "accuracy.temporal_extent=2"}));
  EXPECT_EQ(clover.piece_names().size(), 2u);
  EXPECT_EQ(clover.name_of("schur"), "clover_schur");
  EXPECT_EQ(clover.accuracy_extent, 2);
  ASSERT_EQ(clover.epsilons.size(), 36u);
  EXPECT_EQ(clover.epsilons.front(), 1e-18);
  EXPECT_DOUBLE_EQ(clover.epsilons.back(), 0.3);
}

Measured rate(double microseconds, double flops, double bytes) {
  return OperatorRate{{microseconds, microseconds / 2, microseconds * 2, 5}, {flops, bytes}, 1e-7, ""};
}

TEST(KernelStudyResults, PiecesAreJoinedAlongTheLastAxis) {
  KernelStudyKeys keys(JobFile::parse(study_text, "job.toml"));
  keys.accurate_storages.resize(1);
  // [operator][storage][right_hand_sides]
  const auto piece = [&](double t) {
    return results_of_rates(
        {rate(1, 1e6 * t, 10), rate(4, 1e6 * t, 10), rate(2, 1e6 * t, 10), rate(8, 1e6 * t, 10)}, keys, 3,
        1e6);
  };
  // An iteration of a rank.
  const Measured solver = rate(2e5, 1e8, 0);
  const Results all =
      join_kernel_study({piece(1), piece(10), results_of_solvers({rate(1e6, 1e9, 0), solver}, 3),
                         results_of_accuracy({{{0.25}, 0.75}}, keys.epsilons)},
                        keys);
  // GFLOPS of three ranks.
  const std::vector<double> expected{3000, 30000, 1500, 15000, 750, 7500, 375, 3750};
  const Numbers gflops(all, "/rates/gflops");
  ASSERT_EQ(gflops.extents(), (std::vector<std::size_t>{2, 1, 2, 2}));
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(gflops[i], expected[i]);
  EXPECT_DOUBLE_EQ(Numbers(all, "/rates/bytes_per_second")[0], 3e7);
  EXPECT_DOUBLE_EQ(Numbers(all, "/rates/share")[0], 10);
  for (const int t : {0, 1}) EXPECT_EQ(Numbers(all, "/rates/stream_bytes_per_second")(t), 1e6);
  EXPECT_DOUBLE_EQ(Numbers(all, "/solvers/gflops")[0], 1.5);
  EXPECT_DOUBLE_EQ(Numbers(all, "/solvers/operator_gflops")[0], 3);
  EXPECT_DOUBLE_EQ(Numbers(all, "/solvers/share")[0], 0.5);
  EXPECT_DOUBLE_EQ(Numbers(all, "/solvers/microseconds")[0], 2e5);
  EXPECT_FALSE(Numbers::are_in(all, "/rates/absent"));
  for (const auto& dataset : all.datasets) {
    const auto axes = std::get<std::vector<std::string>>(*find_attribute(dataset.attributes, "axes"));
    EXPECT_EQ(axes.size(), dataset.extents.size()) << dataset.path;
  }

  const std::string text = kernel_study_text(keys, all);
  expect_holds(text, "wilson_schur      half 12      1       3000.00  30000.00");
  expect_holds(text, "wilson_schur      single 8    12        375.00   3750.00");
  expect_holds(text, "double 18         3.00       1.50  50.0%");
  expect_holds(text, "5e-01          0.25");
  expect_holds(rates_text(keys, 4, piece(1)), "single 8    1500.00 500.0%    375.00 125.0%");
  expect_holds(solvers_line(keys, keys.solved_storages[0], results_of_solvers({rate(1, 1, 1), solver}, 3)),
               "4x4x4x8 double 18: wilson_schur 0.00 GFLOPS, bicgstab 1.50");
}

// As many iterations as asked for, the work of each being that of the method, in every precision; also where
// the residual falls to nothing on the way.
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
