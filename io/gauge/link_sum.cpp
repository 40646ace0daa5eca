#include "io/gauge/link_sum.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "core/system/dry_run.hpp"
#include "io/gauge/link_codec.hpp"

namespace plaq {
namespace {

std::uint32_t word_sum(std::span<const std::byte> bytes, ByteOrder order) {
  const auto words = static_cast<std::int64_t>(bytes.size() / 4);
  std::uint32_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::int64_t w = 0; w < words; ++w) sum += load<std::uint32_t>(bytes.data() + 4 * w, order);
  return sum;
}

// Exclusive or into a and b of words, word i rotated left by i modulo 29 and by i modulo 31.
void add_rotated_words(std::int64_t first, std::span<const std::byte> bytes, ByteOrder order,
                       std::uint32_t& sum29, std::uint32_t& sum31) {
  constexpr std::int64_t block = 29 * 31;  // all blocks begin with the same rotations
  const auto words = static_cast<std::int64_t>(bytes.size() / 4), blocks = (words + block - 1) / block;
  const auto first29 = static_cast<int>(first % 29), first31 = static_cast<int>(first % 31);
  std::uint32_t a = 0, b = 0;
#pragma omp parallel for schedule(static) reduction(^ : a, b)
  for (std::int64_t n = 0; n < blocks; ++n) {
    int by29 = first29, by31 = first31;
    const std::int64_t end = std::min(words, (n + 1) * block);
    for (std::int64_t w = n * block; w < end; ++w) {
      const auto word = load<std::uint32_t>(bytes.data() + 4 * w, order);
      a ^= std::rotl(word, by29);
      b ^= std::rotl(word, by31);
      by29 = by29 == 28 ? 0 : by29 + 1;
      by31 = by31 == 30 ? 0 : by31 + 1;
    }
  }
  sum29 ^= a;
  sum31 ^= b;
}

void add_rotated_crcs(std::int64_t first, std::span<const std::byte> bytes, int record_bytes,
                      std::uint32_t& suma, std::uint32_t& sumb) {
  const auto records = static_cast<std::int64_t>(bytes.size()) / record_bytes;
  std::uint32_t a = 0, b = 0;
#pragma omp parallel for schedule(static) reduction(^ : a, b)
  for (std::int64_t i = 0; i < records; ++i) {
    const auto* record = reinterpret_cast<const Bytef*>(bytes.data() + i * record_bytes);
    const auto crc = static_cast<std::uint32_t>(::crc32(0, record, static_cast<uInt>(record_bytes)));
    a ^= std::rotl(crc, static_cast<int>((first + i) % 29));
    b ^= std::rotl(crc, static_cast<int>((first + i) % 31));
  }
  suma ^= a;
  sumb ^= b;
}

}  // namespace

void LinkSum::add(std::int64_t first_record, std::span<const std::byte> bytes) {
  switch (sum_.kind) {
    case ChecksumKind::nersc:
      sum_.a += word_sum(bytes, order_);
      return;
    case ChecksumKind::milc:
      return add_rotated_words(first_record * (record_bytes_ / 4), bytes, order_, sum_.a, sum_.b);
    case ChecksumKind::scidac:
      return add_rotated_crcs(first_record, bytes, record_bytes_, sum_.a, sum_.b);
    case ChecksumKind::none:
      return;
  }
}

LinkChecksum LinkSum::combine(const ProcessGrid& grid) const {
  LinkChecksum all = sum_;
  if (all.kind == ChecksumKind::none) return all;
  if (all.kind == ChecksumKind::nersc) {
    // In 64 bits: MPI promises nothing about overflow.
    all.a = static_cast<std::uint32_t>(grid.comm().sum(std::uint64_t{all.a}));
    return all;
  }
  std::uint32_t sums[2] = {all.a, all.b};
  grid.comm().exclusive_or(std::span(sums));
  all.a = sums[0];
  all.b = sums[1];
  return all;
}

LinkChecksum checksum_of_links(const ProcessGrid& grid, const Field& gauge) {
  const LinkFormat format;
  const int record = record_bytes(format);
  LinkSum sum(ChecksumKind::scidac, format.order, record);
  if (runs_dry()) return sum.of_this_rank();  // 0
  LinkEncoder encoder(grid, gauge, format);
  const LatticeShape& shape = gauge.geometry().shape();
  const std::int64_t rows = shape.extent[1], planes = std::int64_t{shape.extent[2]} * shape.extent[3];
  const auto row_bytes = static_cast<std::size_t>(shape.extent[0] * record);
  std::vector<std::byte> bytes(static_cast<std::size_t>(rows) * row_bytes);
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    encoder.encode(plane * rows, rows, bytes);
    Coordinates c = {
        {0, 0, static_cast<int>(plane % shape.extent[2]), static_cast<int>(plane / shape.extent[2])}};
    for (; c.x[1] < shape.extent[1]; ++c.x[1])
      sum.add(shape.global_index(c),
              std::span(bytes).subspan(static_cast<std::size_t>(c.x[1]) * row_bytes, row_bytes));
  }
  return sum.combine(grid);
}

LinkChecksum checksum_of_any_links(const ProcessGrid& grid, const Field& gauge) {
  if (gauge.location() == Location::host && gauge.precision() == Precision::double_precision)
    return checksum_of_links(grid, gauge);
  Field host(gauge.geometry_ptr(), gauge_spec(Precision::double_precision, Location::host));
  copy(host, gauge);
  return checksum_of_links(grid, host);
}

}  // namespace plaq
