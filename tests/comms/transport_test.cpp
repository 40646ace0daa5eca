// The host transport: messages of every size, many at once, again and again.
#include "comms/transport.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

unsigned char byte(int rank, int leg, int round, std::size_t i) {
  return static_cast<unsigned char>(rank * 31 + leg * 7 + round * 3 + static_cast<int>(i % 251));
}

TEST(HostTransport, MovesTinyAndLargeMessages) {
  int size = 1, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, size});
  MPI_Comm_rank(grid.comm(), &rank);
  const std::size_t sizes[] = {1, 3, 4096, 65537, 0, (std::size_t{12} << 20) + 5};  // eager and rendezvous
  for (const Location location : test::locations()) {
    const Queue queue(location);
    const auto transport = make_host_transport(grid, location);
    EXPECT_EQ(transport->name(), "host");
    std::vector<Buffer> send, receive;
    std::vector<FaceMessage> messages;
    std::vector<int> from;
    for (const std::size_t bytes : sizes)
      for (const bool forward : {true, false}) {  // with two ranks both neighbours are the same rank
        send.emplace_back(location, bytes);
        receive.emplace_back(location, bytes);
        from.push_back(grid.neighbor(3, !forward));
        messages.push_back({grid.neighbor(3, forward), from.back(), static_cast<int>(messages.size()),
                            send.back().data(), receive.back().data(), bytes});
      }
    const int exchange = transport->prepare(messages), other = transport->prepare({messages[0]});
    EXPECT_NE(exchange, other);
    for (int round = 0; round < 3; ++round) {
      for (std::size_t leg = 0; leg < send.size(); ++leg) {
        std::vector<unsigned char> bytes(send[leg].bytes());
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = byte(rank, static_cast<int>(leg), round, i);
        copy_bytes(send[leg].data(), location, bytes.data(), Location::host, bytes.size());
        receive[leg].fill_zero();
      }
      transport->start(exchange, queue);
      transport->finish(exchange, queue);
      queue.synchronize();
      for (std::size_t leg = 0; leg < receive.size(); ++leg) {
        std::vector<unsigned char> got(receive[leg].bytes());
        copy_bytes(got.data(), Location::host, receive[leg].data(), location, got.size());
        for (std::size_t i = 0; i < got.size(); ++i)
          ASSERT_EQ(got[i], byte(from[leg], static_cast<int>(leg), round, i))
              << "leg " << leg << " byte " << i;
      }
      transport->start(other, queue);
      transport->finish(other, queue);
      queue.synchronize();
    }
    transport->release(exchange);
    transport->release(other);
  }
}

TEST(HostTransport, RefusesWhatMpiCannotCount) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto transport = make_host_transport(self, Location::host);
  try {
    transport->prepare({{0, 0, 0, nullptr, nullptr, std::size_t{3} << 30}});
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::comms);
    EXPECT_STREQ(e.what(),
                 "a face of 3072 MiB is too large for one message; split the lattice over more ranks");
  }
}

}  // namespace
}  // namespace plaq
