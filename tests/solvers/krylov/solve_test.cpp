// Solves: against the reference's solution, and the promise that a solve has the same bits on any process
// grid and in any batch.
#include <gtest/gtest.h>

#include "kernels/blas/operations.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "solvers/krylov/bicgstab.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/schur_solve.hpp"
#include "tests/reference/solve.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/first_rank.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::world_size;

struct Problem {
  Extents extents;
  reference::GaugeField gauge;
  std::vector<reference::SpinorField> b;
  WilsonParameters ours;
  reference::WilsonParameters theirs;
};

Problem make_problem(const Extents& extents, int batch) {
  reference::Generator generator(3);
  const reference::Lattice lattice{extents};
  Problem p{extents, reference::weak_gauge(lattice, generator, 0.3), {}, {}, {}};
  for (int i = 0; i < batch; ++i) p.b.push_back(reference::random_spinor(lattice, generator));
  p.ours.mass = p.theirs.mass = 0.05;
  return p;
}

enum class Method { cg, bicgstab };

std::unique_ptr<Solver> make_solver(Method method, LinearOperator& a, const ProcessGrid& grid, int batch) {
  if (method == Method::cg) return std::make_unique<ConjugateGradients>(a, grid, batch);
  return std::make_unique<Bicgstab>(a, grid, batch);
}

// Adds the diagonal term before the last direction instead of after it: the same operator, one addition
// elsewhere.
class Reordered final : public LinearOperator {
 public:
  Reordered(LinearOperator& a, WilsonHopping& hopping)
      : a_(a), hopping_(hopping), work_(hopping.queue(), 1) {}
  const GeometryPtr& geometry() const override { return a_.geometry(); }
  FieldSpec spec(int batch) const override { return a_.spec(batch); }
  const Queue& queue() const override { return a_.queue(); }
  Work work(int batch) const override { return a_.work(batch); }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override {
    const double d = hopping_.parameters().diagonal();
    for (int p = 0; p < 2; ++p) hopping_.apply(out, in, p, dagger, active, {d - 1, &in, -0.5});
    std::vector<blas::Coefficients> one(1);
    one[0].value[0] = 1;
    blas::update<blas::Axpy>(work_, one, {&in, &out});
  }
  LinearOperator& a_;
  WilsonHopping& hopping_;
  blas::Workspace work_;
};

// The residual norms of every iteration, as bits, for one right-hand side or a batch.
struct History {
  std::vector<std::vector<double>> norms;  // [right-hand side][iteration]
  std::vector<double> true_residuals;
  std::uint64_t solution = 0;
};

History solve(const Problem& problem, const std::vector<reference::SpinorField>& b, const ProcessGrid& grid,
              std::uint32_t forced, Method method, bool even_odd, Precision precision, Location location,
              bool reordered = false, Field* solution = nullptr, double tolerance = 0) {
  const int batch = static_cast<int>(b.size());
  const auto geometry = grid.geometry(problem.extents, forced);
  const Queue queue(location);
  const auto transport = make_host_transport(grid, location);
  const Field gauge = test::to_plaq(problem.gauge, geometry, Precision::double_precision, Location::host);
  const auto hopping =
      std::make_shared<WilsonHopping>(grid, gauge, problem.ours, precision, queue, transport);
  WilsonOperator full(hopping);
  WilsonOperator residual_operator(std::make_shared<WilsonHopping>(
      grid, gauge, problem.ours, Precision::double_precision, queue, transport));
  const Field source = test::to_plaq(b, geometry, Subset::full, Precision::double_precision, location);
  Field x(geometry, residual_operator.spec(batch));
  History history;
  history.norms.resize(b.size());
  SolverParameters parameters;
  parameters.tolerance = tolerance > 0 ? tolerance : precision == Precision::double_precision ? 1e-11 : 1e-5;
  parameters.max_iterations = 500;
  parameters.watch = [&](int iteration, const std::vector<double>& norms) {
    for (std::size_t i = 0; i < norms.size(); ++i) {
      auto& h = history.norms[i];
      // Converged right-hand sides repeat their last norm.
      if (static_cast<int>(h.size()) < iteration && (h.empty() || h.back() != norms[i]))
        h.push_back(norms[i]);
    }
  };
  FullSolveReport report;
  if (even_odd) {
    WilsonSchur schur(hopping, 0, WilsonSchur::Form::symmetric, batch);
    const auto solver = make_solver(method, schur, grid, batch);
    report = solve_schur(schur, *solver, residual_operator, grid, x, source, parameters);
  } else {
    Reordered other(full, *hopping);
    LinearOperator& a = reordered ? static_cast<LinearOperator&>(other) : full;
    const auto solver = make_solver(method, a, grid, batch);
    report = solve_full(a, *solver, residual_operator, grid, x, source, parameters);
  }
  EXPECT_TRUE(report.converged());
  for (const auto& r : report.solve.results) EXPECT_TRUE(r.converged()) << name_of(r.reason);
  history.true_residuals = report.relative_residuals;
  history.solution = test::fingerprint(x, grid);
  if (solution != nullptr) *solution = x;
  return history;
}

class Solve : public testing::TestWithParam<std::tuple<Method, bool>> {};

TEST_P(Solve, AgreesWithTheReference) {
  const auto [method, even_odd] = GetParam();
  const Problem problem = make_problem({4, 4, 4, 8}, 2);
  // The same for all methods.
  static const auto expected = test::from_first_rank([&] {
    std::vector<reference::SpinorField> solutions;
    for (const auto& b : problem.b) solutions.push_back(reference::solve(problem.theirs, problem.gauge, b).x);
    return solutions;
  });
  for (const Location location : test::locations()) {
    for (const auto& ranks : allowed_grids(world_size(), problem.extents)) {
      SCOPED_TRACE(to_string(ranks) + " " + std::string(name_of(location)));
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      Field x;
      solve(problem, problem.b, grid, 0, method, even_odd, Precision::double_precision, location, false, &x);
      EXPECT_LT(test::max_difference(x, expected), 1e-9);
      solve(problem, problem.b, grid, 0, method, even_odd, Precision::single_precision, location, false, &x);
      EXPECT_LT(test::max_difference(x, expected), 1e-3);
    }
  }
}

TEST_P(Solve, SameBitsOnEveryGridAndInAnyBatch) {
  const auto [method, even_odd] = GetParam();
  const Problem problem = make_problem({4, 4, 4, 8}, 3);
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    for (const Location location : test::locations()) {
      const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
      std::vector<History> alone;
      for (const auto& b : problem.b)
        alone.push_back(solve(problem, {b}, self, 0, method, even_odd, precision, location));
      ASSERT_GT(alone[0].norms[0].size(), 5u);
      std::vector<std::pair<Extents, std::uint32_t>> cases;
      for (const auto& ranks : allowed_grids(world_size(), problem.extents)) cases.push_back({ranks, 0});
      if (world_size() == 1) cases.push_back({{1, 1, 1, 1}, 15});
      for (const auto& [ranks, forced] : cases) {
        SCOPED_TRACE(to_string(ranks) + " forced " + std::to_string(forced) + " " +
                     std::string(name_of(location)));
        const ProcessGrid grid(MPI_COMM_WORLD, ranks);
        const History batch = solve(problem, problem.b, grid, forced, method, even_odd, precision, location);
        for (std::size_t i = 0; i < problem.b.size(); ++i) {
          EXPECT_EQ(batch.norms[i], alone[i].norms[0]) << "right-hand side " << i;
          EXPECT_EQ(batch.true_residuals[i], alone[i].true_residuals[0]) << "right-hand side " << i;
        }
        const History one =
            solve(problem, {problem.b[0]}, grid, forced, method, even_odd, precision, location);
        EXPECT_EQ(one.solution, alone[0].solution);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Solve,
                         testing::Combine(testing::Values(Method::cg, Method::bicgstab), testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param) == Method::cg ? "cg" : "bicgstab") +
                                  (std::get<1>(info.param) ? "EvenOdd" : "Full");
                         });

// The comparison above can fail: one addition in another order is enough.
TEST(SolveBits, ChangeWhenOneAdditionMoves) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Problem problem = make_problem({4, 4, 4, 8}, 1);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location location : test::locations()) {
    const History usual =
        solve(problem, problem.b, self, 0, Method::cg, false, Precision::double_precision, location);
    const History again =
        solve(problem, problem.b, self, 0, Method::cg, false, Precision::double_precision, location);
    const History moved =
        solve(problem, problem.b, self, 0, Method::cg, false, Precision::double_precision, location, true);
    EXPECT_EQ(usual.norms, again.norms);
    EXPECT_NE(usual.norms, moved.norms);
    EXPECT_NE(usual.solution, moved.solution);
  }
}

TEST(SolveReport, SaysWhenTheToleranceWasMissed) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Problem problem = make_problem({4, 4, 4, 4}, 2);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry(problem.extents);
  const Queue queue(Location::host);
  const Field gauge = test::to_plaq(problem.gauge, geometry, Precision::double_precision, Location::host);
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    const auto hopping =
        std::make_shared<WilsonHopping>(self, gauge, problem.ours, precision, queue, nullptr);
    WilsonOperator residual_operator(std::make_shared<WilsonHopping>(
        self, gauge, problem.ours, Precision::double_precision, queue, nullptr));
    WilsonSchur schur(hopping, 0, WilsonSchur::Form::asymmetric, 2);
    Bicgstab solver(schur, self, 2);
    const Field b =
        test::to_plaq(problem.b, geometry, Subset::full, Precision::double_precision, Location::host);
    Field x(geometry, residual_operator.spec(2));
    SolverParameters parameters;
    parameters.tolerance = precision == Precision::double_precision ? 1e-10 : 1e-12;
    parameters.max_iterations = precision == Precision::double_precision ? 3 : 1000;
    const auto report = solve_schur(schur, solver, residual_operator, self, x, b, parameters);
    EXPECT_FALSE(report.converged());
    for (const auto& r : report.solve.results)
      EXPECT_EQ(r.reason, precision == Precision::double_precision ? StopReason::max_iterations
                                                                   : StopReason::stagnation)
          << name_of(r.reason);
    EXPECT_GT(report.relative_residuals[0], 1e-12);
  }
}

TEST(SolveReport, NoticesNotANumberAndZeroSources) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  Problem problem = make_problem({4, 4, 4, 4}, 3);
  problem.b[0][5][0][0] = std::numeric_limits<double>::quiet_NaN();
  problem.b[1] = reference::zero_spinor({problem.extents});
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry(problem.extents);
  const Queue queue(Location::host);
  const Field gauge = test::to_plaq(problem.gauge, geometry, Precision::double_precision, Location::host);
  const auto hopping =
      std::make_shared<WilsonHopping>(self, gauge, problem.ours, Precision::double_precision, queue, nullptr);
  WilsonOperator m(hopping);
  ConjugateGradients solver(m, self, 3);
  const Field b =
      test::to_plaq(problem.b, geometry, Subset::full, Precision::double_precision, Location::host);
  Field x(geometry, m.spec(3));
  const auto report = solve_full(m, solver, m, self, x, b, {});
  EXPECT_EQ(report.solve.results[0].reason, StopReason::not_a_number);
  EXPECT_EQ(report.solve.results[1].reason, StopReason::converged);
  EXPECT_EQ(report.relative_residuals[1], 0);
  EXPECT_EQ(report.solve.results[2].reason, StopReason::converged);
  EXPECT_LE(report.relative_residuals[2], 1e-10);
  EXPECT_FALSE(report.converged());
}

}  // namespace
}  // namespace plaq
