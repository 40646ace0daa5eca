// Coarse lattices that move to fewer ranks: what each has then, on every process grid.
#include "multigrid/levels/agglomeration.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "core/system/dry_run.hpp"
#include "tests/multigrid/levels/random_operator.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

using test::bytes_of_field, test::numbered_field;

std::vector<FieldSpec> specs(Location location) {
  const Precision half = Precision::half_precision, single = Precision::single_precision,
                  twice = Precision::double_precision;
  return {coarse_links_spec(4, half, location), coarse_links_spec(3, single, location),
          coarse_links_spec(1, twice, location), coarse_spec(Subset::full, 3, 5, single, location),
          coarse_spec(Subset::full, 2, 1, twice, location)};
}

// What a rank has is what it would have made itself there; and back again.
TEST(Agglomeration, MovesEveryBitThereAndBack) {
  test::Turns turns(3);
  const auto visit = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    test::for_grids_below(grid.ranks(), [&](const Extents& ranks) {
      const Agglomeration few(grid, g, ranks);
      EXPECT_EQ(few.merges(), ranks != grid.ranks());
      if (few.here()) {
        EXPECT_EQ(few.grid().ranks(), ranks);
      }
      for (const FieldSpec& spec : specs(location))
        for (const Location below : test::locations()) {
          if (!turns.mine()) continue;
          SCOPED_TRACE(std::string(name_of(spec.precision)) + " to " + std::string(name_of(below)));
          const Field on_all = numbered_field(g, spec, 0);
          const Field agglomerated = few.gather(on_all, below, Queue(location));
          ASSERT_EQ(static_cast<bool>(agglomerated), few.here());
          if (few.here()) {
            EXPECT_EQ(bytes_of_field(agglomerated),
                      bytes_of_field(numbered_field(few.geometry(), agglomerated.spec(), 0)));
          }
          Field back(g, spec);
          few.scatter(back, agglomerated, Queue(few.here() ? below : location));
          EXPECT_EQ(bytes_of_field(back), bytes_of_field(on_all));
        }
    });
  };
  for (const auto& [extents, order] : test::general_lattices())
    test::for_all_general_geometries(extents, order, visit, {0});
  test::for_all_general_geometries({2, 6, 4, 2}, LatticeOrder::checkerboard, visit, {15});
}

// An operator on fewer ranks, made of the links that were moved there, has the bits of the one on all.
TEST(Agglomeration, KeepsWhatACoarseOperatorDoes) {
  constexpr int components = 4, batch = 2;
  const auto visit = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const Queue queue(location);
    const auto m =
        test::coarse_operator(grid, test::random_links(g, components, Precision::half_precision, location));
    const Field in = numbered_field(g, m->spec(batch), 0);
    Field expected(g, m->spec(batch)), found(g, m->spec(batch));
    m->apply(expected, in);
    m->queue().synchronize();
    test::for_grids_below(grid.ranks(), [&](const Extents& ranks) {
      const Agglomeration few(grid, g, ranks);
      Field links = few.gather(m->links(), location, queue), there = few.gather(in, location, queue), out;
      if (few.here()) {
        const auto moved = test::coarse_operator(few.grid(), std::move(links));
        out = Field(few.geometry(), moved->spec(batch));
        moved->apply(out, there);
        moved->queue().synchronize();
      }
      few.scatter(found, out, queue);
      EXPECT_EQ(test::to_vectors(found), test::to_vectors(expected));
    });
  };
  for (const auto& [extents, order] : test::general_lattices())
    test::for_all_general_geometries(extents, order, visit, {0});
  test::for_all_general_geometries({6, 2, 2, 10}, LatticeOrder::checkerboard, visit, {15});
}

TEST(Agglomeration, RefusesRanksThatDoNotDivide) {
  const ProcessGrid grid(MPI_COMM_WORLD, test::line_of_ranks());
  const int size = test::world_size();
  const auto g = grid.general_geometry({1, 1, 1, size}, LatticeOrder::lexicographic);
  for (const int ranks : {0, size + 1}) {
    const std::string wrong = std::to_string(ranks);
    EXPECT_EQ(test::message_of(ErrorKind::comms,
                               [&] {
                                 Agglomeration(grid, g, {1, 1, 1, ranks});
                               }),
              "a level of process grid " + to_string(grid.ranks()) + " cannot move to 1x1x1x" + wrong + ": " +
                  wrong + " in t does not divide " + std::to_string(size));
  }
}

TEST(Agglomeration, KnowsItsGridWhereItIs) {
  const int size = test::world_size();
  const ProcessGrid grid(MPI_COMM_WORLD, test::line_of_ranks());
  const Agglomeration few(grid, grid.general_geometry({1, 1, 1, size}, LatticeOrder::lexicographic),
                          {1, 1, 1, 1});
  ASSERT_EQ(few.here(), grid.rank() == 0);
  ASSERT_EQ(few.geometry() != nullptr, few.here());
  if (few.here()) {
    EXPECT_EQ(few.grid().size(), 1);
  } else {
    test::expect_error([&] { few.grid(); }, ErrorKind::internal, {"has no part of it"});
  }
}

class WorkOfFewer : public testing::Test {
 protected:
  const int size_ = test::world_size();
  const ProcessGrid grid_{MPI_COMM_WORLD, test::line_of_ranks()};
  const GeometryPtr g_ = grid_.general_geometry({1, 1, 1, size_}, LatticeOrder::lexicographic);
  const int fewer_ = size_ % 4 == 0 ? size_ / 2 : 1;  // several where there are enough
  const Agglomeration few_{grid_, g_, {1, 1, 1, fewer_}};
};

TEST_F(WorkOfFewer, TellsItsNumber) {
  for (const int number : {7, 0, -3}) {
    bool worked = false;
    EXPECT_EQ(few_.on_fewer_ranks([&] {
      worked = true;
      EXPECT_EQ(global_max(few_.grid(), 1.0), 1.0);  // it may communicate
      return number;
    }),
              number);
    EXPECT_EQ(worked, few_.here());
  }
}

// Errors of all that work, or of some of them after they were together; the next work is done as ever.
TEST_F(WorkOfFewer, TellsItsErrors) {
  for (const int first : {0, fewer_ - 1}) {
    const auto work = [&]() -> int {
      if (few_.grid().rank() >= first)
        throw Error(ErrorKind::not_converged, "lost on rank " + std::to_string(few_.grid().rank()));
      return 1;
    };
    EXPECT_EQ(test::message_of(ErrorKind::not_converged, [&] { few_.on_fewer_ranks(work); }),
              "lost on rank " + std::to_string(first));
    EXPECT_EQ(few_.on_fewer_ranks([] { return 5; }), 5);
  }
  if (!few_.merges()) return;  // what is thrown is what is thrown there
  EXPECT_EQ(test::message_of(ErrorKind::internal,
                             [&] { few_.on_fewer_ranks([]() -> int { throw std::bad_alloc(); }); }),
            "out of memory on the host");
}

// Ranks that wait need no core: one may have many.
TEST_F(WorkOfFewer, LeavesTheCoresToIt) {
  constexpr double seconds = 0.4;
  const auto processor_seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const double before = processor_seconds();
  few_.on_fewer_ranks([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    return 0;
  });
  EXPECT_LT(processor_seconds() - before, 0.6 * seconds);
}

// A plan counts what rank 0 would take, and waits for nobody.
TEST(Agglomeration, IsPlanned) {
  const int size = test::world_size();
  for (const Location above : test::locations())
    for (const Location below : test::locations()) {
      const auto move = [&](MPI_Comm comm) {
        const ProcessGrid grid(comm, test::line_of_ranks());
        const GeometryPtr g = grid.general_geometry({4, 2, 2, 4 * size}, LatticeOrder::checkerboard);
        const Agglomeration few(grid, g, {1, 1, 1, 1});
        EXPECT_EQ(few.on_fewer_ranks([] { return 2; }), 2);
        Field on_all(g, coarse_links_spec(6, Precision::single_precision, above));
        const Field agglomerated = few.gather(on_all, below, Queue(above));
        few.scatter(on_all, agglomerated, Queue(few.here() ? below : above));
      };
      DryRun run({.ranks = size, .location = above});
      {
        const DryRun::Scope scope(run);
        move(MPI_COMM_SELF);
      }
      for (const Location where : test::locations()) {
        Buffer::forget_high_water();
        const std::size_t before = Buffer::in_use(where);
        move(MPI_COMM_WORLD);
        if (test::world_rank() == 0) {
          EXPECT_EQ(run.memory().peak(where).buffer_bytes, Buffer::high_water(where) - before);
        }
      }
    }
}

}  // namespace
}  // namespace plaq
