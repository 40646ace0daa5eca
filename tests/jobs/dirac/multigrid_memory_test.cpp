// Jobs with multigrid that do not fit: said before anything is computed, with what would fit.
#include "jobs/dirac/multigrid_memory.hpp"

#include <charconv>
#include <set>

#include "core/system/log.hpp"
#include "core/system/memory.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/quark/sources.hpp"
#include "quarks/solve/system_solver.hpp"
#include "settings/solver/solver_table.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

// On 8x8x8x16, in one process. Setups are for one right-hand side: those of twelve take more than vectors do.
class MultigridMemory : public testing::Test {
 protected:
  void SetUp() override { log::set_level(log::Level::error); }
  void TearDown() override { log::set_level(log::Level::info); }

  SolverSettings spec(int vectors) const {
    SolverSettings spec = solver_settings(job_, Location::host);
    spec.multigrid->vectors = {vectors};
    return spec;
  }
  void expect_room(int vectors, const RankMemory& there) const {
    expect_room_for_multigrid(context_, action_parameters(job_), spec(vectors), 1, there);
  }
  bool fits(int vectors, std::uint64_t host) const {
    try {
      expect_room(vectors, {host, 0});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::internal) << error.what();
      return false;
    }
    return true;
  }

  const JobFile job_ = JobFile::parse(
      propagator_text + "[solver]\npreconditioner = \"multigrid\"\n[run]\nlocation = \"host\"\nthreads = 1\n",
      "job.toml");
  const JobContext context_ = start_job(job_, {8, 8, 8, 16});
};

TEST_F(MultigridMemory, NamesWhatWouldFit) {
  constexpr std::uint64_t little = 90 << 20;
  EXPECT_TRUE(fits(24, std::uint64_t{1} << 40));
  const std::string text = message_of(ErrorKind::internal, [&] { expect_room(24, {little, 0}); });
  expect_holds(text, "out of memory: multigrid on 8x8x8x16 takes ");
  expect_holds(text, " of a rank on the host, and 90.0 MiB are free for it. It would fit with ");
  const std::string words = "would fit with ";
  int vectors = 0;
  std::from_chars(text.data() + text.find(words) + words.size(), text.data() + text.size(), vectors);
  ASSERT_GT(vectors, 1) << text;
  EXPECT_TRUE(fits(vectors, little)) << text;
  EXPECT_FALSE(fits(vectors + 1, little)) << text;
  expect_holds(text, "on 2 ranks with as much memory each.");
  expect_holds(message_of(ErrorKind::internal,
                          [&] {
                            expect_room(24, {1 << 20, 0});
                          }),
               "Fewer vectors and 64 times the ranks would not do.");
}

// The count against what a solver takes.
TEST_F(MultigridMemory, CountsWhatASolverTakes) {
  const std::size_t before = Buffer::in_use(Location::host);
  Buffer::forget_high_water();
  {
    const Field gauge = random_gauge(context_.geometry, 3);
    SystemSolver solver({context_.grid.get(), gauge, context_.queue, context_.transport},
                        action_parameters(job_), spec(8), 1);
    Field b(context_.geometry, solver.spec_of_fields()), x(b.geometry_ptr(), b.spec());
    random_source(b, Noise::z4, 5);
    EXPECT_TRUE(solver.solve(x, b).converged());
  }
  const std::size_t taken = Buffer::high_water(Location::host) - before;
  EXPECT_FALSE(fits(8, taken - 1));
  EXPECT_TRUE(fits(8, taken + taken / 50));  // what containers hold comes on top
}

// The most columns of which the dry count says that they fit; those of the job stay as they are.
TEST_F(MultigridMemory, AsManyColumnsAreSolvedTogetherAsThereIsRoomFor) {
  const ActionPtr action = action_parameters(job_);
  const auto columns = [&](std::uint64_t host, std::optional<int> given = {}) {
    SolverSettings wants = spec(8);
    wants.columns = given;
    return columns_with_room(context_, action, wants, {host, 0});
  };
  const auto fit = [&](int batch, std::uint64_t host) {
    try {
      expect_room_for_multigrid(context_, action, spec(8), batch, {host, 0});
    } catch (const Error&) {
      return false;
    }
    return true;
  };
  EXPECT_EQ(columns(std::uint64_t{1} << 40), 12);
  std::set<int> found;
  for (std::uint64_t host = 512 << 20; fit(1, host); host -= host / 16) {
    const int here = columns(host);
    found.insert(here);
    EXPECT_TRUE(fit(here, host)) << here << " in " << host;
    for (const int more : {2, 3, 4, 6, 12})
      EXPECT_FALSE(more > here && fit(more, host)) << more << " in " << host;
    EXPECT_TRUE(here == 12 || !fit(12, host));
    EXPECT_EQ(columns(host, 1), 1);
  }
  EXPECT_GT(found.size(), 3u);
  EXPECT_THROW(columns(1 << 20), Error);
}

// Domain walls without multigrid, too; other quarks as before.
TEST(ColumnsWithRoom, AreOfDomainWalls) {
  const auto columns = [](const std::string& action, std::uint64_t host) {
    const JobFile job =
        JobFile::parse("job = \"propagator\"\n[gauge]\nfiles = [\"a\"]\n[action]\n" + action +
                           "[output]\nfile = \"b.h5\"\n[run]\nlocation = \"host\"\nthreads = 1\n",
                       "job.toml");
    const JobContext context = start_job(job, {8, 8, 8, 16});
    return columns_with_room(context, action_parameters(job), solver_settings(job, Location::host),
                             {host, 0});
  };
  const std::string walls = "type = \"domain_wall\"\nmass = 0.1\nn_s = 8\n";
  EXPECT_EQ(columns(walls, std::uint64_t{1} << 40), 12);
  EXPECT_LT(columns(walls, 400 << 20), 12);
  EXPECT_GT(columns(walls, 400 << 20), 1);
  EXPECT_EQ(columns("mass = 0.1\n", 1 << 20), 12);
  // Eigenvectors are in files that are not looked for here.
  EXPECT_EQ(columns(walls + "[solver]\ndeflation = \"modes\"\n", 400 << 20), 12);
}

// Memory of the job beside the solver is not free for the solver.
TEST_F(MultigridMemory, IsLessByWhatTheJobHasBesides) {
  const ActionPtr action = action_parameters(job_);
  EXPECT_EQ(columns_with_room(context_, action, spec(8), 0), 12);
  EXPECT_THROW(columns_with_room(context_, action, spec(8), 2 * free_memory(Location::host)), Error);
  EXPECT_THROW(columns_with_room(context_, action, spec(8), ~std::uint64_t{0}), Error);
}

TEST_F(MultigridMemory, GpusThatAreNotThereAreAnError) {
  SolverSettings wants = spec(8);
  wants.multigrid->coarse_locations = {Location::device};
  const auto start = [&] { expect_room_for_multigrid(context_, action_parameters(job_), wants, 1); };
  if (device_count() > 0) {
    EXPECT_NO_THROW(start());
  } else {
    expect_holds(message_of(ErrorKind::device, start), "coarse_locations = \"gpu\" was asked for, but ");
  }
}

TEST(WhatWouldFit, IsTheMostOfVectorsAndTheLeastOfRanks) {
  const auto text = [](int most, int least) {
    return what_would_fit({24, 8}, 3, [=](const std::vector<int>& vectors, int ranks) {
      EXPECT_EQ(vectors[1], std::min(8, vectors[0]));
      if (ranks == 6) throw Error(ErrorKind::job_file, "no such grid");
      return vectors[0] <= most || ranks >= least;
    });
  };
  EXPECT_EQ(text(1, 12), "It would fit with 1 near-null vector, or on 12 ranks with as much memory each.");
  EXPECT_EQ(text(23, 4), "It would fit with 23 near-null vectors, or on 12 ranks with as much memory each.");
  EXPECT_EQ(text(11, 1000), "It would fit with 11 near-null vectors.");
  EXPECT_EQ(text(0, 192), "It would fit on 192 ranks with as much memory each.");
  EXPECT_EQ(text(0, 193), "Fewer vectors and 64 times the ranks would not do.");
}

}  // namespace
}  // namespace plaq::jobs::test
