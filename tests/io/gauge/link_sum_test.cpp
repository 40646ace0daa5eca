// Checksums of pieces, in any order and on any rank, are those of the whole.
#include "io/gauge/link_sum.hpp"

#include "tests/io/gauge/gauge_files.hpp"

namespace plaq {
namespace {

std::vector<std::byte> noise(std::size_t bytes) {
  std::vector<std::byte> noise(bytes);
  std::uint32_t state = 12345;
  for (auto& byte : noise) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<std::byte>(state >> 24);
  }
  return noise;
}

// CRC-32 bit by bit (IEEE 802.3, reflected).
std::uint32_t crc32_of(std::span<const std::byte> bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const std::byte byte : bytes) {
    crc ^= static_cast<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

LinkChecksum expected_sum(ChecksumKind kind, ByteOrder order, std::span<const std::byte> bytes,
                          std::size_t record_bytes, std::uint64_t first_record) {
  LinkChecksum sum{kind};
  if (kind == ChecksumKind::scidac) {
    for (std::size_t i = 0; i < bytes.size() / record_bytes; ++i) {
      const std::uint32_t crc = crc32_of(bytes.subspan(i * record_bytes, record_bytes));
      sum.a ^= std::rotl(crc, static_cast<int>((first_record + i) % 29));
      sum.b ^= std::rotl(crc, static_cast<int>((first_record + i) % 31));
    }
    return sum;
  }
  for (std::size_t i = 0; i < bytes.size() / 4; ++i) {
    const auto word = load<std::uint32_t>(bytes.data() + 4 * i, order);
    const std::uint64_t number = first_record * (record_bytes / 4) + i;
    sum.a =
        kind == ChecksumKind::nersc ? sum.a + word : sum.a ^ std::rotl(word, static_cast<int>(number % 29));
    if (kind == ChecksumKind::milc) sum.b ^= std::rotl(word, static_cast<int>(number % 31));
  }
  return sum;
}

TEST(LinkSum, OfPiecesIsThatOfTheWhole) {
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, test::world_size()});
  constexpr std::size_t records = 1000;
  for (const auto kind : {ChecksumKind::nersc, ChecksumKind::milc, ChecksumKind::scidac})
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
      for (const std::size_t record_bytes : {4u, 288u, 576u})
        for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{5'000'000'017}})
          for (const std::size_t piece : {1u, 7u, 333u, 1000u}) {
            const auto bytes = noise(records * record_bytes);
            LinkSum sum(kind, order, static_cast<int>(record_bytes));
            // Pieces from the last to the first, dealt to the ranks in turn.
            int turn = 0;
            for (std::size_t at = (records - 1) / piece * piece;; at -= piece) {
              if (turn++ % grid.size() == grid.rank())
                sum.add(static_cast<std::int64_t>(start + at),
                        std::span(bytes).subspan(at * record_bytes,
                                                 std::min(piece, records - at) * record_bytes));
              if (at == 0) break;
            }
            EXPECT_EQ(sum.combine(grid), expected_sum(kind, order, bytes, record_bytes, start))
                << name_of(kind) << " " << record_bytes << " " << start << " " << piece;
          }
}

TEST(LinkSum, KnownValue) {
  const std::string text = "123456789abc";
  EXPECT_EQ(crc32_of(std::as_bytes(std::span(text)).first(9)), 0xcbf43926u);
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, test::world_size()});
  LinkSum sum(ChecksumKind::nersc, ByteOrder::big, 4);
  if (grid.rank() == 0) sum.add(0, std::as_bytes(std::span(text)));
  EXPECT_EQ(sum.combine(grid).a, 0x31323334u + 0x35363738u + 0x39616263u);
  LinkSum nothing(ChecksumKind::none, ByteOrder::big, 4);
  nothing.add(0, std::as_bytes(std::span(text)));
  EXPECT_EQ(nothing.combine(grid), LinkChecksum{});
}

}  // namespace
}  // namespace plaq
