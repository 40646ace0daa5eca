// Transports: messages of every size, many at once, again and again.
#include "comms/transport/transport.hpp"

#include "comms/transport/transport_choice.hpp"
#include "core/system/memory.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

// The first `count` bytes of a message.
std::vector<unsigned char> pattern(int rank, std::size_t leg, int round, std::size_t count) {
  std::vector<unsigned char> bytes(count);
  const int start = rank * 31 + static_cast<int>(leg) * 7 + round * 3;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 251); ++i)
    bytes[i] = static_cast<unsigned char>(start + static_cast<int>(i));
  for (std::size_t done = 251; done < count; done *= 2)  // every 251 bytes the same
    std::copy_n(bytes.begin(), std::min(done, count - done),
                bytes.begin() + static_cast<std::ptrdiff_t>(done));
  return bytes;
}

// Rounds of messages of every size between neighbours in t; a part of each in the last ones.
void expect_moved(const ProcessGrid& grid, Location location, Transport& transport) {
  const std::size_t sizes[] = {1, 3, 4096, 65537, 0, (std::size_t{12} << 20) + 5};  // eager and rendezvous
  const Queue queue(location);
  std::vector<FaceMessage> messages;
  for (const std::size_t bytes : sizes)
    for (const bool forward : {true, false})  // with two ranks both neighbours are the same rank
      messages.push_back(
          {grid.neighbor(3, forward), grid.neighbor(3, !forward), static_cast<int>(messages.size()), bytes});
  const auto exchange = transport.prepare(messages), other = transport.prepare({messages[0], messages[1]});
  for (int round = 0; round < 5; ++round) {
    const std::size_t most = round < 3 ? Exchange::whole : 1000;
    exchange->begin();
    for (std::size_t m = 0; m < messages.size(); ++m) {
      const auto bytes = pattern(grid.rank(), m, round, messages[m].bytes);
      copy_bytes(exchange->send(m), location, bytes.data(), Location::host, bytes.size());
    }
    exchange->start(queue, most);
    exchange->finish(queue);
    queue.synchronize();
    for (std::size_t m = 0; m < messages.size(); ++m) {
      std::vector<unsigned char> got(std::min(most, messages[m].bytes));
      copy_bytes(got.data(), Location::host, exchange->receive(m), location, got.size());
      const auto expected = pattern(messages[m].receive_from, m, round, got.size());
      const auto wrong = std::mismatch(got.begin(), got.end(), expected.begin()).first;
      ASSERT_EQ(wrong - got.begin(), std::ssize(got)) << "the first wrong byte of message " << m;
    }
    other->begin();
    other->start(queue);
    other->finish(queue);
    queue.synchronize();
  }
}

TEST(HostTransport, MovesTinyAndLargeMessages) {
  const ProcessGrid grid(MPI_COMM_WORLD, test::line_of_ranks());
  for (const Location location : test::locations()) {
    const auto transport = make_host_transport(grid, location);
    EXPECT_EQ(transport->name(), "host");
    expect_moved(grid, location, *transport);
  }
}

// A process alone has no MPI, and moves them itself.
TEST(HostTransport, MovesMessagesOfAProcessAlone) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid alone(Communicator::alone(), {1, 1, 1, 1});
  for (const Location location : test::locations())
    expect_moved(alone, location, *make_host_transport(alone, location));
}

// A message may have one end only.
TEST(HostTransport, MovesInOneDirection) {
  const ProcessGrid grid(MPI_COMM_WORLD, test::line_of_ranks());
  const int last = grid.size() - 1, rank = grid.rank();
  for (const Location location : test::locations()) {
    const Queue queue(location);
    const auto transport = make_host_transport(grid, location);
    FaceMessage message{rank == 0 ? last : FaceMessage::nobody, rank == last ? 0 : FaceMessage::nobody, 3, 8};
    const auto exchange = transport->prepare({message});
    EXPECT_EQ(exchange->send(0) != nullptr, rank == 0);
    EXPECT_EQ(exchange->receive(0) != nullptr, rank == last);
    const double number = 42;
    if (rank == 0) copy_bytes(exchange->send(0), location, &number, Location::host, 8);
    exchange->start(queue);
    exchange->finish(queue);
    queue.synchronize();
    double got = 0;
    if (rank == last) copy_bytes(&got, Location::host, exchange->receive(0), location, 8);
    EXPECT_EQ(got, rank == last ? number : 0);
  }
}

TEST(SelfTransport, MovesNothing) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location location : test::locations()) {
    const auto transport = make_self_transport(self, location);
    EXPECT_EQ(transport->name(), "self");
    expect_moved(self, location, *transport);
    EXPECT_THROW(transport->prepare({{1, 0, 0, 8}}), Error);
  }
}

// On machines with GPUs: what cannot be used there says so elsewhere.
TEST(DeviceTransports, MoveTinyAndLargeMessages) {
  const ProcessGrid grid(MPI_COMM_WORLD, test::line_of_ranks());
  if (device_count() == 0) GTEST_SKIP() << "no GPU";
  for (const auto make : {make_device_mpi_transport, make_nccl_transport, make_peer_transport}) {
    if (make == make_peer_transport && !test::on_one_node()) continue;
    std::shared_ptr<Transport> transport;
    if (test::message_of(ErrorKind::comms, [&] { transport = make(grid); }) != "") continue;
    SCOPED_TRACE(transport->name());
    expect_moved(grid, Location::device, *transport);
  }
  const ProcessGrid alone(Communicator::alone(), {1, 1, 1, 1});
  for (const auto make : {make_nccl_transport, make_peer_transport}) {
    std::shared_ptr<Transport> transport;
    if (test::message_of(ErrorKind::comms, [&] { transport = make(alone); }) != "") continue;
    SCOPED_TRACE(std::string(transport->name()) + " of a process alone");
    expect_moved(alone, Location::device, *transport);
  }
}

// Nothing travels to this rank itself by one transport, to others by another.
TEST(RoutedTransport, SplitsMessages) {
  const ProcessGrid grid(MPI_COMM_WORLD, test::line_of_ranks());
  for (const Location location : test::locations()) {
    const auto host = [&] { return make_host_transport(grid, location); };
    // By size, so that the messages of one exchange go different ways.
    const auto routed = make_routed_transport(grid, {host(), host()}, [](int, int, std::size_t bytes) {
      return bytes < 4096 ? std::size_t{0} : std::size_t{1};
    });
    EXPECT_EQ(routed->name(), "host, host");
    expect_moved(grid, location, *routed);
    // By sender: the two halves of a message of a rank go different ways.
    const auto by_sender = make_routed_transport(grid, {host(), host()}, [](int from, int, std::size_t) {
      return static_cast<std::size_t>(from % 2);
    });
    expect_moved(grid, location, *by_sender);
  }
}

TEST(HostTransport, RefusesWhatMpiCannotCount) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto transport = make_host_transport(self, Location::host);
  EXPECT_EQ(test::message_of(ErrorKind::comms,
                             [&] {
                               transport->prepare({{0, 0, 0, std::size_t{3} << 30}});
                             }),
            "a face of 3072 MiB is too large for one message; split the lattice over more ranks");
}

}  // namespace
}  // namespace plaq
