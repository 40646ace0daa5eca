// Places of faces and flags of the transport 'peer', and the memory of exchanges in plans.
#include "comms/transport/peer_layout.hpp"

#include "comms/gpus/peer_memory.hpp"
#include "comms/transport/face_memory.hpp"
#include "comms/transport/transport_checked.hpp"
#include "comms/transport/transport_choice.hpp"
#include "tests/support/test.hpp"

namespace plaq {
namespace {

constexpr int nobody = FaceMessage::nobody;
constexpr std::size_t granule = std::size_t{1} << 16;
constexpr auto device = Location::device;

TEST(PeerLayout, FacesAndFlagsLieApart) {
  const std::vector<FaceMessage> messages = {
      {1, 2, 0, 1000}, {2, 1, 1, 128}, {3, nobody, 2, 500}, {0, 0, 3, 0}};
  const PeerLayout layout(messages);
  ASSERT_EQ(layout.places.size(), messages.size());
  std::vector<std::pair<std::size_t, std::size_t>> taken;  // [first, last)
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const PeerPlace& place = layout.places[m];
    taken.emplace_back(place.flag, place.flag + sizeof(std::uint64_t));
    if (messages[m].receive_from == nobody) continue;
    for (const std::size_t at : place.offset)
      taken.emplace_back(at, at + std::max<std::size_t>(messages[m].bytes, 1));
  }
  std::sort(taken.begin(), taken.end());
  for (std::size_t i = 0; i < taken.size(); ++i) {
    EXPECT_EQ(taken[i].first % FaceMemory::alignment, 0u);
    EXPECT_LE(taken[i].second, i + 1 < taken.size() ? taken[i + 1].first : layout.bytes);
  }
  EXPECT_EQ(layout.bytes, 128u * (2 * 8 + 2 * 1 + 2 * 1 + 4));
  EXPECT_EQ(PeerLayout({}).bytes, 0u);
}

TEST(PeerLayout, PiecesAreOfFewSizes) {
  EXPECT_EQ(exported_piece_bytes(0), granule);
  EXPECT_EQ(exported_piece_bytes(granule - 1), granule);
  EXPECT_EQ(exported_piece_bytes(5 * granule + 1), 6 * granule);
  for (const std::size_t bytes : {granule - 1, granule, 3 * granule + 7})
    EXPECT_GE(exported_piece_bytes(bytes), bytes);
}

TEST(ExchangeBytes, OfPeerLast) {
  const std::vector<FaceMessage> messages = {{1, 1, 0, 100000}, {1, 1, 1, 100000}};
  const std::size_t piece = exported_piece_bytes(PeerLayout(messages).bytes);
  for (const TransportKind kind : {TransportKind::peer, TransportKind::automatic}) {
    const ExchangeBytes all = exchange_bytes(kind, device, 2, messages);
    EXPECT_EQ(all.here, 0u);
    EXPECT_EQ(all.pinned, 0u);
    EXPECT_EQ(all.lasting, piece);
  }
  // With checksums faces are packed elsewhere, and messages are longer.
  std::vector<FaceMessage> longer = messages;
  for (FaceMessage& m : longer) m.bytes += CheckedTransport::head_bytes();
  const ExchangeBytes checked = exchange_bytes(TransportKind::peer, device, 2, messages, true);
  EXPECT_EQ(checked.here, FaceMemory::bytes({100000, 100000}));
  EXPECT_EQ(checked.lasting, exported_piece_bytes(PeerLayout(longer).bytes));
}

TEST(ExchangeBytes, OfARankWithItself) {
  const std::vector<FaceMessage> both = {{0, 0, 0, 5000}, {1, 1, 6, 5000}}, self = {both[0]};
  const std::size_t one = FaceMemory::bytes({5000});
  const auto automatic = TransportKind::automatic;
  EXPECT_EQ(exchange_bytes(automatic, device, 2, both).here, one);
  EXPECT_EQ(exchange_bytes(automatic, device, 2, both).lasting,
            exported_piece_bytes(PeerLayout({both[1]}).bytes));
  EXPECT_EQ(exchange_bytes(automatic, device, 1, self).lasting, 0u);
  EXPECT_EQ(exchange_bytes(automatic, device, 2, self).lasting, granule);
  EXPECT_EQ(exchange_bytes(TransportKind::peer, device, 1, self).lasting, granule);
}

TEST(ExchangeBytes, OfOthersIsGivenBack) {
  const std::vector<FaceMessage> messages = {{1, 1, 0, 5000}};
  const std::size_t one = FaceMemory::bytes({5000});
  for (const TransportKind kind : {TransportKind::host, TransportKind::nccl, TransportKind::device_mpi}) {
    const ExchangeBytes all = exchange_bytes(kind, device, 2, messages);
    EXPECT_EQ(all.here, 2 * one);
    EXPECT_EQ(all.pinned, kind == TransportKind::host ? 2 * one : 0);
    EXPECT_EQ(all.lasting, 0u);
  }
  const ExchangeBytes on_host = exchange_bytes(TransportKind::automatic, Location::host, 2, messages);
  EXPECT_EQ(on_host.here, 2 * one);
  EXPECT_EQ(on_host.pinned + on_host.lasting, 0u);
}

}  // namespace
}  // namespace plaq
