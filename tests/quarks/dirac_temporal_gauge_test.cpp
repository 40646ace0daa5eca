// Inner operators in temporal gauge: the same operators in their frame, and the same solutions.
#include <cmath>

#include "core/system/error.hpp"
#include "kernels/blas/convert.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "solvers/mixed/defect_correction.hpp"
#include "solvers/mixed/reliable_update.hpp"
#include "tests/quarks/dirac_problem.hpp"
#include "tests/support/world.hpp"

namespace plaq::dirac_temporal_gauge_test {
namespace {

using test::batch, test::host, test::mixed;
using Problem = test::DiracProblem;

Field in_precision(const Field& from, Precision precision) {
  FieldSpec spec = from.spec();
  spec.precision = precision;
  Field to(from.geometry_ptr(), spec);
  copy(to, from);
  return to;
}

// ||a - b|| / ||b|| of all right-hand sides together.
double difference(const ProcessGrid& grid, const Field& a, const Field& b) {
  double sums[2] = {};
  test::for_stored_sites(b.geometry(), [&](int parity, int s, int) {
    if (!b.holds(parity)) return;
    for (int subfield = 0; subfield < b.subfields(); ++subfield)
      for (int r = 0; r < b.reals_per_site(); ++r) {
        const double want = get_real(b, subfield, parity, s, r);
        sums[0] += std::pow(get_real(a, subfield, parity, s, r) - want, 2);
        sums[1] += want * want;
      }
  });
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, grid.comm().mpi());
  return std::sqrt(sums[0] / sums[1]);
}

// g^dagger A' g is A, with its clover blocks.
TEST(TemporalGaugeSolver, OperatorsInTemporalGaugeAreTheSameInTheirFrame) {
  Problem problem;
  for (const auto preconditioning :
       {Preconditioning::even_odd, Preconditioning::even_odd_asymmetric, Preconditioning::none})
    for (const bool clover : {true, false}) {
      if (!clover) problem.parameters.clover = {};
      DiracOperators operators = problem.operators(preconditioning);
      const auto plain = operators.outer(LinkStorage());
      LinearOperator& a = plain->iterated();
      EXPECT_EQ(plain->conversion().gauge_frame(), nullptr);
      Field in(problem.geometry, a.spec(batch)), expected(problem.geometry, a.spec(batch));
      for (int parity = 0; parity < 2; ++parity)
        if (in.holds(parity)) copy_parity(in, problem.b, parity, problem.queue);
      for (const LinkStorage& storage :
           {LinkStorage(Precision::single_precision, 18), LinkStorage(Precision::single_precision, 12),
            LinkStorage(Precision::half_precision, 18), LinkStorage(Precision::half_precision, 12)}) {
        SCOPED_TRACE(name_of(storage));
        const auto fixed = operators.in_temporal_gauge(storage);
        LinearOperator& low = fixed->iterated();
        const Field* frame = fixed->conversion().gauge_frame();
        ASSERT_NE(frame, nullptr);
        EXPECT_EQ(low.work(1).flops, a.work(1).flops);
        Field low_in(problem.geometry, low.spec(batch)), low_out(problem.geometry, low.spec(batch));
        blas::Workspace work(problem.queue, batch);
        std::vector<blas::Coefficients> ones(batch);
        for (auto& one : ones) one.value[0] = 1;
        for (const bool dagger : {false, true}) {
          dagger ? a.apply_dagger(expected, in) : a.apply(expected, in);
          blas::convert(work, ones, low_in, in, frame);
          dagger ? low.apply_dagger(low_out, low_in) : low.apply(low_out, low_in);
          Field found(problem.geometry, a.spec(batch));
          blas::add_converted(work, ones, found, low_out, frame);
          const double off = difference(problem.grid, found, expected);
          EXPECT_LT(off, storage.precision == Precision::half_precision ? 2e-4 : 5e-7);
          // Without its frame it is another operator.
          blas::convert(work, ones, low_in, in);
          low.apply(low_out, low_in);
          EXPECT_GT(difference(problem.grid, in_precision(low_out, Precision::double_precision), expected),
                    0.01);
        }
      }
    }
}

TEST(TemporalGaugeSolver, FramesAreOfInnerOperatorsInALowerPrecision) {
  Problem problem;
  problem.parameters.clover = {};
  DiracOperators operators = problem.operators();
  const auto plain = operators.outer(LinkStorage()), wide = operators.in_temporal_gauge(LinkStorage()),
             low = operators.in_temporal_gauge({Precision::single_precision, 12});
  LinearOperator& outer = plain->iterated();
  const auto reliable = [&](StoredOperator& inner) {
    ReliableUpdates(outer, make_method(SolverSettings(), inner.iterated(), batch, {}), problem.grid, batch,
                    MethodSettings(), inner.conversion());
  };
  const auto defect = [&](StoredOperator& inner) {
    DefectCorrection(outer, inner.iterated(),
                     std::make_unique<KrylovSolver>(
                         make_method(SolverSettings(), inner.iterated(), batch, {}), problem.grid, batch),
                     problem.grid, batch, MethodSettings(), inner.conversion());
  };
  EXPECT_NO_THROW(reliable(*low));
  EXPECT_NO_THROW(defect(*low));
  EXPECT_THROW(reliable(*wide), Error);
  EXPECT_THROW(defect(*wide), Error);
  EXPECT_THROW(VectorConversion(std::make_shared<const Field>(problem.b)), Error);  // no matrices of colour
}

TEST(TemporalGaugeSolver, TemporalGaugeChangesNothingButTheWay) {
  Problem problem;
  for (const bool clover : {true, false}) {
    if (!clover) problem.parameters.clover = {};
    for (const auto method : {SolverMethod::cg, SolverMethod::bicgstab})
      for (const auto scheme : {MixedScheme::reliable_updates, MixedScheme::defect_correction})
        for (const auto preconditioning : {Preconditioning::even_odd, Preconditioning::none})
          for (const LinkStorage& inner :
               {LinkStorage(Precision::single_precision, 12), LinkStorage(Precision::half_precision, 12),
                LinkStorage(Precision::half_precision, 18)}) {
            // Several ranks: each method with one storage.
            const bool single = inner.precision == Precision::single_precision;
            if (test::world_size() > 1 &&
                (single != (method == SolverMethod::cg) || inner.reconstruction == 18))
              continue;
            SolverSettings with = test::unmixed();
            with.method = method;
            with.scheme = scheme;
            with.preconditioning = preconditioning;
            with.inner = inner;
            with.tolerance = 1e-12;
            SolverSettings without = with;
            without.temporal_gauge = false;
            SCOPED_TRACE(name_of(with) + (clover ? ", clover" : ""));
            auto fixed = problem.solver(with), plain = problem.solver(without);
            EXPECT_TRUE(fixed.temporal_gauge());
            EXPECT_FALSE(plain.temporal_gauge());
            Field x(problem.geometry, fixed.spec_of_fields()), y(problem.geometry, plain.spec_of_fields());
            const auto report = fixed.solve(x, problem.b), other = plain.solve(y, problem.b);
            EXPECT_TRUE(report.converged());
            EXPECT_TRUE(other.converged());
            for (const double residual : report.relative_residuals) EXPECT_LE(residual, 1e-12);
            EXPECT_NEAR(report.solve.iterations, other.solve.iterations, 2 + 0.1 * other.solve.iterations);
            EXPECT_LT(difference(problem.grid, x, y), 1e-11);
          }
  }
}

// Its numbers do not depend on who has which slice.
TEST(TemporalGaugeSolver, SolvesInTemporalGaugeHaveTheSameBitsOnAnyGrid) {
  const Problem problem;
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto whole = self.geometry(problem.extents);
  for (const Precision inner : {Precision::single_precision, Precision::half_precision}) {
    reference::Generator generator(5);  // its links and sources once more, undivided
    const reference::Lattice lattice{problem.extents};
    const Field gauge = test::to_plaq(reference::weak_gauge(lattice, generator, 0.3), whole,
                                      Precision::double_precision, host);
    std::vector<reference::SpinorField> sources;
    for (int i = 0; i < batch; ++i) sources.push_back(reference::random_spinor(lattice, generator));
    const Field b = test::to_plaq(sources, whole, Subset::full, Precision::double_precision, host);
    auto divided = problem.solver(mixed(inner));
    SystemSolver undivided({&self, gauge, problem.queue, make_host_transport(self, host)}, problem.action(),
                           mixed(inner), batch);
    ASSERT_TRUE(divided.temporal_gauge() && undivided.temporal_gauge());
    Field x(problem.geometry, divided.spec_of_fields()), y(whole, undivided.spec_of_fields());
    EXPECT_TRUE(divided.solve(x, problem.b).converged());
    EXPECT_TRUE(undivided.solve(y, b).converged());
    EXPECT_EQ(test::fingerprint(x, problem.grid), test::fingerprint(y, self));
  }
}

// Where it would be of no use, or the inner operator has eight reals.
TEST(TemporalGaugeSolver, TemporalGaugeIsForLowerPrecisionsInside) {
  const Problem problem;
  EXPECT_FALSE(problem.solver(test::unmixed()).temporal_gauge());
  EXPECT_FALSE(problem.solver(mixed(Precision::double_precision, 12)).temporal_gauge());
  EXPECT_FALSE(problem.solver(mixed(Precision::half_precision, 8)).temporal_gauge());
  SolverSettings single = mixed(Precision::half_precision);
  single.outer = {Precision::single_precision, 18};
  single.tolerance = 1e-6;
  auto solver = problem.solver(single);
  EXPECT_TRUE(solver.temporal_gauge());
  Field x(problem.geometry, solver.spec_of_fields());
  EXPECT_TRUE(solver.solve(x, problem.b).converged());
  single.inner = {Precision::single_precision, 12};
  EXPECT_FALSE(problem.solver(single).temporal_gauge());
  // Fallbacks make operators of their own.
  SolverSettings chain = mixed(Precision::half_precision);
  chain.fallback = true;
  chain.method = SolverMethod::mr;
  chain.omega = 0.1;
  chain.max_iterations = 1;
  auto limited = problem.solver(chain);
  Field y(problem.geometry, limited.spec_of_fields());
  const auto report = limited.solve(y, problem.b);
  EXPECT_FALSE(report.converged());
  ASSERT_EQ(report.solve.attempts.size(), attempts_of(chain, *problem.action()).size());
  EXPECT_EQ(report.solve.attempts[1].method, "mr(0.1), single 12 in double 18, reliable updates 0.1");
}

}  // namespace
}  // namespace plaq::dirac_temporal_gauge_test
