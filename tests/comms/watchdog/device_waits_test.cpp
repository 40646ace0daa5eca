// Name of the neighbour whose face kernels wait for, while they wait, and nothing once all have come.
#include "comms/watchdog/device_waits.hpp"

#include "comms/transport/transport.hpp"
#include "core/launch/queue.hpp"
#include "core/system/error.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

std::string text_after_a_while(const std::string& part) {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    text = device_waits(5);
    if (text.find(part) != std::string::npos) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return text;
}

// The last rank starts its second exchange late.
TEST(PeerTransport, NamesTheFaceThatIsMissing) {
  if (device_count() == 0) GTEST_SKIP() << "no GPU";
  const int rank = test::world_rank(), last = test::world_size() - 1;
  use_device(rank % device_count());
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, last + 1});
  std::shared_ptr<Transport> transport;
  try {
    transport = make_peer_transport(grid);
  } catch (const Error& e) {
    GTEST_SKIP() << e.what();
  }
  std::vector<FaceMessage> messages;
  for (const int d : {6, 7})
    messages.push_back({grid.neighbor(3, d % 2 == 1), grid.neighbor(3, d % 2 == 0), d, 4096});
  const auto exchange = transport->prepare(messages), idle = transport->prepare(messages);
  const Queue queue(Location::device);
  const auto go = [&] {
    exchange->start(queue);
    exchange->finish(queue);
  };
  EXPECT_EQ(device_waits(5), "");
  exchange->begin();
  go();
  queue.synchronize();
  EXPECT_EQ(device_waits(5), "");

  exchange->begin();
  if (rank != last) {
    go();
    std::string faces;
    for (const FaceMessage& m : messages)
      if (m.receive_from == last) faces += (faces.empty() ? "" : ", ") + sender_text(m);
    const std::string text = "GPU waits for " + faces + " in exchange 2 of its kind (8192 bytes)";
    EXPECT_EQ(text_after_a_while(text), text);
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_EQ(device_waits(5), "");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == last) go();
  queue.synchronize();
  EXPECT_EQ(device_waits(5), "");
}

}  // namespace
}  // namespace plaq
