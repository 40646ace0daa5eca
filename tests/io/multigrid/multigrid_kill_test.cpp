// kill -9 while a setup replaces an older one: what is there afterwards is one of the two, whole.
#include <omp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/io/multigrid/multigrid_files.hpp"

namespace plaq {
namespace {

TEST(MultigridKill, LeavesTheOlderFileOrTheNewOne) {
  constexpr Extents extents{4, 4, 8, 8};
  constexpr auto half = Precision::half_precision;
  const test::TemporaryFolder folder;
  const std::string path = folder / "setup";
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  const auto geometry = grid.geometry(extents);
  const std::array<test::Spinors, 2> vectors{test::random_vectors(extents, 24, 1),
                                             test::random_vectors(extents, 24, 2)};
  const auto write = [&](int rounds) {
    MultigridSetupInfo setup = test::some_setup();
    setup.rounds = rounds;
    write_near_null_vectors(path, grid,
                            test::vectors_field(geometry, vectors[static_cast<std::size_t>(rounds % 2)]),
                            setup, half);
  };
  write(0);
  int last = 0, newer = 0, leftovers = 0;
  for (int kill = 0; kill < 20; ++kill) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::omp_set_num_threads(1);  // those of the parent are not here
      for (int rounds = last + 1;; ++rounds) write(rounds);
    }
    ::usleep(static_cast<useconds_t>(5000 + 3700 * kill));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    leftovers += test::names_in(folder.path()).size() > 1;
    Field back(geometry, near_null_vectors_spec(24, Precision::double_precision));
    const int rounds = read_near_null_vectors(path, grid, back).setup.rounds;
    EXPECT_GE(rounds, last);
    EXPECT_EQ(
        test::different_numbers(back, test::as_stored(vectors[static_cast<std::size_t>(rounds % 2)], half)),
        0);
    newer += rounds > last;
    last = rounds;
  }
  std::printf("20 kills: %d with newer files, %d that left a temporary; %d files in all\n", newer, leftovers,
              last);
  EXPECT_GT(newer, 0);
  EXPECT_GT(leftovers, 0);
  write(1000);
  EXPECT_EQ(test::names_in(folder.path()), std::vector<std::string>{"setup"});
}

}  // namespace
}  // namespace plaq
