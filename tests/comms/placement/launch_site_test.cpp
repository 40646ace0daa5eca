// Places of ranks of this machine: cores, threads, and refusals of a strict launch.
#include "comms/placement/launch_site.hpp"

#include <omp.h>
#include <sched.h>

#include "comms/placement/core_set.hpp"
#include "core/launch/queue.hpp"
#include "core/system/await_number.hpp"
#include "core/system/log.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::world_rank;
using test::world_size;

// The cores of this thread and OMP_NUM_THREADS, as they were before, when it goes.
class Launch : public testing::Test {
 protected:
  Launch() {
    sched_getaffinity(0, sizeof before_, &before_);
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(static_cast<std::size_t>(core), &before_)) cores_.push_back(core);
    if (const char* text = std::getenv("OMP_NUM_THREADS")) threads_ = text;
    ::unsetenv("OMP_NUM_THREADS");
    log::set_level(log::Level::error);
  }
  ~Launch() override {
    log::set_level(log::Level::info);
    if (threads_) ::setenv("OMP_NUM_THREADS", threads_->c_str(), 1);
    sched_setaffinity(0, sizeof before_, &before_);
    omp_set_num_threads(threads_ ? std::atoi(threads_->c_str()) : 1);
  }
  void use_core(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(core), &set);
    ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
  }

  cpu_set_t before_;
  std::vector<int> cores_;
  std::optional<std::string> threads_;
};

TEST_F(Launch, UnboundRanksShareTheCores) {
  cpu_set_t all;
  MPI_Allreduce(&before_, &all, static_cast<int>(sizeof all), MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  int alike = CPU_EQUAL(&all, &before_) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &alike, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (alike == 0) GTEST_SKIP() << "the launcher bound the ranks";
  const LaunchSite site = choose_launch_site(MPI_COMM_WORLD, "host", 0);
  EXPECT_EQ(site.location, Location::host);
  EXPECT_EQ(site.device, -1);
  EXPECT_EQ(site.node_rank, world_rank());  // one node
  EXPECT_EQ(site.node_ranks, world_size());
  EXPECT_EQ(site.threads, std::max(1, static_cast<int>(cores_.size()) / world_size()));
  EXPECT_EQ(omp_get_max_threads(), site.threads);
  cpu_set_t after;
  sched_getaffinity(0, sizeof after, &after);
  EXPECT_TRUE(CPU_EQUAL(&after, &before_));  // without GPUs nobody is bound
  if (world_rank() == 0) {
    test::expect_parts(site.table, {"who runs where"});
    EXPECT_LE(std::count(site.table.begin(), site.table.end(), '\n'), 2) << site.table;  // they are alike
  } else {
    EXPECT_TRUE(site.table.empty());
  }
}

TEST_F(Launch, ThreadsAreThoseAskedFor) {
  EXPECT_EQ(choose_launch_site(MPI_COMM_WORLD, "host", 3).threads, 3);
  EXPECT_EQ(omp_get_max_threads(), 3);
  ::setenv("OMP_NUM_THREADS", "3", 1);  // read when OpenMP started: what counts is what it then has
  EXPECT_EQ(choose_launch_site(MPI_COMM_WORLD, "host", 0).threads, 3);
  EXPECT_EQ(choose_launch_site(MPI_COMM_WORLD, "host", 2).threads, 2);
}

TEST_F(Launch, BoundRanksKeepTheirCores) {
  const auto core = cores_[static_cast<std::size_t>(world_rank()) % cores_.size()];
  use_core(core);
  const LaunchSite site = choose_launch_site(MPI_COMM_WORLD, "host", 0);
  EXPECT_EQ(site.threads, 1);
  EXPECT_EQ(sched_getcpu(), core);
}

TEST_F(Launch, ThreadsThatStartLaterAreBoundAsTheFirstOne) {
  const CoreSet one({cores_.back()});
  EXPECT_TRUE(bind_thread(one));
  EXPECT_EQ(cores_of_process(), one);
  CoreSet later;
  std::thread([&] { later = cores_of_process(); }).join();
  EXPECT_EQ(later, one);
  EXPECT_FALSE(bind_thread({}));
  EXPECT_FALSE(bind_thread(CoreSet({60000})));  // there is none
  EXPECT_EQ(cores_of_process(), one);
}

// Every rank must get the same error.
std::string strict_error(const std::string& where, int threads) {
  return test::message_of(ErrorKind::usage,
                          [&] { choose_launch_site(MPI_COMM_WORLD, where, threads, true); });
}

TEST_F(Launch, AStrictOneRefusesMoreThreadsThanCores) {
  const int cores = static_cast<int>(cores_.size());
  const bool fits = world_size() <= cores;
  EXPECT_EQ(strict_error("host", 0).empty(), fits);
  if (fits) {
    EXPECT_TRUE(strict_error("host", cores / world_size()).empty());
  }
  test::expect_parts(strict_error("host", cores + 1),
                     {"strict binding was asked for, so nothing is done:\n  more ranks times threads",
                      std::to_string(world_size() * (cores + 1)) + " thread(s)"});
}

TEST_F(Launch, WaitsLeaveCoresThatAreTooFew) {
  const int cores = static_cast<int>(cores_.size());
  choose_launch_site(MPI_COMM_WORLD, "host", cores + 1);
  EXPECT_TRUE(cores_are_crowded);
  choose_launch_site(MPI_COMM_WORLD, "host", 1);
  EXPECT_EQ(cores_are_crowded, world_size() > cores);
}

TEST_F(Launch, AStrictOneRefusesARankWithMoreThreadsThanCoresOfItsOwn) {
  if (world_size() > 1 && cores_.size() > 1) {
    // The last rank alone has too few; the others have room.
    if (world_rank() == world_size() - 1) use_core(cores_.front());
    const bool last = world_rank() == world_size() - 1;
    test::expect_parts(strict_error("host", last ? 2 : 1), {"more ranks times threads than cores"});
  }
}

TEST_F(Launch, GpusAreSharedOnlyByMoreRanksThanThereAre) {
  if (device_count() == 0) {
    EXPECT_THROW(choose_launch_site(MPI_COMM_WORLD, "gpu", 0), Error);
    EXPECT_EQ(choose_launch_site(MPI_COMM_WORLD, "auto", 0).location, Location::host);
    return;
  }
  const LaunchSite site = choose_launch_site(MPI_COMM_WORLD, "gpu", 1);
  EXPECT_EQ(site.location, Location::device);
  EXPECT_FALSE(site.device_name.empty());
  if (world_rank() == 0) {
    EXPECT_EQ(site.table.find("GPU SHARED") != std::string::npos, world_size() > device_count())
        << site.table;
    test::expect_parts(site.table, {site.device_name});
  }
  sched_setaffinity(0, sizeof before_, &before_);
  EXPECT_EQ(strict_error("gpu", 1).find("share the GPU") != std::string::npos, world_size() > device_count());
}

}  // namespace
}  // namespace plaq
