// Coarse solvers whose level is on fewer ranks, or at another location: the bits of those where it began.
#include "multigrid/levels/redistributed_solver.hpp"

#include <gtest/gtest.h>

#include "core/system/dry_run.hpp"
#include "multigrid/cycle/coarse_gcr.hpp"
#include "tests/multigrid/coarse_forms.hpp"
#include "tests/multigrid/levels/random_operator.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

using test::numbered_field;

constexpr int components = 4, batch = 3;

std::unique_ptr<CoarseSolver> coarse_gcr(const ProcessGrid& grid, const std::shared_ptr<CoarseOperator>& m) {
  return std::make_unique<CoarseGcr>(grid, test::even_odd_form(m, grid, batch), nullptr, batch,
                                     CoarseSolveSettings{1e-3, 20});
}

// A level on a grid, and the solver of a level that was moved from there.
struct Redistributed {
  std::shared_ptr<const Agglomeration> few;
  std::unique_ptr<RedistributedSolver> solver;

  Redistributed(const ProcessGrid& grid, const CoarseOperator& m, const Extents& ranks, Location below)
      : few(std::make_shared<Agglomeration>(grid, m.geometry(), ranks)) {
    Field links = few->gather(m.links(), below, m.queue());
    std::unique_ptr<CoarseSolver> there;
    Queue queue(below);
    if (few->here()) {
      const auto level = test::coarse_operator(few->grid(), std::move(links));
      queue = level->queue();
      there = coarse_gcr(few->grid(), level);
    }
    solver = std::make_unique<RedistributedSolver>(few, m.spec(batch), m.queue(), std::move(there), queue);
  }
};

// The solutions of some right-hand sides, in a field that had other numbers.
test::Vectors solutions(CoarseSolver& solver, const GeometryPtr& g, const FieldSpec& spec,
                        const ActiveSet& active) {
  Field e = numbered_field(g, spec, 3);
  solver.solve(e, numbered_field(g, spec, 1), active);
  return test::to_vectors(e);
}

void expect_same(const ProcessGrid& grid, const GeometryPtr& g, Location above, Location below) {
  const auto m =
      test::coarse_operator(grid, test::random_links(g, components, Precision::single_precision, above));
  const auto here =
      test::coarse_operator(grid, test::random_links(g, components, Precision::single_precision, below));
  const auto on_all = coarse_gcr(grid, here);
  const ActiveSet all(batch), some(std::vector<char>{1, 0, 1});
  const test::Vectors expected = solutions(*on_all, g, here->spec(batch), all),
                      kept = test::to_vectors(numbered_field(g, here->spec(batch), 3));
  EXPECT_GT(on_all->iterations(), 2);
  test::for_grids_below(grid.ranks(), [&](const Extents& ranks) {
    Redistributed redistributed(grid, *m, ranks, below);
    EXPECT_EQ(redistributed.solver->iterations(), 0);
    EXPECT_EQ(solutions(*redistributed.solver, g, m->spec(batch), all), expected);
    EXPECT_EQ(redistributed.solver->iterations(), on_all->iterations());
    for (int k = 1; k <= batch; ++k) {
      EXPECT_DOUBLE_EQ(redistributed.solver->work(k).flops, on_all->work(k).flops);
      EXPECT_DOUBLE_EQ(redistributed.solver->work(k).bytes, on_all->work(k).bytes);
    }
    const test::Vectors found = solutions(*redistributed.solver, g, m->spec(batch), some);
    EXPECT_EQ(found[0], expected[0]);
    EXPECT_EQ(found[1], kept[1]);
    EXPECT_EQ(found[2], expected[2]);
  });
}

TEST(RedistributedSolver, HasTheBitsOfTheSolverOnAllRanks) {
  const auto visit = [](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    expect_same(grid, g, location, location);
  };
  for (const Extents& extents : {Extents{2, 6, 4, 2}, {6, 2, 2, 10}})
    test::for_all_general_geometries(extents, LatticeOrder::checkerboard, visit, {0});
  test::for_all_general_geometries({4, 2, 2, 4}, LatticeOrder::checkerboard, visit, {15});
}

TEST(RedistributedSolver, GoesToAnotherLocation) {
  if (test::locations().size() == 1) GTEST_SKIP() << "there is no GPU";
  const auto visit = [](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    for (const Location below : test::locations())
      if (below != location) expect_same(grid, g, location, below);
  };
  test::for_all_general_geometries({4, 2, 2, 4}, LatticeOrder::checkerboard, visit, {0});
}

// A level below one that was moved moves on.
TEST(RedistributedSolver, MovesAgain) {
  const int size = test::world_size();
  const ProcessGrid grid(MPI_COMM_WORLD, test::line_of_ranks());
  const auto g = grid.general_geometry({2, 2, 2, 2 * size}, LatticeOrder::checkerboard);
  for (const Location where : test::locations()) {
    const auto m =
        test::coarse_operator(grid, test::random_links(g, components, Precision::single_precision, where));
    const auto on_all = coarse_gcr(grid, m);
    const auto once =
        std::make_shared<Agglomeration>(grid, g, Extents{1, 1, 1, size % 2 == 0 ? size / 2 : 1});
    const Field links = once->gather(m->links(), where, m->queue());
    std::unique_ptr<Redistributed> twice;
    std::unique_ptr<CoarseSolver> inner;
    if (once->here()) {
      const auto there = test::coarse_operator(once->grid(), links);
      twice = std::make_unique<Redistributed>(once->grid(), *there, Extents{1, 1, 1, 1}, where);
      inner = std::move(twice->solver);
    }
    RedistributedSolver solver(once, m->spec(batch), m->queue(), std::move(inner), Queue(where));
    const ActiveSet all(batch);
    EXPECT_EQ(solutions(solver, g, m->spec(batch), all), solutions(*on_all, g, m->spec(batch), all));
    EXPECT_EQ(solver.iterations(), on_all->iterations());
  }
}

// e = 2 b, once it no longer fails.
class Doubling final : public CoarseSolver {
 public:
  explicit Doubling(int failures) : failures_(failures) {}
  void solve(Field& e, const Field& b, const ActiveSet&) override {
    if (failures_-- > 0) throw Error(ErrorKind::not_converged, "a coarse solve that failed");
    const test::Vectors of_b = test::to_vectors(b);
    test::Vectors twice = of_b;
    for (auto& v : twice)
      for (auto& z : v) z *= 2.0;
    copy(e, test::to_plaq(test::Columns(twice), e.geometry_ptr(), e.spec()));
  }
  Work work(int batch) const override { return {1.0 * batch, 0}; }

 private:
  int failures_;
};

class Nothing final : public CoarseSolver {
 public:
  void solve(Field&, const Field&, const ActiveSet&) override {}
  Work work(int) const override { return {}; }
};

TEST(RedistributedSolver, TellsErrorsToAllRanksAndGoesOn) {
  const int size = test::world_size();
  const ProcessGrid grid(MPI_COMM_WORLD, test::line_of_ranks());
  const auto g = grid.general_geometry({2, 2, 2, 2 * size}, LatticeOrder::checkerboard);
  const FieldSpec spec = coarse_spec(Subset::full, 2, 1, Precision::double_precision, Location::host);
  const Queue queue(Location::host);
  for (const int ranks : {1, size % 2 == 0 ? size / 2 : 1, size}) {
    const auto few = std::make_shared<Agglomeration>(grid, g, Extents{1, 1, 1, ranks});
    RedistributedSolver solver(few, spec, queue, few->here() ? std::make_unique<Doubling>(1) : nullptr,
                               queue);
    const Field b = numbered_field(g, spec, 0);
    Field e(g, spec);
    EXPECT_EQ(test::message_of(ErrorKind::not_converged, [&] { solver.solve(e, b, ActiveSet(1)); }),
              "a coarse solve that failed");
    solver.solve(e, b, ActiveSet(1));
    test::Vectors twice = test::to_vectors(b);
    for (auto& z : twice[0]) z *= 2.0;
    EXPECT_EQ(test::to_vectors(e), twice);
  }
}

// Memory that rank 0 takes for a solve is what a plan counts.
TEST(RedistributedSolver, IsPlanned) {
  const int size = test::world_size();
  for (const Location above : test::locations())
    for (const Location below : test::locations()) {
      const auto solve = [&](MPI_Comm comm) {
        const ProcessGrid grid(comm, test::line_of_ranks());
        const GeometryPtr g = grid.general_geometry({4, 2, 2, 4 * size}, LatticeOrder::checkerboard);
        const FieldSpec spec = coarse_spec(Subset::full, 8, 5, Precision::single_precision, above);
        const auto few = std::make_shared<Agglomeration>(grid, g, Extents{1, 1, 1, 1});
        const Queue queue(above), there(below);
        RedistributedSolver solver(few, spec, queue, few->here() ? std::make_unique<Nothing>() : nullptr,
                                   there);
        Field e(g, spec), b(g, spec);
        solver.solve(e, b, ActiveSet(5));
      };
      DryRun run({.ranks = size, .location = above});
      {
        const DryRun::Scope scope(run);
        solve(MPI_COMM_SELF);
      }
      for (const Location where : test::locations()) {
        Buffer::forget_high_water();
        const std::size_t before = Buffer::in_use(where);
        solve(MPI_COMM_WORLD);
        if (test::world_rank() == 0) {
          EXPECT_EQ(run.memory().peak(where).buffer_bytes, Buffer::high_water(where) - before);
        }
      }
    }
}

TEST(RedistributedSolver, BelongsWhereItsLevelIs) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.general_geometry({1, 1, 1, 1}, LatticeOrder::lexicographic);
  const FieldSpec spec = coarse_spec(Subset::full, 1, 1, Precision::double_precision, Location::host);
  const Queue queue(Location::host);
  test::expect_error(
      [&] {
        RedistributedSolver(std::make_shared<Agglomeration>(self, g, self.ranks()), spec, queue, nullptr,
                            queue);
      },
      ErrorKind::internal, {"belongs on the ranks that have its level"});
}

}  // namespace
}  // namespace plaq
