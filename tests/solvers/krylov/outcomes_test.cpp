// Ends of solves that do not converge, and their effect on other right-hand sides of the batch:
// nothing.
#include <gtest/gtest.h>

#include <limits>

#include "kernels/blas/operations.hpp"
#include "solvers/mixed/fallback.hpp"
#include "tests/solvers/krylov/methods.hpp"
#include "tests/solvers/test_operators.hpp"
#include "tests/solvers/wilson_system.hpp"

namespace plaq::outcomes_test {
namespace {

using Complex64 = std::complex<double>;
const Extents extents{4, 4, 2, 4};

// Spread over [0, 1) without pattern.
double spread(int site, int k) { return std::fmod((12 * site + k) * 0.6180339887498949, 1.0); }

struct Outcomes : testing::Test {
  Field random(int batch, unsigned seed = 3) const {
    return test::to_plaq(test::random_sources(extents, batch, seed), geometry, Subset::full,
                         Precision::double_precision, Location::host);
  }
  test::DiagonalOperator diagonal(test::DiagonalOperator::Eigenvalue f,
                                  Precision precision = Precision::double_precision) const {
    return {geometry, precision, queue, std::move(f)};
  }
  ProcessGrid self{MPI_COMM_SELF, {1, 1, 1, 1}};
  GeometryPtr geometry = self.geometry(extents);
  Queue queue{Location::host};
  std::vector<MixedScheme> schemes{MixedScheme::none, MixedScheme::reliable_updates,
                                   MixedScheme::defect_correction};
};

Complex64 easy(int site, int k) { return {1 + spread(site, k), 0.3 * spread(k, site)}; }

// Members of a batch: nothing to do (b = 0), solved already, NaN in the source, NaN in the guess, and two
// that have to be iterated.
TEST_F(Outcomes, MembersOfABatchEndEachInItsOwnWay) {
  auto a = diagonal(easy), low = diagonal(easy, Precision::single_precision);
  Field b = random(6);
  Field x(geometry, b.spec());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  test::for_stored_sites(*geometry, [&](int parity, int s, int site) {
    for (int k = 0; k < 12; ++k) {
      for (int part = 0; part < 2; ++part) set_real(b, 0, parity, s, 2 * k + part, 0);
      set_real(x, 0, parity, s, 2 * k, 5);  // a guess that is far off
      const Complex64 z =
          Complex64(get_real(b, 1, parity, s, 2 * k), get_real(b, 1, parity, s, 2 * k + 1)) / easy(site, k);
      set_real(x, 1, parity, s, 2 * k, z.real());
      set_real(x, 1, parity, s, 2 * k + 1, z.imag());
    }
  });
  set_real(b, 2, 0, 3, 5, nan);
  set_real(x, 3, 1, 2, 7, nan);
  const Field guess = test::on_host(x);
  SolverParameters parameters;
  parameters.tolerance = 1e-12;
  for (const MixedScheme scheme : schemes)
    for (const std::string& method : test::method_names) {
      SCOPED_TRACE(method + " " + std::string(name_of(scheme)));
      copy(x, guess);
      const auto report = test::make_solver(method, scheme, a, low, self, 6)->solve(x, b, parameters);
      const StopReason expected[] = {StopReason::converged,    StopReason::converged,
                                     StopReason::not_a_number, StopReason::not_a_number,
                                     StopReason::converged,    StopReason::converged};
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(report.results[i].reason, expected[i]) << i << ": " << name_of(report.results[i].reason);
        EXPECT_EQ(report.results[i].iterations > 0, i >= 4) << i;
      }
      EXPECT_EQ(report.reason(), StopReason::not_a_number);
      EXPECT_EQ(get_real(x, 0, 0, 0, 0), 0);
      EXPECT_EQ(report.results[0].residual_norm, 0);

      // Who was iterated has the bits that it has alone.
      Field alone_x(geometry, a.spec(1)), alone_b(geometry, a.spec(1));
      copy_subfield(alone_b, 0, b, 5);
      const auto alone =
          test::make_solver(method, scheme, a, low, self, 1)->solve(alone_x, alone_b, parameters);
      EXPECT_EQ(alone.results[0].residual_norm, report.results[5].residual_norm);
      EXPECT_EQ(test::fingerprint(alone_x, self), test::fingerprints(x, self)[5]);
    }
}

TEST_F(Outcomes, LimitsOfIterations) {
  auto a = diagonal([](int site, int k) { return std::pow(1e-3, spread(site, k)); });
  const Field b = random(2);
  for (const MixedScheme scheme : schemes)
    for (const std::string& method : test::method_names)
      for (const int limit : {0, 1, 7}) {
        SCOPED_TRACE(method + " " + std::string(name_of(scheme)) + " " + std::to_string(limit));
        Field x(geometry, b.spec());
        SolverParameters parameters;
        parameters.max_iterations = limit;
        const auto report = test::make_solver(method, scheme, a, a, self, 2)->solve(x, b, parameters);
        for (const auto& r : report.results) {
          EXPECT_EQ(r.reason, StopReason::max_iterations) << name_of(r.reason);
          EXPECT_EQ(r.iterations, limit);
          EXPECT_EQ(r.first_residual_norm, r.source_norm);
          if (limit == 0) {
            EXPECT_EQ(r.residual_norm, r.source_norm);
          }
        }
      }
}

TEST_F(Outcomes, RightHandSidesThatWereNotAskedFor) {
  auto a = diagonal(easy);
  const Field b = random(3);
  for (const MixedScheme scheme : schemes) {
    Field x(geometry, b.spec());
    set_real(x, 1, 0, 0, 0, 42);
    SolverParameters parameters;
    parameters.active = {1, 0, 1};
    const auto report = test::make_solver("cg", scheme, a, a, self, 3)->solve(x, b, parameters);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.results[1].reason, StopReason::not_asked);
    EXPECT_EQ(get_real(x, 1, 0, 0, 0), 42);
  }
}

// An exactly singular operator: a zero eigenvalue of which the source has a part. There is no solution.
TEST_F(Outcomes, SingularOperator) {
  const auto singular = [](int site, int k) -> Complex64 {
    return site == 3 && k == 2 ? 0 : 1 + spread(site, k);
  };
  auto a = diagonal(singular), low = diagonal(singular, Precision::single_precision);
  const Field b = random(1);
  SolverParameters parameters;
  parameters.max_iterations = 500;
  for (const MixedScheme scheme : schemes)
    for (const std::string& method : test::method_names) {
      SCOPED_TRACE(method + " " + std::string(name_of(scheme)));
      Field x(geometry, b.spec());
      const auto report = test::make_solver(method, scheme, a, low, self, 1)->solve(x, b, parameters);
      const auto& r = report.results[0];
      EXPECT_FALSE(r.converged());
      EXPECT_TRUE(std::isfinite(r.residual_norm));
      if (method == "cg") {  // minimises |r|: it comes to the part that has no solution, and notices
        EXPECT_TRUE(r.reason == StopReason::breakdown || r.reason == StopReason::stagnation)
            << name_of(r.reason);
        EXPECT_LT(r.iterations, 300);
        EXPECT_LT(r.residual_norm, 0.1 * r.source_norm);
      }
    }
}

// Eigenvalues i and -i: (r, A r) = 0, and BiCGstab has nowhere to go.
TEST_F(Outcomes, Breakdown) {
  auto a = diagonal([](int site, int) { return Complex64(0, site % 2 == 0 ? 1 : -1); });
  Field b(geometry, a.spec(1));
  test::for_stored_sites(*geometry, [&](int parity, int s, int) { set_real(b, 0, parity, s, 0, 1); });
  for (const MixedScheme scheme : schemes) {
    Field x(geometry, b.spec());
    const auto report = test::make_solver("bicgstab", scheme, a, a, self, 1)->solve(x, b, {});
    EXPECT_EQ(report.results[0].reason, StopReason::breakdown) << name_of(report.results[0].reason);
    EXPECT_LT(report.results[0].iterations, 10);
    EXPECT_EQ(report.results[0].residual_norm, report.results[0].source_norm);
  }
  // An indefinite Hermitian operator is none for conjugate gradients.
  auto indefinite = diagonal([](int site, int) { return site % 2 == 0 ? 1.0 : -1.0; });
  Field x(geometry, b.spec());
  const auto report =
      test::make_solver("hermitian-cg", MixedScheme::none, indefinite, indefinite, self, 1)->solve(x, b, {});
  EXPECT_EQ(report.results[0].reason, StopReason::breakdown);
}

// More precision is asked for than there is.
TEST_F(Outcomes, Stagnation) {
  const auto spectrum = [](int site, int k) { return std::pow(30.0, -spread(site, k)); };
  auto a = diagonal(spectrum), low = diagonal(spectrum, Precision::single_precision);
  const Field b = random(1);
  SolverParameters parameters;
  parameters.tolerance = 1e-17;
  MethodSettings settings;
  settings.inner_tolerance = 0.1;
  parameters.max_iterations = 20000;
  for (const MixedScheme scheme : schemes)
    for (const std::string method : {"cg", "bicgstab", "gcr"}) {
      SCOPED_TRACE(method + " " + std::string(name_of(scheme)));
      Field x(geometry, b.spec());
      const auto report =
          test::make_solver(method, scheme, a, low, self, 1, settings)->solve(x, b, parameters);
      EXPECT_EQ(report.results[0].reason, StopReason::stagnation) << name_of(report.results[0].reason);
      EXPECT_LT(report.results[0].residual_norm, 1e-14 * report.results[0].source_norm);
      EXPECT_EQ(report.attempts[0].reason, StopReason::stagnation);
    }
  // An inner operator that knows the small eigenvalues not even by sign: corrections that correct nothing.
  test::DiagonalOperator wrong = diagonal(
      [&](int site, int k) { return spectrum(site, k) < 0.1 ? -spectrum(site, k) : spectrum(site, k); });
  for (const MixedScheme scheme : {MixedScheme::reliable_updates, MixedScheme::defect_correction}) {
    Field x(geometry, b.spec());
    SolverParameters p;
    const auto report = test::make_solver("cg", scheme, a, wrong, self, 1)->solve(x, b, p);
    EXPECT_EQ(report.results[0].reason, StopReason::stagnation) << name_of(report.results[0].reason);
    EXPECT_LT(report.iterations, 3000);
  }
}

// Single precision overflows on the way: damaged vectors are dropped, and the outcome has a name.
TEST_F(Outcomes, OverflowInside) {
  auto a = diagonal(easy);
  auto low = diagonal([](int site, int k) { return site == 5 ? 1e300 : easy(site, k); },
                      Precision::single_precision);
  const Field b = random(1);
  for (const MixedScheme scheme : {MixedScheme::reliable_updates, MixedScheme::defect_correction}) {
    Field x(geometry, b.spec());
    const auto report = test::make_solver("bicgstab", scheme, a, low, self, 1)->solve(x, b, {});
    EXPECT_EQ(report.results[0].reason, StopReason::not_a_number) << name_of(report.results[0].reason);
    EXPECT_EQ(report.results[0].residual_norm, report.results[0].source_norm);  // x is as it was
    EXPECT_LT(report.results[0].iterations, 10);
  }
}

TEST_F(Outcomes, Divergence) {
  auto a = diagonal([](int site, int) { return site % 2 == 0 ? 1.0 : -1.0; });
  // The method sees another operator: each update makes the true residual larger.
  auto wrong = diagonal([](int, int) { return 1e-12; });
  const Field b = random(1);
  Field x(geometry, b.spec());
  ReliableUpdates solver(a, std::make_unique<MinimalResidual>(wrong, 1, 1.0), self, 1);
  const auto report = solver.solve(x, b, {});
  EXPECT_FALSE(report.converged());
  EXPECT_NE(report.reason(), StopReason::max_iterations);
  EXPECT_LT(report.iterations, 10);
}

// Residuals that it says grow beyond all measure.
class Growing final : public KrylovMethod {
 public:
  using KrylovMethod::KrylovMethod;
  std::string_view name() const override { return "growing"; }
  void begin(Batch&, const ActiveSet&, const Field&) override {}
  void step(Batch&, Field&, Field&, std::vector<double>& norms, std::vector<char>&) override {
    norms[0] = 1e20;
  }
  void flush_updates(Batch&, const ActiveSet&, Field&, const Field&) override {}
  void after_reliable_update(Batch&, const ActiveSet&, const Field&) override {}
};

TEST_F(Outcomes, DivergenceInside) {
  auto a = diagonal(easy);
  const Field b = random(1);
  Field x(geometry, b.spec());
  ReliableUpdates solver(a, std::make_unique<Growing>(a, 1), self, 1);
  const auto report = solver.solve(x, b, {});
  EXPECT_EQ(report.reason(), StopReason::divergence) << name_of(report.reason());
  EXPECT_EQ(report.results[0].residual_norm, report.results[0].source_norm);  // x is as it was
}

// Norms that are watched are those of the whole system in any scheme: they fall from |b| to the tolerance.
TEST_F(Outcomes, WatchedResiduals) {
  auto a = diagonal(easy), low = diagonal(easy, Precision::single_precision);
  const Field b = random(1);
  SolverParameters parameters;
  parameters.tolerance = 1e-10;
  MethodSettings settings;
  settings.inner_tolerance = 0.1;
  for (const MixedScheme scheme : schemes) {
    SCOPED_TRACE(name_of(scheme));
    std::vector<double> watched;
    parameters.watch = [&](int, const std::vector<double>& norms) { watched.push_back(norms[0]); };
    Field x(geometry, b.spec());
    const auto report =
        test::make_solver("bicgstab", scheme, a, low, self, 1, settings)->solve(x, b, parameters);
    ASSERT_TRUE(report.converged());
    ASSERT_EQ(static_cast<int>(watched.size()), report.iterations);
    EXPECT_LT(watched.front(), report.results[0].source_norm);
    EXPECT_GT(watched.front(), 1e-3 * report.results[0].source_norm);
    EXPECT_LT(watched.back(), 1e-9 * report.results[0].source_norm);
  }
}

// For the operator 1: promises to reduce the residual in each iteration, and does so in every second one.
class IdleEverySecondTime final : public KrylovMethod {
 public:
  using KrylovMethod::KrylovMethod;
  std::string_view name() const override { return "idle"; }
  void begin(Batch&, const ActiveSet&, const Field&) override {}
  void step(Batch&, Field& x, Field& r, std::vector<double>& norms, std::vector<char>&) override {
    ++steps;
    double square = 0;
    test::for_stored_sites(r.geometry(), [&](int parity, int s, int) {
      for (int k = 0; k < 24; ++k) {
        const double value = get_real(r, 0, parity, s, k);
        square += value * value;
        if (steps % 2 == 0) set_real(x, 0, parity, s, k, 0.99 * value);
      }
    });
    norms[0] = (steps % 2 == 0 ? 0.01 : 0.05) * std::sqrt(square);
  }
  void flush_updates(Batch&, const ActiveSet&, Field&, const Field&) override {}
  void after_reliable_update(Batch&, const ActiveSet&, const Field&) override {}
  int steps = 0;
};

// Only updates in a row that bring nothing are stagnation.
TEST_F(Outcomes, UpdatesThatBringNothingNowAndThen) {
  auto a = diagonal([](int, int) { return 1.0; });
  const Field b = random(1);
  Field x(geometry, b.spec());
  SolverParameters parameters;
  parameters.tolerance = 1e-13;
  ReliableUpdates solver(a, std::make_unique<IdleEverySecondTime>(a, 1), self, 1);
  const auto report = solver.solve(x, b, parameters);
  EXPECT_EQ(report.reason(), StopReason::converged) << name_of(report.reason());
  EXPECT_EQ(report.results[0].updates, 14);  // 0.01^7 = 1e-14
}

TEST_F(Outcomes, WrongParameters) {
  auto a = diagonal(easy);
  const Field b = random(2);
  Field x(geometry, b.spec());
  const auto solver = test::make_solver("cg", MixedScheme::reliable_updates, a, a, self, 2);
  const auto refused = [&](auto&& change) {
    SolverParameters p;
    change(p);
    EXPECT_THROW(solver->solve(x, b, p), Error);
  };
  refused([](auto& p) { p.targets = {1}; });
  refused([](auto& p) { p.active = {1, 1, 1}; });
  refused([](auto& p) { p.tolerance = -1; });
  refused([](auto& p) { p.max_iterations = -1; });
  const auto impossible = [&](MixedScheme scheme, auto&& change) {
    MethodSettings settings;
    change(settings);
    EXPECT_THROW(test::make_solver("cg", scheme, a, a, self, 2, settings), Error);
  };
  impossible(MixedScheme::reliable_updates, [](auto& s) { s.delta = 1; });
  impossible(MixedScheme::reliable_updates, [](auto& s) { s.delta = 0; });
  impossible(MixedScheme::defect_correction, [](auto& s) { s.inner_tolerance = 1; });
  EXPECT_THROW(test::make_solver("cg", MixedScheme::none, a, a, self, 3)->solve(x, b, {}), Error);
  EXPECT_THROW(make_method("cgr", a, 2), Error);
  EXPECT_THROW(Gcr(a, 2, 0), Error);
  EXPECT_THROW(MinimalResidual(a, 2, 2.0), Error);
}

// A method that makes NaN of x and r.
class Spoiler final : public KrylovMethod {
 public:
  using KrylovMethod::KrylovMethod;
  std::string_view name() const override { return "spoiler"; }
  void begin(Batch&, const ActiveSet&, const Field&) override {}
  void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>&) override {
    auto c = batch.coefficients(batch.active_set());
    for (auto& one : c) one.value[0] = std::nan("");
    batch.update<blas::Scale>(c, {&r, &x});
    norms.assign(norms.size(), std::nan(""));
  }
  void flush_updates(Batch&, const ActiveSet&, Field&, const Field&) override {}
  void after_reliable_update(Batch&, const ActiveSet&, const Field&) override {}
};

// Each solver goes on from the best x so far; what the chain did is in the report.
TEST_F(Outcomes, Fallback) {
  const auto spectrum = [](int site, int k) { return std::pow(30.0, -spread(site, k)); };
  auto a = diagonal(spectrum);
  auto nan = diagonal([](int, int) { return std::numeric_limits<double>::quiet_NaN(); });
  const Field b = random(2);
  int made = 0;
  const auto step = [&](const char* description, const char* method, MixedScheme scheme,
                        LinearOperator& inner) {
    return FallbackStep{description, [&, method, scheme] {
                          ++made;
                          return test::make_solver(method, scheme, a, inner, self, 2);
                        }};
  };
  {
    Fallback chain(
        a, self, 2,
        {step("enough", "bicgstab", MixedScheme::none, a), step("not needed", "cg", MixedScheme::none, a)});
    Field x(geometry, b.spec());
    EXPECT_TRUE(chain.solve(x, b, {}).converged());
    EXPECT_EQ(made, 1);
  }
  // A solver with NaN inside, one that gets half way, one that finishes.
  made = 0;
  SolverParameters parameters;
  parameters.max_iterations = 60;
  Fallback chain(
      a, self, 2,
      {step("spoils", "cg", MixedScheme::reliable_updates, nan), step("too slow", "mr", MixedScheme::none, a),
       step("finishes", "bicgstab", MixedScheme::none, a), step("not needed", "cg", MixedScheme::none, a)});
  Field x(geometry, b.spec());
  const auto report = chain.solve(x, b, parameters);
  EXPECT_TRUE(report.converged()) << name_of(report.reason());
  EXPECT_EQ(made, 3);
  ASSERT_EQ(report.attempts.size(), 3u);
  EXPECT_EQ(report.attempts[0].method, "spoils");
  EXPECT_EQ(report.attempts[0].reason, StopReason::not_a_number);
  EXPECT_EQ(report.attempts[1].reason, StopReason::max_iterations);
  EXPECT_EQ(report.attempts[2].reason, StopReason::converged);
  for (const auto& r : report.results) {
    EXPECT_EQ(r.iterations > 60, true);
    EXPECT_LE(r.residual_norm, 1e-10 * r.source_norm);
  }
  // What is there already is not lost to a solver that writes other numbers over it; nor is
  // the guess 0 to what x held before.
  Fallback spoiling(
      a, self, 2,
      {{"NaN", [&] { return std::make_unique<KrylovSolver>(std::make_unique<Spoiler>(a, 2), self, 2); }}});
  const Field best = test::on_host(x);
  parameters.tolerance = 1e-30;
  const auto again = spoiling.solve(x, b, parameters);
  EXPECT_EQ(again.reason(), StopReason::not_a_number);
  for (int r = 0; r < 24; ++r) EXPECT_EQ(get_real(x, 1, 0, 3, r), get_real(best, 1, 0, 3, r));
  parameters.zero_guess = true;
  spoiling.solve(x, b, parameters);
  for (int r = 0; r < 24; ++r) EXPECT_EQ(get_real(x, 1, 0, 3, r), 0);
}

}  // namespace
}  // namespace plaq::outcomes_test
