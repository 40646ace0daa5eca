// Solves: against the reference's solution, and the promise that a solve has the same bits on any process
// grid and in any batch.
#include <gtest/gtest.h>

#include <bit>

#include "kernels/blas/operations.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "solvers/krylov/bicgstab.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/schur_solve.hpp"
#include "tests/reference/solve.hpp"
#include "tests/solvers/wilson_system.hpp"
#include "tests/support/first_rank.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/world.hpp"

namespace plaq::solve_test {
namespace {

using test::Batch, test::WilsonSystem, test::world_size;

const Extents extents{4, 4, 4, 8}, small{4, 4, 4, 4};
constexpr auto wide = Precision::double_precision, single = Precision::single_precision;

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

// One right-hand side or a batch: the residual norms of every iteration, and the solution's bits.
struct History {
  std::vector<std::vector<double>> norms;  // [right-hand side][iteration]
  std::vector<double> true_residuals;
  std::vector<std::uint64_t> solution;
  Field x;

  // Bits of one right-hand side.
  std::vector<std::uint64_t> bits(std::size_t i) const {
    std::vector<std::uint64_t> all{solution[i], std::bit_cast<std::uint64_t>(true_residuals[i])};
    for (const double norm : norms[i]) all.push_back(std::bit_cast<std::uint64_t>(norm));
    return all;
  }
};

struct Way {
  Method method = Method::cg;
  bool even_odd = false, reordered = false;
  Precision precision = wide;
};

History solve(const Way& way, const Batch& b, const ProcessGrid& grid, Location location,
              std::uint32_t forced = 0) {
  WilsonSystem p(grid, extents, b, 0.05, 0.3, location, forced);
  const auto& hopping = p.hopping[way.precision == wide ? 0 : 1];
  History history;
  history.x = p.zero();
  history.norms.resize(b.size());
  SolverParameters parameters;
  parameters.tolerance = way.precision == wide ? 1e-11 : 1e-5;
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
  if (way.even_odd) {
    WilsonSchur schur(hopping, 0, WilsonSchur::Form::symmetric, p.batch());
    const auto solver = make_solver(way.method, schur, grid, p.batch());
    report = solve_schur(schur, *solver, *p.in_double, grid, history.x, p.source, parameters);
  } else {
    Reordered other(p.inner(way.precision), *hopping);
    LinearOperator& a = way.reordered ? static_cast<LinearOperator&>(other) : p.inner(way.precision);
    const auto solver = make_solver(way.method, a, grid, p.batch());
    report = solve_full(a, *solver, *p.in_double, grid, history.x, p.source, parameters);
  }
  EXPECT_TRUE(report.converged());
  for (const auto& r : report.solve.results) EXPECT_TRUE(r.converged()) << name_of(r.reason);
  history.true_residuals = report.relative_residuals;
  history.solution = test::fingerprints(history.x, grid);
  return history;
}

class Solve : public testing::TestWithParam<std::tuple<Method, bool>> {};

// What several ranks find is what one rank does: below.
TEST_P(Solve, AgreesWithTheReference) {
  if (world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const auto [method, even_odd] = GetParam();
  const Batch b = test::random_sources(extents, 2);
  // One result for all methods.
  static const auto expected = [&] {
    Batch solutions;
    for (const auto& one : b)
      solutions.push_back(reference::solve({.mass = 0.05}, test::weak_links(extents), one).x);
    return solutions;
  }();
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location location : test::locations())
    for (const auto& [precision, most] : {std::pair{wide, 1e-9}, std::pair{single, 1e-3}})
      EXPECT_LT(
          test::max_difference(solve({method, even_odd, false, precision}, b, self, location).x, expected),
          most);
}

TEST_P(Solve, SameBitsOnEveryGridAndInAnyBatch) {
  const auto [method, even_odd] = GetParam();
  const Batch sources = test::random_sources(extents, 3);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Precision precision : {wide, single})
    for (const Location location : test::locations()) {
      const Way way{method, even_odd, false, precision};
      const auto alone = test::from_first_rank([&] {
        std::vector<std::vector<std::uint64_t>> each;
        for (const auto& b : sources) each.push_back(solve(way, {b}, self, location).bits(0));
        return each;
      });
      ASSERT_GT(alone[0].size(), 7u);
      std::vector<std::pair<Extents, std::uint32_t>> cases;
      for (const auto& ranks : test::some_grids(extents)) cases.push_back({ranks, 0});
      if (world_size() == 1) cases.push_back({{1, 1, 1, 1}, 15});
      for (const auto& [ranks, forced] : cases) {
        SCOPED_TRACE(to_string(ranks) + " forced " + std::to_string(forced) + " " +
                     std::string(name_of(location)));
        const ProcessGrid grid(MPI_COMM_WORLD, ranks);
        const History batch = solve(way, sources, grid, location, forced);
        for (std::size_t i = 0; i < sources.size(); ++i)
          EXPECT_EQ(batch.bits(i), alone[i]) << "right-hand side " << i;
        EXPECT_EQ(solve(way, {sources[0]}, grid, location, forced).bits(0), alone[0]);
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
  if (world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Batch b = test::random_sources(extents, 1);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location location : test::locations()) {
    const History usual = solve({}, b, self, location), again = solve({}, b, self, location),
                  moved = solve({.reordered = true}, b, self, location);
    EXPECT_EQ(usual.norms, again.norms);
    EXPECT_NE(usual.norms, moved.norms);
    EXPECT_NE(usual.solution, moved.solution);
  }
}

TEST(SolveReport, SaysWhenTheToleranceWasMissed) {
  if (world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  WilsonSystem p(self, small, test::random_sources(small, 2));
  for (const bool in_double : {true, false}) {
    WilsonSchur schur(p.hopping[in_double ? 0 : 1], 0, WilsonSchur::Form::asymmetric, 2);
    Bicgstab solver(schur, self, 2);
    Field x = p.zero();
    SolverParameters parameters;
    parameters.tolerance = in_double ? 1e-10 : 1e-12;
    parameters.max_iterations = in_double ? 3 : 1000;
    const auto report = solve_schur(schur, solver, *p.in_double, self, x, p.source, parameters);
    EXPECT_FALSE(report.converged());
    for (const auto& r : report.solve.results)
      EXPECT_EQ(r.reason, in_double ? StopReason::max_iterations : StopReason::stagnation)
          << name_of(r.reason);
    EXPECT_GT(report.relative_residuals[0], 1e-12);
  }
}

TEST(SolveReport, NoticesNotANumberAndZeroSources) {
  if (world_size() > 1) GTEST_SKIP() << "one rank is enough";
  Batch b = test::random_sources(small, 3);
  b[0][5][0][0] = std::numeric_limits<double>::quiet_NaN();
  b[1] = reference::zero_spinor({small});
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  WilsonSystem p(self, small, b);
  ConjugateGradients solver(*p.in_double, self, 3);
  Field x = p.zero();
  const auto report = solve_full(*p.in_double, solver, *p.in_double, self, x, p.source, {});
  EXPECT_EQ(report.solve.results[0].reason, StopReason::not_a_number);
  EXPECT_EQ(report.solve.results[1].reason, StopReason::converged);
  EXPECT_EQ(report.relative_residuals[1], 0);
  EXPECT_EQ(report.solve.results[2].reason, StopReason::converged);
  EXPECT_LE(report.relative_residuals[2], 1e-10);
  EXPECT_FALSE(report.converged());
}

}  // namespace
}  // namespace plaq::solve_test
