// Cycles of two levels on Wilson quarks near the critical mass.
#include "multigrid/cycle/cycle.hpp"

#include <gtest/gtest.h>

#include "kernels/blas/krylov_operations.hpp"
#include "multigrid/bottom/dense_inverse.hpp"
#include "multigrid/coarse/galerkin.hpp"
#include "multigrid/cycle/coarse_gcr.hpp"
#include "multigrid/cycle/cycle_in_precision.hpp"
#include "multigrid/cycle/fixed_gcr.hpp"
#include "multigrid/cycle/polynomial_roots.hpp"
#include "multigrid/cycle/polynomial_smoother.hpp"
#include "multigrid/hierarchy/near_null_vectors.hpp"
#include "solvers/krylov/mr.hpp"
#include "tests/multigrid/coarse_forms.hpp"
#include "tests/multigrid/even_solve.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/wilson_level.hpp"
#include "tests/support/random_vectors.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/whole_vectors.hpp"

namespace plaq {
namespace {

constexpr Extents extents{8, 4, 4, 16};
constexpr int vectors = 8, batch = 2;

struct Levels {
  test::WilsonSystem system;
  test::WilsonLevel level;
  WilsonSchur schur;
  Transfer transfer;
  std::shared_ptr<CoarseOperator> m;
  std::unique_ptr<Cycle> cycle;

  Levels(const ProcessGrid& grid, double mass, const Extents& block, Location where, std::uint32_t forced,
         int filter, int cut_from = vectors)
      : system(grid, extents, test::random_sources(extents, batch), mass, 0.3, where, forced),
        level(system, make_host_transport(grid, where), system.hopping[0]),
        schur(system.hopping[0], 0, WilsonSchur::Form::asymmetric, batch),
        transfer(grid, Aggregation(system.geometry, block, 12), near_null(filter, cut_from),
                 Precision::double_precision, system.queue, vectors) {
    const auto transport = make_host_transport(grid, where);
    m = std::make_shared<CoarseOperator>(
        grid,
        galerkin_links(grid, *system.in_double, transfer, Precision::double_precision, transport).nearest,
        Precision::double_precision, true, system.queue, transport);
    cycle = with(
        std::make_unique<CoarseGcr>(grid, coarse_schur(), nullptr, batch, CoarseSolveSettings{0.1, 30}), {});
  }

  std::unique_ptr<SchurOperator> coarse_schur() const { return test::even_odd_form(m, system.grid, batch); }
  std::unique_ptr<DenseInverse> dense(Precision storage) const {
    return std::make_unique<DenseInverse>(coarse_schur(), invert_operator(*coarse_schur(), batch, storage),
                                          batch);
  }
  // A polynomial smoother of these roots, or MR.
  std::unique_ptr<Cycle> with(std::unique_ptr<CoarseSolver> coarse,
                              const std::vector<std::complex<double>>& roots) const {
    auto s = std::make_unique<WilsonSchur>(system.hopping[0], 0, WilsonSchur::Form::asymmetric, batch);
    std::unique_ptr<Smoother> smoother;
    if (roots.empty()) {
      smoother = std::make_unique<MrSmoother>(*s, system.grid, batch, 4, smoothing());
    } else {
      smoother = std::make_unique<PolynomialSmoother>(*s, system.grid, batch, roots);
    }
    return std::make_unique<Cycle>(std::move(s), transfer, std::move(coarse), std::move(smoother), batch);
  }
  // Roots for what a coarse correction leaves of noise.
  std::vector<std::complex<double>> roots_of_smoother(int degree) {
    Field r(system.geometry, schur.spec(batch)), e(system.geometry, schur.spec(batch)),
        se(system.geometry, schur.spec(batch));
    copy_parity(r, noise_vectors(level, batch, 11), 0, system.queue);
    Field coarse_r(m->geometry(), transfer.coarse_spec(batch, Precision::double_precision)),
        coarse_e(m->geometry(), coarse_r.spec());
    const ActiveSet all(batch);
    transfer.restrict(coarse_r, r, all);
    dense(Precision::double_precision)->solve(coarse_e, coarse_r, all);
    transfer.prolong(e, coarse_e, all);
    schur.apply(se, e);
    blas::Workspace workspace(system.queue, batch);
    const std::vector<blas::Coefficients> minus(batch, {1, {-1, 0, 0, 0}});
    blas::update<blas::Axpy>(workspace, minus, {&se, &r});
    return polynomial_roots(schur, system.grid, r, degree).value().roots;
  }

  Field near_null(int iterations, int count) {
    Field v = noise_vectors(level, count, 5);
    filter_vectors(level, v, "bicgstab", iterations);
    return v;
  }
  static MethodSettings smoothing() {
    MethodSettings s;
    s.omega = 0.85;
    return s;
  }
  // Solves S x = b on the even sites.
  SolveReport solve(std::string_view method, LinearOperator* preconditioner, Field& x) {
    return test::solve_even(system, schur, method, preconditioner, x);
  }
};

// What a cycle says it has left, by both smoothers, is what S leaves of its result.
TEST(Cycle, KnowsItsResidual) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations()) {
    Levels l(self, -0.5, {4, 2, 2, 4}, where, 0, 6);
    const auto roots = l.roots_of_smoother(4);
    Field b(l.system.geometry, l.schur.spec(batch)), x(b.geometry_ptr(), b.spec()),
        left(b.geometry_ptr(), b.spec());
    copy_parity(b, l.system.source, 0, l.system.queue);
    for (const bool polynomial : {false, true}) {
      const auto cycle = l.with(l.dense(Precision::double_precision),
                                polynomial ? roots : std::vector<std::complex<double>>());
      cycle->apply(x, b);
      ASSERT_NE(cycle->residual(), nullptr);
      l.schur.apply(left, x);
      blas::Workspace workspace(l.system.queue, batch);
      blas::update<blas::Axpby>(workspace, std::vector<blas::Coefficients>(batch, {1, {1, 0, -1, 0}}),
                                {&b, &left});
      EXPECT_LT(test::deviation(*cycle->residual(), test::Columns(test::to_vectors(left))).most(), 1e-13);
    }
  }
}

// Iterations that nobody waits for are those of GCR that looks at no norm, also of a source that is 0.
TEST(Cycle, TakesAFixedNumberOfCoarseIterations) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations()) {
    const Levels l(self, -0.5, {4, 2, 2, 4}, where, 0, 6);
    for (const int iterations : {1, 2, 7}) {
      CoarseGcr judged(self, l.coarse_schur(), nullptr, batch, CoarseSolveSettings{1e-30, iterations});
      FixedGcr fixed(self, l.coarse_schur(), nullptr, batch, iterations);
      Field b(l.m->geometry(), l.m->spec(batch)), x(b.geometry_ptr(), b.spec()),
          y(b.geometry_ptr(), b.spec());
      const auto n = static_cast<std::size_t>(b.geometry().global_volume() * b.reals_per_site() / 2);
      test::Vectors sources = test::random_vectors(batch, n, 12);
      copy(b, test::to_plaq(test::Columns(sources), b.geometry_ptr(), b.spec()));
      judged.solve(x, b, ActiveSet(batch));
      fixed.solve(y, b, ActiveSet(batch));
      EXPECT_EQ(fixed.iterations(), judged.iterations());
      EXPECT_LT(test::deviation(y, test::Columns(test::to_vectors(x))).most(), 1e-13) << iterations;
      sources[0].assign(n, 0);
      copy(b, test::to_plaq(test::Columns(sources), b.geometry_ptr(), b.spec()));
      fixed.solve(y, b, ActiveSet(batch));
      const auto found = test::to_vectors(y), before = test::to_vectors(x);
      EXPECT_EQ(found[0], sources[0]);
      EXPECT_LT(test::deviation(y, test::Columns(test::Vectors{sources[0], before[1]})).most(), 1e-13);
    }
  }
}

// A cycle that was captured does what it did before, for all right-hand sides and for some.
TEST(Cycle, IsTheSameWhenRecorded) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations()) {
    const Levels l(self, -0.5, {4, 2, 2, 4}, where, 0, 6);
    const auto made = [&] {
      return l.with(std::make_unique<FixedGcr>(self, l.coarse_schur(), nullptr, batch, 2), {});
    };
    const auto plain = made();
    EXPECT_GE(plain->capturable(batch), 0);
    EXPECT_LT(l.cycle->capturable(batch), 0);  // its coarse solves wait
    CycleInPrecision captured(self, made(), Precision::double_precision, batch);
    Field b(l.system.geometry, l.schur.spec(batch)), x(b.geometry_ptr(), b.spec()),
        y(b.geometry_ptr(), b.spec());
    copy_parity(b, l.system.source, 0, l.system.queue);
    for (const ActiveSet& active : {ActiveSet(batch), ActiveSet(std::vector<char>{0, 1})})
      for (int time = 0; time < 4; ++time) {
        plain->apply(x, b, active);
        captured.apply(y, b, active);
        EXPECT_EQ(test::to_vectors(y), test::to_vectors(x)) << time;
        const auto left = test::to_vectors(*plain->residual()), also = test::to_vectors(*captured.residual());
        EXPECT_EQ(also[1], left[1]);
        copy_parity(b, x, 0, l.system.queue);  // another source in the same place
      }
  }
}

// BiCGstab takes 17 iterations at mass 0.1 and seven times as many at -0.7; cycles
// grow far less, and find the same.
TEST(Cycle, TakesIterationsAwayNearTheCriticalMass) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations()) {
    int plain[2], cycles[2];
    for (const int light : {0, 1}) {
      Levels l(self, light ? -0.7 : 0.1, {4, 2, 2, 4}, where, 0, 12);
      EXPECT_EQ(l.transfer.orthonormality().dropped, 0);
      Field x, y;
      const SolveReport of_plain = l.solve("bicgstab", nullptr, x),
                        of_cycles = l.solve("gcr", l.cycle.get(), y);
      for (const SolveReport* report : {&of_plain, &of_cycles})
        for (const auto& result : report->results) EXPECT_EQ(result.reason, StopReason::converged);
      plain[light] = of_plain.iterations, cycles[light] = of_cycles.iterations;
      EXPECT_LT(test::deviation(y, test::Columns(test::to_vectors(x))).most(), 1e-7);
    }
    EXPECT_GT(plain[1], 5 * plain[0]);
    EXPECT_LT(cycles[0], plain[0]);
    EXPECT_LT(3 * cycles[1], plain[1]);
  }
}

// An exact bottom needs no more iterations than a loose one, in any storage. A polynomial does what MR does.
TEST(Cycle, HasADenseBottomAndAPolynomialSmoother) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations()) {
    Levels l(self, -0.7, {4, 2, 2, 4}, where, 0, 12);
    Field x, y;
    const int loose = l.solve("gcr", l.cycle.get(), x).iterations;
    const auto iterations = [&](Precision storage, int degree) {
      const auto roots = degree > 0 ? l.roots_of_smoother(degree) : std::vector<std::complex<double>>();
      const auto cycle = l.with(l.dense(storage), roots);
      const SolveReport report = l.solve("gcr", cycle.get(), y);
      for (const auto& result : report.results) EXPECT_EQ(result.reason, StopReason::converged);
      EXPECT_EQ(cycle->coarse_iterations(), 0);
      EXPECT_LT(test::deviation(y, test::Columns(test::to_vectors(x))).most(), 1e-7);
      return report.iterations;
    };
    const int exact = iterations(Precision::double_precision, 0);
    EXPECT_LE(exact, loose);
    EXPECT_EQ(iterations(Precision::half_precision, 0), exact);
    EXPECT_LE(iterations(Precision::half_precision, 4), exact + 2);
    EXPECT_LT(iterations(Precision::half_precision, 8), 0.7 * exact);
  }
}

// The leading singular vectors of twice as many vectors are better than as many
// vectors, for the same work, too.
TEST(Cycle, GainsByMoreVectorsThanItKeeps) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations()) {
    const auto iterations = [&](int filter, int cut_from) {
      Levels l(self, -0.7, {4, 2, 2, 4}, where, 0, filter, cut_from);
      EXPECT_EQ(l.transfer.vectors(), vectors);
      Field x;
      return l.solve("gcr", l.cycle.get(), x).iterations;
    };
    EXPECT_LT(iterations(12, 2 * vectors), 0.9 * iterations(12, vectors));
    EXPECT_LT(iterations(6, 2 * vectors), iterations(12, vectors));
  }
}

// A solve has the same bits on every process grid on which the aggregates lie on one rank each.
TEST(Cycle, HasTheSameBitsOnEveryGrid) {
  constexpr Extents block{2, 2, 2, 2};
  const auto solution = [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    Levels l(grid, -0.4, block, where, geometry->decomposition().forced, 6);
    Field x;
    l.solve("gcr", l.cycle.get(), x);
    return test::on_all_ranks(test::to_vectors(x), grid);
  };
  const auto same = test::same_as_alone(extents, solution);
  test::for_all_geometries(extents,
                           [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
                             const auto forced = geometry->decomposition().forced;
                             if (forced == 0 || forced == 15) same(grid, geometry, where);
                           });
}

}  // namespace
}  // namespace plaq
