// Every method alone, with reliable updates and with defect correction: they reach what double reaches, in
// about as many iterations, with the same bits in any batch and on any process grid.
#include <gtest/gtest.h>

#include <bit>

#include "solvers/schur_solve.hpp"
#include "tests/solvers/krylov/methods.hpp"
#include "tests/solvers/test_operators.hpp"
#include "tests/solvers/wilson_system.hpp"
#include "tests/support/first_rank.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/world.hpp"

namespace plaq::mixed_precision_test {
namespace {

constexpr double tolerance = 1e-12;
const Extents extents{4, 4, 4, 8}, small{4, 4, 4, 4};
const MixedScheme schemes[] = {MixedScheme::none, MixedScheme::reliable_updates,
                               MixedScheme::defect_correction};

SolverParameters usual() {
  SolverParameters p;
  p.tolerance = tolerance;
  p.max_iterations = 2000;
  return p;
}

MethodSettings settings(double inner_tolerance = 1e-4) {
  MethodSettings s;
  s.inner_tolerance = inner_tolerance;
  return s;
}

class Mixed : public testing::TestWithParam<std::string> {};

TEST_P(Mixed, ReachesTheToleranceOfDouble) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  test::WilsonSystem p(self, extents, test::random_sources(extents, 2));
  int in_double = 0;
  Field expected;
  for (const MixedScheme scheme : schemes)
    for (const Precision inner : {Precision::double_precision, Precision::single_precision}) {
      if (scheme == MixedScheme::none && inner == Precision::single_precision) continue;
      SCOPED_TRACE(std::string(name_of(scheme)) + ", inner " + std::string(name_of(inner)));
      const auto solver =
          test::make_solver(GetParam(), scheme, *p.in_double, p.inner(inner), self, 2, settings());
      Field x = p.zero();
      const SolveReport report = solver->solve(x, p.source, usual());
      EXPECT_TRUE(report.converged()) << name_of(report.reason());
      // Measured from outside.
      for (const double residual : true_residuals(*p.in_double, self, x, p.source))
        EXPECT_LE(residual, tolerance * 1.000001);
      ASSERT_EQ(report.attempts.size(), 1u);
      EXPECT_EQ(report.attempts[0].scheme, scheme);
      EXPECT_EQ(report.attempts[0].inner, inner);
      EXPECT_EQ(report.attempts[0].outer, Precision::double_precision);
      EXPECT_GT(report.inner.right_hand_sides, 0);
      EXPECT_GE(report.outer.right_hand_sides, 4);  // first and last residual of both
      if (scheme == MixedScheme::none) {
        in_double = report.iterations;
        expected = x;
        continue;
      }
      EXPECT_GT(report.results[0].updates, 2);
      EXPECT_LE(report.iterations, (scheme == MixedScheme::reliable_updates ? 1.15 : 1.35) * in_double);
      // The solution does not depend on the inner precision.
      EXPECT_LT(test::max_difference(x, test::to_vectors(expected)), 1e-10);
    }
}

// Norms of the iterated residual as bits, without the repetitions of converged right-hand sides.
struct History {
  std::vector<std::vector<double>> norms;
  std::vector<SolveResult> results;
  std::vector<std::uint64_t> solution;

  // Bits of one right-hand side; a source of 0 has no norms of its own.
  std::vector<std::uint64_t> bits(std::size_t i) const {
    const SolveResult& r = results[i];
    std::vector<std::uint64_t> all{solution[i], std::bit_cast<std::uint64_t>(r.residual_norm),
                                   static_cast<std::uint64_t>(r.updates)};
    for (const double norm : norms[i])
      if (r.source_norm > 0) all.push_back(std::bit_cast<std::uint64_t>(norm));
    return all;
  }
};

struct Source {
  reference::SpinorField b;
  double target;
};

History run(const std::string& method, MixedScheme scheme, const ProcessGrid& grid, std::uint32_t forced,
            const std::vector<Source>& sources) {
  std::vector<reference::SpinorField> b;
  SolverParameters parameters = usual();
  for (const Source& source : sources) {
    b.push_back(source.b);
    parameters.targets.push_back(source.target);
  }
  const int batch = static_cast<int>(b.size());
  test::WilsonSystem p(grid, small, b, 0.05, 0.3, Location::host, forced);
  const auto solver = test::make_solver(method, scheme, *p.in_double, *p.in_single, grid, batch, settings());
  History history;
  history.norms.resize(b.size());
  parameters.watch = [&](int, const std::vector<double>& norms) {
    for (std::size_t i = 0; i < norms.size(); ++i)
      if (history.norms[i].empty() || history.norms[i].back() != norms[i])
        history.norms[i].push_back(norms[i]);
  };
  Field x = p.zero();
  history.results = solver->solve(x, p.source, parameters).results;
  history.solution = test::fingerprints(x, grid);
  return history;
}

// One needs no iteration, one is tiny and asks for less, so that members leave the batch at different times.
TEST_P(Mixed, SameBitsAloneInABatchAndOnEveryGrid) {
  const int size = test::world_size();
  auto point = reference::zero_spinor({small});
  point[0][0][0] = 1e-6;
  const std::vector<Source> sources{
      {test::random_sources(small, 1)[0], 1e-10}, {point, 1e-12}, {reference::zero_spinor({small}), 0}};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const MixedScheme scheme : {MixedScheme::reliable_updates, MixedScheme::defect_correction}) {
    const auto alone = test::from_first_rank([&] {
      std::vector<std::vector<std::uint64_t>> each;
      std::vector<int> iterations;
      for (const auto& one : sources) {
        const History h = run(GetParam(), scheme, self, 0, {one});
        each.push_back(h.bits(0));
        iterations.push_back(h.results[0].iterations);
      }
      EXPECT_EQ(iterations[2], 0);
      EXPECT_NE(iterations[0], iterations[1]);
      return each;
    });
    for (const auto& ranks : test::some_grids(small)) {
      SCOPED_TRACE(std::string(name_of(scheme)) + " on " + to_string(ranks));
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      const History batch = run(GetParam(), scheme, grid, size == 1 ? 15u : 0u, sources);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        EXPECT_EQ(batch.bits(i), alone[i]) << "right-hand side " << i;
        EXPECT_TRUE(batch.results[i].converged()) << name_of(batch.results[i].reason);
      }
      EXPECT_EQ(run(GetParam(), scheme, grid, 0, {sources[0]}).bits(0), alone[0]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Mixed, testing::ValuesIn(test::method_names),
                         [](const auto& info) { return info.param; });

// An inner operator of few bits: reliable updates still come to the tolerance of double.
TEST(Mixed, FewBitsInside) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  test::WilsonSystem p(self, extents, test::random_sources(extents, 1));
  for (const int bits : {15, 11})
    for (const std::string method : {"cg", "bicgstab"})
      for (const MixedScheme scheme : {MixedScheme::reliable_updates, MixedScheme::defect_correction}) {
        SCOPED_TRACE(method + ", " + std::to_string(bits) + " bits, " + std::string(name_of(scheme)));
        test::RoundedOperator rounded(*p.in_single, bits);
        Field x = p.zero(), y = p.zero();
        SolverParameters parameters = usual();
        const auto in_double =
            test::make_solver(method, MixedScheme::none, *p.in_double, *p.in_double, self, 1)
                ->solve(y, p.source, parameters);
        const auto report = test::make_solver(method, scheme, *p.in_double, rounded, self, 1, settings(0.1))
                                ->solve(x, p.source, parameters);
        EXPECT_TRUE(report.converged()) << name_of(report.reason());
        EXPECT_LE(report.iterations, 1.25 * in_double.iterations);
      }
}

// Residuals far below the range of single precision: the inner vectors are scaled.
TEST(Mixed, TinySources) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  auto b = test::random_sources(extents, 1);
  for (auto& site : b[0])
    for (auto& spin : site)
      for (auto& z : spin) z *= 1e-60;
  test::WilsonSystem p(self, extents, b);
  for (const MixedScheme scheme : {MixedScheme::reliable_updates, MixedScheme::defect_correction})
    for (const std::string& method : test::method_names) {
      Field x = p.zero();
      const auto solver = test::make_solver(method, scheme, *p.in_double, *p.in_single, self, 1, settings());
      EXPECT_TRUE(solver->solve(x, p.source, usual()).converged()) << method << " " << name_of(scheme);
    }
}

// A method that differs only in what it does when its residual is replaced.
class OtherAfterUpdate final : public KrylovMethod {
 public:
  enum class Then { nothing, restart };
  OtherAfterUpdate(std::unique_ptr<KrylovMethod> method, int batch, Then then)
      : KrylovMethod(method->a(), batch), method_(std::move(method)), then_(then) {}
  std::string_view name() const override { return "other after a reliable update"; }
  void begin(Batch& batch, const ActiveSet& which, const Field& r) override {
    method_->begin(batch, which, r);
  }
  void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
            std::vector<char>& breakdown) override {
    method_->step(batch, x, r, norms, breakdown);
  }
  void flush_updates(Batch& batch, const ActiveSet& which, Field& x, const Field& r) override {
    method_->flush_updates(batch, which, x, r);
  }
  void after_reliable_update(Batch& batch, const ActiveSet& which, const Field& r) override {
    if (then_ == Then::restart) method_->begin(batch, which, r);
  }

 private:
  std::unique_ptr<KrylovMethod> method_;
  Then then_;
};

// Condition number 30 of A, 6 bits: the residual drifts much from one update to the next.
TEST(ConjugateGradients, NeedTheirDirectionMadeOrthogonal) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry(small);
  const Queue queue(Location::host);
  const auto spectrum = [](int site, int k) {
    return std::complex<double>(std::pow(30.0, -std::fmod((12 * site + k) * 0.6180339887498949, 1.0)));
  };
  test::DiagonalOperator a(geometry, Precision::double_precision, queue, spectrum);
  test::DiagonalOperator low(geometry, Precision::single_precision, queue, spectrum);
  test::RoundedOperator rounded(low, 6);
  const Field b = test::to_plaq(test::random_sources(small, 1), geometry, Subset::full,
                                Precision::double_precision, Location::host);
  const auto iterations = [&](LinearOperator& inner, const OtherAfterUpdate::Then* then) {
    std::unique_ptr<KrylovMethod> method = std::make_unique<Cgnr>(inner, 1);
    if (then != nullptr) method = std::make_unique<OtherAfterUpdate>(std::move(method), 1, *then);
    ReliableUpdates solver(a, std::move(method), self, 1);
    Field x(geometry, a.spec(1));
    const auto report = solver.solve(x, b, usual());
    EXPECT_TRUE(report.converged());
    return report.iterations;
  };
  const auto nothing = OtherAfterUpdate::Then::nothing, restarted = OtherAfterUpdate::Then::restart;
  const int in_double = iterations(a, nullptr), orthogonal = iterations(rounded, nullptr);
  EXPECT_LT(orthogonal, 1.15 * in_double);
  EXPECT_GT(iterations(rounded, &nothing), 1.1 * orthogonal);     // a direction that is not orthogonal
  EXPECT_GT(iterations(rounded, &restarted), 1.05 * orthogonal);  // a search space that is thrown away
}

}  // namespace
}  // namespace plaq::mixed_precision_test
