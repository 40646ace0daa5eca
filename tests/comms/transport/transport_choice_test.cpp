// Which transport is used, and that one which garbles a message is found out.
#include "comms/transport/transport_choice.hpp"

#include <gtest/gtest.h>

#include "comms/transport/transport_check.hpp"
#include "core/system/error.hpp"
#include "core/system/memory.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

Extents line_of_ranks() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return {1, 1, 1, size};
}

std::string refusal(const ProcessGrid& grid, Location location, TransportKind kind) {
  try {
    (void)choose_transport(grid, location, kind);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::comms);
    return e.what();
  }
  return {};
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
  EXPECT_EQ(choice.text, grid.size() == 1 ? "self" : "host between ranks");
  EXPECT_TRUE(choice.refused.empty());
  EXPECT_EQ(transport_fault(grid, Location::host, *choice.transport, test_message_bytes()), "");
  EXPECT_EQ(choose_transport(grid, Location::host, TransportKind::host).text, "host for everything");
  for (const auto kind : {TransportKind::device_mpi, TransportKind::nccl, TransportKind::peer})
    EXPECT_NE(refusal(grid, Location::host, kind).find("this run is on the host"), std::string::npos);
  EXPECT_EQ(refusal(grid, Location::host, TransportKind::self).empty(), grid.size() == 1);
}

// Each that can be used here, with whatever GPUs there are, brings what was sent; each that cannot says why.
TEST(TransportChoice, OnGpus) {
  if (device_count() == 0) GTEST_SKIP() << "no GPU";
  const ProcessGrid grid(MPI_COMM_WORLD, line_of_ranks());
  const auto choice = choose_transport(grid, Location::device, TransportKind::automatic);
  EXPECT_EQ(transport_fault(grid, Location::device, *choice.transport, test_message_bytes()), "");
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

// As the host transport, but one byte of one message of one rank is wrong.
class Garbling final : public Transport {
 public:
  struct Fault {
    int rank;
    std::size_t message, byte;
    int round;
  };
  Garbling(const ProcessGrid& grid, Fault fault)
      : inner_(make_host_transport(grid, Location::host)), mine_(grid.rank() == fault.rank), fault_(fault) {}
  std::string_view name() const override { return "garbling"; }
  std::unique_ptr<Exchange> prepare(const std::vector<FaceMessage>& messages) override {
    return std::make_unique<Run>(inner_->prepare(messages), mine_ && messages[0].bytes > fault_.byte, fault_);
  }

 private:
  class Run final : public Exchange {
   public:
    Run(std::unique_ptr<Exchange> inner, bool garbles, Fault fault)
        : inner_(std::move(inner)), garbles_(garbles), fault_(fault) {}
    void* send(std::size_t m) const override { return inner_->send(m); }
    void* receive(std::size_t m) const override { return inner_->receive(m); }
    void start(const Queue& filled, std::size_t most) override { inner_->start(filled, most); }
    void finish(const Queue& filled) override {
      inner_->finish(filled);
      if (garbles_ && round_ == fault_.round)
        static_cast<unsigned char*>(inner_->receive(fault_.message))[fault_.byte] ^= 4;
      ++round_;
    }

   private:
    std::unique_ptr<Exchange> inner_;
    bool garbles_;
    Fault fault_;
    int round_ = 0;
  };
  std::shared_ptr<Transport> inner_;
  bool mine_;
  Fault fault_;
};

TEST(TransportCheck, FindsOneWrongByte) {
  const ProcessGrid grid(MPI_COMM_WORLD, line_of_ranks());
  const int last = grid.size() - 1;
  for (const Garbling::Fault fault : {Garbling::Fault{last, 7, 48000, 2}, {0, 6, 3, 0}}) {
    Garbling transport(grid, fault);
    const std::string found = transport_fault(grid, Location::host, transport, test_message_bytes());
    const int d = static_cast<int>(fault.message);
    const int sender = fault.rank == grid.rank() ? grid.neighbor(d / 2, d % 2 == 0) : -1;
    if (sender >= 0) {
      const std::string words = "from rank " + std::to_string(sender) + " to rank " +
                                std::to_string(fault.rank) + (d == 7 ? " (t-)" : " (t+)") +
                                " arrives with 1 wrong bytes, the first one at " + std::to_string(fault.byte);
      EXPECT_NE(found.find(words), std::string::npos) << found;
    }
    EXPECT_NE(found, "");  // on all ranks
  }
}

}  // namespace
}  // namespace plaq
