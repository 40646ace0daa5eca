// The whole preconditioner: setups of two and three levels, on Wilson quarks near the critical mass.
#include "multigrid/multigrid.hpp"

#include <gtest/gtest.h>

#include "comms/communicator/stop_request.hpp"
#include "solvers/krylov/krylov_method.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "tests/multigrid/even_solve.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/wilson_level.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/whole_vectors.hpp"

namespace plaq {
namespace {

constexpr int batch = 2;

struct Problem {
  test::WilsonSystem system;
  WilsonSchur schur;
  std::unique_ptr<Multigrid> multigrid;
  Field vectors;  // near-null ones, of the setup

  Problem(const ProcessGrid& grid, const Extents& extents, double mass, const MultigridSettings& settings,
          Location where, std::uint32_t forced = 0)
      : Problem(grid, extents, mass, Queue(where), forced) {
    set_up(settings);
  }
  // Without multigrid.
  Problem(const ProcessGrid& grid, const Extents& extents, double mass, const Queue& queue,
          std::uint32_t forced = 0)
      : system(grid, extents, test::random_sources(extents, batch), mass, 0.3, queue, forced),
        schur(system.hopping[0], 0, WilsonSchur::Form::asymmetric, batch) {}

  void set_up(const MultigridSettings& settings) {
    multigrid = std::make_unique<Multigrid>(finest(), settings, SetupStart(),
                                            [&](const SetupReport&, const Field& v) {
                                              vectors = Field(v.geometry_ptr(), v.spec());
                                              copy(vectors, v);
                                            });
  }

  std::unique_ptr<LevelOperators> finest() {
    return std::make_unique<test::WilsonLevel>(system, system.transport, system.hopping[0]);
  }

  // Solves S x = b on the even sites.
  SolveReport solve(std::string_view method, LinearOperator* preconditioner, Field& x) {
    return test::solve_even(system, schur, method, preconditioner, x);
  }
};

LevelSettings by(const Extents& block, const CoarseSolveSettings& coarse) {
  LevelSettings level;
  level.block = block;
  level.vectors = 8;
  level.coarse = coarse;
  return level;
}

MultigridSettings two_levels() {
  MultigridSettings settings;
  settings.levels = {by({4, 2, 2, 4}, {0.1, 30})};
  settings.storage = settings.link_storage = Precision::single_precision;
  return settings;
}

// The coarsest lattice has a dense inverse.
MultigridSettings three_levels() {
  MultigridSettings settings;
  settings.levels = {by({2, 2, 2, 2}, {0.1, 10}), by({2, 1, 1, 2}, {0.1, 30})};
  settings.storage = settings.link_storage = Precision::single_precision;
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
      EXPECT_LT(report.kept.reduction, 0.45);
      EXPECT_EQ(report.kept.reduction, report.probes[static_cast<std::size_t>(report.rounds)].reduction);
      for (const SelfCheck& check : report.checks) EXPECT_TRUE(check.passed()) << check.what;
    }
}

// Setup, rounds and their choice included: a solve has the same bits on every process grid on which the
// finest blocks lie on one rank. Where those of the coarse lattice do not, it moves to fewer ranks.
TEST(Multigrid, HasTheSameBitsOnEveryGrid) {
  constexpr Extents extents{8, 4, 4, 8};
  MultigridSettings settings = three_levels();
  for (LevelSettings& level : settings.levels) level.vectors = 4;
  settings.storage = settings.link_storage = Precision::half_precision;
  const auto solution = [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    Problem p(grid, extents, -0.5, settings, where, geometry->decomposition().forced);
    Field x;
    p.solve("gcr", p.multigrid.get(), x);
    return test::on_all_ranks(test::to_vectors(x), grid);
  };
  const auto same = test::same_as_alone(extents, solution);
  int visited = 0;
  test::for_all_geometries(extents,
                           [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
                             const auto forced = geometry->decomposition().forced;
                             bool fits = forced == 0 || forced == 15;
                             for (const int extent : geometry->local()) fits = fits && extent % 2 == 0;
                             // Many ranks share few cores: some of their grids.
                             const int every = grid.size() < 4 ? 1 : grid.size() < 8 ? 3 : 7;
                             if (fits && visited++ % every == 0) same(grid, geometry, where);
                           });
}

// A local smoother leaves out what is beyond a rank, so that solves take more iterations to the same
// solution. It is the usual one where nothing is split.
TEST(Multigrid, SmoothsEachRankAlone) {
  constexpr Extents extents{8, 4, 4, 8};
  MultigridSettings settings = three_levels();
  for (LevelSettings& level : settings.levels) level.vectors = 4;
  for (const SmootherKind kind : {SmootherKind::polynomial, SmootherKind::minimal_residual})
    test::for_geometries(extents, test::some_grids(extents), {0},
                         [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
                           settings.smoother = kind;
                           settings.local_smoother = false;
                           Problem whole(grid, extents, -0.5, settings, where);
                           settings.local_smoother = true;
                           Problem local(grid, extents, -0.5, settings, where);
                           EXPECT_FALSE(local.system.transport->closed());
                           Field x, y;
                           const SolveReport of_whole = whole.solve("gcr", whole.multigrid.get(), x);
                           const SolveReport of_local = local.solve("gcr", local.multigrid.get(), y);
                           for (const auto& result : of_local.results)
                             EXPECT_EQ(result.reason, StopReason::converged);
                           EXPECT_LE(of_local.iterations,
                                     3 * of_whole.iterations);  // of 2x2x4x8 sites on 8 ranks
                           EXPECT_NE(whole.multigrid->residual(), nullptr);
                           EXPECT_EQ(local.multigrid->residual(), nullptr);
                           const auto expected = test::to_vectors(x);
                           if (geometry->any_partitioned()) {
                             EXPECT_NE(test::to_vectors(y), expected);
                           }
                           EXPECT_LT(test::deviation(y, test::Columns(expected)).most(), 1e-7);
                         });
}

// Also at points of a coarse lattice that is on fewer ranks.
TEST(Multigrid, AStopOfOneRankEndsTheSetupOfAll) {
  const int size = test::world_size();
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, size});
  MultigridSettings settings = three_levels();
  settings.levels[1].block = {2, 1, 1, 4};
  for (LevelSettings& level : settings.levels) level.vectors = 4;
  settings.least_rounds = settings.most_rounds = 1;
  int points = 0, at = 1 << 20;
  bool was_on_fewer = false;
  const auto set_up = [&] {
    points = 0;
    const InterruptibleWork work([&](const Communicator& ranks) {
      was_on_fewer = was_on_fewer || ranks.size() < size;
      const bool mine = grid.rank() == 0 && ++points == at;
      if (ranks.max(static_cast<int>(mine)) != 0) throw Error(ErrorKind::stopped, "stopped");
    });
    Problem(grid, {4, 4, 4, 16}, -0.5, settings, Location::host);
  };
  set_up();
  if (grid.rank() == 0) {
    EXPECT_EQ(was_on_fewer, size > 1);
  }
  const int all = grid.comm().broadcast(points);
  ASSERT_GT(all, 40);
  for (const int part : {0, 1, 2, 3}) {
    at = 1 + part * (all - 1) / 3;
    test::expect_error(set_up, ErrorKind::stopped, {"stopped"});
  }
}

// Finest operators in single precision, what smooths in half.
class SmoothedInHalf final : public LevelOperators {
 public:
  explicit SmoothedInHalf(test::WilsonSystem& system)
      : level_(system, make_host_transport(system.grid, system.queue.location()), system.hopping[1]) {
    WilsonParameters parameters;
    parameters.mass = system.hopping[1]->parameters().mass;
    half_ = std::make_shared<WilsonHopping>(
        system.grid,
        test::to_plaq(test::weak_links(system.geometry->global()), system.geometry,
                      Precision::double_precision, Location::host),
        parameters, Precision::half_precision, system.queue, level_.transport());
  }
  const ProcessGrid& grid() const override { return level_.grid(); }
  const std::shared_ptr<Transport>& transport() const override { return level_.transport(); }
  WilsonOperator& full() override { return level_.full(); }
  std::unique_ptr<SchurOperator> reduced(int batch) override { return level_.reduced(batch); }
  std::unique_ptr<SchurOperator> smoothed(int batch) override {
    return std::make_unique<WilsonSchur>(half_, 0, WilsonSchur::Form::asymmetric, batch);
  }

 private:
  test::WilsonLevel level_;
  WilsonHoppingPtr half_;
};

// A cycle that is captured and copied does what a cycle of its own does, scales of half precision too,
// for some right-hand sides as well.
TEST(Multigrid, DoesWhatItsCycleDoes) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  MultigridSettings settings = three_levels();
  settings.storage = Precision::half_precision;
  settings.link_storage = Precision::quarter_precision;
  for (const Location where : test::locations()) {
    test::WilsonSystem system(self, {8, 4, 4, 8}, test::random_sources({8, 4, 4, 8}, batch), -0.5, 0.3,
                              where);
    Multigrid multigrid(std::make_unique<SmoothedInHalf>(system), settings);
    const auto cycle = multigrid.hierarchy().cycle(0, batch);
    const FieldSpec spec = cycle->spec(batch);
    ASSERT_EQ(spec.precision, Precision::half_precision);
    Field b(system.geometry, spec), x(system.geometry, spec), y(system.geometry, spec);
    FieldSpec wide = spec;
    wide.precision = Precision::double_precision;
    Field even(system.geometry, wide);
    copy_parity(even, system.source, 0, system.queue);
    system.queue.synchronize();
    copy(b, even);
    for (const ActiveSet& active : {ActiveSet(batch), ActiveSet(std::vector<char>{1, 0})})
      for (int time = 0; time < 4; ++time) {
        cycle->apply(x, b, active);
        multigrid.apply(y, b, active);
        system.queue.synchronize();
        EXPECT_EQ(test::to_vectors(y), test::to_vectors(x)) << time;
        copy(b, x);
      }
  }
}

// Right-hand sides do not see each other: one alone has the bits that it has in a batch.
TEST(Multigrid, HasTheSameBitsInAnyBatch) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations()) {
    Problem p(self, {8, 4, 4, 8}, -0.5, three_levels(), where);
    Field x;
    p.solve("gcr", p.multigrid.get(), x);
    const auto together = test::to_vectors(x);
    for (int i = 0; i < batch; ++i) {
      WilsonSchur alone(p.system.hopping[0], 0, WilsonSchur::Form::asymmetric, 1);
      Field b(p.system.geometry, alone.spec(1)), one(b.geometry_ptr(), b.spec()),
          all(b.geometry_ptr(), p.schur.spec(batch));
      copy_parity(all, p.system.source, 0, p.system.queue);
      p.system.queue.synchronize();
      copy_subfield(b, 0, all, i);
      MethodSettings settings;
      settings.preconditioner = p.multigrid.get();
      KrylovSolver solver(make_method("gcr", alone, 1, settings), self, 1);
      SolverParameters parameters;
      parameters.tolerance = 1e-10;
      solver.solve(one, b, parameters);
      EXPECT_EQ(test::to_vectors(one)[0], together[static_cast<std::size_t>(i)]);
    }
  }
}

// One setup, and solves at other masses: nearly as good as setups of their own, to the same solutions.
TEST(MultigridMass, OneSetupServesOtherMasses) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  constexpr Extents extents{8, 4, 4, 16};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations())
    for (const MultigridSettings& settings : {two_levels(), three_levels()}) {
      Problem light(self, extents, -0.7, settings, where);
      // Changes do not add up.
      for (const double mass : settings.levels.size() == 1 ? std::vector{-0.6} : std::vector{-0.6, -0.65}) {
        Problem other(self, extents, mass, light.system.queue);
        other.set_up(settings);
        light.multigrid->shift_mass(other.finest(), mass + 0.7);
        Hierarchy& shifted = light.multigrid->hierarchy();
        // Another hierarchy of the same vectors.
        const auto finest = other.finest();
        Hierarchy rebuilt(*finest, settings);
        rebuilt.build(light.vectors);
        const auto links = [](Hierarchy& h) -> const Field& {
          return dynamic_cast<CoarseOperator&>(h.operators(1).full()).links();
        };
        EXPECT_LT(test::deviation(links(shifted), test::Columns(test::to_vectors(links(rebuilt)))).most(),
                  1e-5);
        const SetupReport& report = light.multigrid->report();
        for (const SelfCheck& check : report.checks) EXPECT_TRUE(check.passed()) << check.what;
        EXPECT_FALSE(report.checks.empty());
        EXPECT_LT(report.kept.reduction, 1.2 * other.multigrid->report().kept.reduction);
        Field x, y;
        const SolveReport own = other.solve("gcr", other.multigrid.get(), x),
                          with = other.solve("gcr", light.multigrid.get(), y);
        for (const auto& result : with.results) EXPECT_EQ(result.reason, StopReason::converged);
        EXPECT_LE(with.iterations, own.iterations + 3);
        EXPECT_LT(test::deviation(y, test::Columns(test::to_vectors(x))).most(), 1e-7);
      }
    }
}

// Whatever masses there were before, and on fewer ranks, too; in half precision
// links have been rounded by then.
TEST(MultigridMass, HasTheSameBitsOnEveryGridAndByEveryWay) {
  constexpr Extents extents{8, 4, 4, 8};
  MultigridSettings moved = three_levels(), spread = three_levels();
  for (MultigridSettings* settings : {&moved, &spread}) {
    for (LevelSettings& level : settings->levels) level.vectors = 4;
    settings->storage = settings->link_storage = Precision::half_precision;
    settings->least_rounds = settings->most_rounds = 0;
  }
  spread.least_sites = spread.most_dense_rows = 0;
  for (const MultigridSettings& settings : {moved, spread}) {
    const auto solution = [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
      const std::uint32_t forced = geometry->decomposition().forced;
      Problem p(grid, extents, -0.5, settings, where, forced),
          between(grid, extents, -0.3, p.system.queue, forced),
          last(grid, extents, -0.4, p.system.queue, forced);
      if (grid.size() == 1) p.multigrid->shift_mass(between.finest(), 0.2);
      p.multigrid->release_finest();
      p.multigrid->shift_mass(last.finest(), 0.1);
      Field x;
      last.solve("gcr", p.multigrid.get(), x);
      return test::on_all_ranks(test::to_vectors(x), grid);
    };
    const auto same = test::same_as_alone(extents, solution);
    int visited = 0;
    test::for_all_geometries(
        extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
          const Extents& local = geometry->local();
          if (geometry->decomposition().forced == 0 && local[0] % 4 == 0 && local[3] % 4 == 0)
            if (visited++ % (grid.size() < 4 ? 1 : 3) == 0) same(grid, geometry, where);
        });
  }
}

}  // namespace
}  // namespace plaq
