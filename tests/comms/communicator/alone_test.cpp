// A process alone: MPI is not started here, and any call of it would end the test.
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/communicator.hpp"
#include "comms/communicator/heartbeat.hpp"
#include "comms/communicator/mpi_session.hpp"
#include "comms/communicator/node_map.hpp"
#include "comms/communicator/world.hpp"
#include "comms/grid/process_grid.hpp"
#include "comms/sums/node_memory.hpp"
#include "comms/transport/transport_choice.hpp"
#include "comms/transport/transport_trials.hpp"
#include "core/system/memory.hpp"
#include "jobs/common/failure.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/locations.hpp"

namespace plaq {
namespace {

class Alone : public testing::Test {
 protected:
  void SetUp() override { ASSERT_FALSE(mpi_runs()); }
  void TearDown() override {
    int begun = 1;
    MPI_Initialized(&begun);
    EXPECT_EQ(begun, 0) << "MPI was started";
  }
};

TEST_F(Alone, KnowsTheNameOfItsMpiLibrary) {
  const std::string name = mpi_library();
  EXPECT_NE(name.find("MPI"), std::string::npos) << name;
  EXPECT_EQ(name.find_first_of(",\n\t"), std::string::npos) << name;
}

TEST_F(Alone, IsTheWorld) {
  EXPECT_EQ(world().size(), 1);
  EXPECT_EQ(world().rank(), 0);
  EXPECT_EQ(world_size(), 1);
  EXPECT_FALSE(world().through_mpi());
  const WorldPart part(world());
  EXPECT_EQ(world().size(), 1);
}

TEST_F(Alone, TellsItself) {
  const Communicator all = world();
  all.barrier();
  all.progress();
  EXPECT_EQ(all.broadcast(17), 17);
  EXPECT_EQ(broadcast(all, "words"), "words");
  EXPECT_EQ(gather(all, "words"), std::vector<std::string>{"words"});
  EXPECT_EQ(all.sum(2.5), 2.5);
  EXPECT_EQ(all.min(-3), -3);
  EXPECT_EQ(all.max(std::uint64_t{9}), 9u);
  EXPECT_TRUE(all.all(true));
  EXPECT_FALSE(all.any(false));
  EXPECT_EQ(all.all_gather(4.5), std::vector<double>{4.5});
  const std::vector<int> one = {3}, from = {1}, to = {2}, numbers = {9, 1, 2, 3};
  EXPECT_EQ(all.gather(std::span(numbers).subspan(1), one), (std::vector<int>{1, 2, 3}));
  std::vector<int> got(6, -1);
  all.all_to_all(numbers.data(), {one, from}, got.data(), {one, to});
  EXPECT_EQ(got, (std::vector<int>{-1, -1, 1, 2, 3, -1}));
  std::vector<int> back(4);
  all.exchange(numbers, 0, back, 0, 5, [] { return std::string(); });
  EXPECT_EQ(back, numbers);
  EXPECT_TRUE(all.start_barrier().done());
  int same = 0;
  EXPECT_TRUE(all.start_all_gather(std::span(one), std::span(&same, 1)).done());
  EXPECT_EQ(same, 3);
  test::expect_error([&] { all.send(std::span(one), 0, 1, [] { return std::string(); }); },
                     ErrorKind::internal, {"a process alone"});
}

TEST_F(Alone, IsEveryPartOfItself) {
  const Communicator all = world();
  for (const Communicator& each : {all.duplicate(), all.split(3, 8), all.split_by_node(), *all.part(true)}) {
    EXPECT_EQ(each.size(), 1);
    EXPECT_EQ(each.rank(), 0);
    EXPECT_FALSE(each.through_mpi());
  }
  EXPECT_FALSE(all.part(false));
}

TEST_F(Alone, IsAGrid) {
  const ProcessGrid grid(world(), {1, 1, 1, 1});
  EXPECT_EQ(grid.size(), 1);
  EXPECT_EQ(grid.neighbor(2, true), 0);
  EXPECT_EQ(nodes_of(grid.comm()), std::vector<int>{0});
  EXPECT_FALSE(two_ranks_share_a_device(grid.comm()));
  std::vector<ExactSum> sums(2);
  sums[0].add(1e300);
  sums[0].add(1.0);
  sums[0].add(-1e300);
  sums[1].add(0.25);
  EXPECT_EQ(global_sums(grid, sums), (std::vector<double>{1.0, 0.25}));
  EXPECT_EQ(global_max(grid, -2), -2);
  EXPECT_EQ(merged_grid(grid, {1, 1, 1, 1})->size(), 1);
  test::expect_error([] { ProcessGrid(world(), {1, 1, 1, 2}); }, ErrorKind::job_file, {"there are 1"});
  EXPECT_NE(NodeMemory::make(world(), 100), nullptr);
}

TEST_F(Alone, SharesItsFailures) {
  all_or_none(world(), [] {});
  test::expect_error([] { all_or_none(world(), [] { throw Error(ErrorKind::input_file, "no such file"); }); },
                     ErrorKind::input_file, {"no such file"});
  jobs::FailureReporter reporter;
  testing::internal::CaptureStderr();
  EXPECT_EQ(reporter.report({4, "a failure of one"}), 4);
  test::expect_parts(testing::internal::GetCapturedStderr(), {"a failure of one"});
  Heartbeat heartbeat(world());
  beat();
  heartbeat.meet(std::make_exception_ptr(std::runtime_error("said by whoever catches it")));
}

// A watchdog's end of a program.
TEST(AloneDeathTest, EndsItself) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(abort_all_ranks(7), testing::ExitedWithCode(7), "");
}

// A face that is sent with a tag is received with it, in host memory and by way of it.
TEST_F(Alone, ExchangesWithItself) {
  const ProcessGrid grid(world(), {1, 1, 1, 1});
  for (const Location location : test::locations()) {
    const auto host = make_transport(grid, location, TransportKind::host);
    EXPECT_EQ(transport_fault(grid, location, *host, test_message_bytes()), "");
    EXPECT_EQ(choose_transport(grid, location, TransportKind::host).text, "host for everything");
    EXPECT_EQ(choose_transport(grid, location, TransportKind::automatic).text, "self");
    // Received in another order, one of them empty, part of each.
    const Queue queue(location);
    const auto exchange = host->prepare({{0, FaceMessage::nobody, 2, 16},
                                         {0, FaceMessage::nobody, 1, 16},
                                         {FaceMessage::nobody, 0, 1, 16},
                                         {FaceMessage::nobody, 0, 2, 16},
                                         {0, 0, 3, 0}});
    for (int round = 0; round < 3; ++round) {
      exchange->begin();
      for (std::size_t m = 0; m < 2; ++m) {
        const double numbers[2] = {10.0 * round + static_cast<double>(m), 5};
        copy_bytes(exchange->send(m), location, numbers, Location::host, sizeof numbers);
      }
      exchange->start(queue, round == 2 ? 8 : Exchange::whole);
      exchange->finish(queue);
      queue.synchronize();
      for (std::size_t m = 2; m < 4; ++m) {
        double numbers[2] = {};
        copy_bytes(numbers, Location::host, exchange->receive(m), location, sizeof numbers);
        EXPECT_EQ(numbers[0], 10.0 * round + static_cast<double>(3 - m));
        EXPECT_EQ(numbers[1], 5);
      }
    }
    test::expect_error(
        [&] {
          host->prepare({{0, FaceMessage::nobody, 2, 16}});
        },
        ErrorKind::internal, {"receives what it sends"});
    test::expect_error(
        [&] {
          host->prepare({{FaceMessage::nobody, 0, 2, 16}});
        },
        ErrorKind::internal, {"receives what it sends"});
  }
}

TEST_F(Alone, HasNoMpiForMemoryOfGpus) {
  const ProcessGrid grid(world(), {1, 1, 1, 1});
  EXPECT_EQ(test::message_of(ErrorKind::comms, [&] { make_device_mpi_transport(grid); }),
            "MPI is not started in a process that no launcher started");
}

}  // namespace
}  // namespace plaq
