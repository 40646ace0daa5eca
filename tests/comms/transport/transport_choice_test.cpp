// Choice of the transport, and detection of one that garbles a message.
#include "comms/transport/transport_choice.hpp"

#include "comms/communicator/node_map.hpp"
#include "comms/transport/transport_trials.hpp"
#include "tests/comms/transport/garbling.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

using test::line_of_ranks;

std::string refusal(const ProcessGrid& grid, Location location, TransportKind kind) {
  return test::message_of(ErrorKind::comms, [&] { (void)choose_transport(grid, location, kind); });
}

TEST(TransportChoice, NamesAreKnown) {
  EXPECT_EQ(transport_kind("auto"), TransportKind::automatic);
  EXPECT_EQ(transport_kind("device_mpi"), TransportKind::device_mpi);
  EXPECT_EQ(transport_kind("peer"), TransportKind::peer);
  EXPECT_EQ(transport_kind("pigeon"), std::nullopt);
}

TEST(TransportChoice, OnTheHost) {
  const ProcessGrid grid(MPI_COMM_WORLD, line_of_ranks());
  const TransportChoice choice = choose_transport(grid, Location::host, TransportKind::automatic);
  EXPECT_EQ(choice.text, grid.size() == 1      ? "self"
                         : test::on_one_node() ? "host between ranks"
                                               : "host within a node, host between nodes");
  EXPECT_TRUE(choice.refused.empty());
  EXPECT_EQ(transport_fault(grid, Location::host, *choice.transport, test_message_bytes()), "");
  EXPECT_EQ(choose_transport(grid, Location::host, TransportKind::host).text, "host for everything");
  for (const auto kind : {TransportKind::device_mpi, TransportKind::nccl, TransportKind::peer})
    test::expect_parts(refusal(grid, Location::host, kind), {"this run is on the host"});
  EXPECT_EQ(refusal(grid, Location::host, TransportKind::self).empty(), grid.size() == 1);
}

// Each that can be used here, with whatever GPUs there are, brings what was sent; each that cannot says why.
TEST(TransportChoice, OnGpus) {
  if (device_count() == 0) GTEST_SKIP() << "no GPU";
  const ProcessGrid grid(MPI_COMM_WORLD, line_of_ranks());
  const auto choice = choose_transport(grid, Location::device, TransportKind::automatic);
  EXPECT_EQ(transport_fault(grid, Location::device, *choice.transport, test_message_bytes()), "");
  // Kernels of `peer` wait for others, which wait for their turn on a shared GPU:
  // correct, and a hundred times slower.
  const bool shared = two_ranks_share_a_device(grid.comm());
  EXPECT_TRUE(!shared || choice.text.find("peer") == std::string::npos) << choice.text;
  EXPECT_TRUE(!shared || (!choice.refused.empty() && choice.refused.front().rfind("peer: ", 0) == 0));
  for (const auto kind :
       {TransportKind::host, TransportKind::device_mpi, TransportKind::nccl, TransportKind::peer}) {
    const std::string why = refusal(grid, Location::device, kind);
    if (grid.rank() == 0)
      std::printf("%s: %s\n", std::string(transport_names[static_cast<std::size_t>(kind)]).c_str(),
                  why.empty() ? "used" : why.c_str());
    EXPECT_TRUE(why.empty() || kind != TransportKind::host) << why;
    EXPECT_TRUE(why.empty() || why.find(": ") != std::string::npos) << why;
  }
}

TEST(TransportCheck, FindsOneWrongByte) {
  const ProcessGrid grid(MPI_COMM_WORLD, line_of_ranks());
  const struct {
    int rank;
    std::size_t message, byte;
    int round;
  } faults[] = {{grid.size() - 1, 7, 48000, 2}, {0, 6, 3, 0}};
  for (const auto& fault : faults) {
    test::Garbling transport(
        make_host_transport(grid, Location::host), Location::host,
        [&](unsigned char* face, std::size_t bytes, std::size_t m, int round) {
          if (grid.rank() == fault.rank && m == fault.message && round == fault.round && bytes > fault.byte)
            face[fault.byte] ^= 4;
        });
    const std::string found = transport_fault(grid, Location::host, transport, test_message_bytes());
    const int d = static_cast<int>(fault.message);
    if (fault.rank == grid.rank())
      test::expect_parts(found,
                         {"from rank " + std::to_string(grid.neighbor(d / 2, d % 2 == 0)) + " to rank " +
                          std::to_string(fault.rank) + (d == 7 ? " (t-)" : " (t+)") +
                          " arrives with 1 wrong bytes, the first one at " + std::to_string(fault.byte)});
    EXPECT_NE(found, "");  // on all ranks
  }
}

}  // namespace
}  // namespace plaq
