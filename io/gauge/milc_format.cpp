// MILC v5 gauge files (generic/io_lat4.c and include/file_types.h of the MILC code). In the byte order of the
// machine that wrote it:
//
//   int32 magic 20103; int32 extents x, y, z, t; char time_stamp[64], ended by a null; int32 order, 0 for
//   sites with x fastest; uint32 sum29, sum31; then at each site the links in x, y, z, t as 3x3 float32
//
// sum29 and sum31: all 32-bit words of the links, word i rotated left by i modulo 29 and 31, xored.
#include <fmt/format.h>

#include <array>
#include <span>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/gauge/milc_stamp.hpp"

namespace plaq {
namespace {

constexpr std::uint32_t milc_gauge_magic = 20103;
constexpr std::size_t extents_at = 4, stamp_at = 20, order_at = 84, sums_at = 88, milc_header_bytes = 96;
constexpr const char* stamp_key = "time_stamp";

[[noreturn]] void fail(const ByteSource& source, const std::string& what) {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", source.name(), what));
}

std::optional<ByteOrder> byte_order(const ByteSource& source) {
  std::array<std::byte, 4> word{};
  if (source.read(0, word) < word.size()) return std::nullopt;
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
    if (load<std::uint32_t>(word.data(), order) == milc_gauge_magic) return order;
  return std::nullopt;
}

bool is_milc(const ByteSource& source) { return byte_order(source).has_value(); }

GaugeFileInfo inspect_milc(const ByteSource& source) {
  std::array<std::byte, milc_header_bytes> head{};
  const std::size_t found = source.read(0, head);
  if (found < head.size())
    fail(source, fmt::format("the file ends inside the header of a MILC v5 file: expected {} bytes, found {}",
                             head.size(), found));
  GaugeFileInfo info;
  info.path = source.name();
  info.format = GaugeFileFormat::milc;
  info.links = {3, Precision::single_precision, *byte_order(source), LinkOrder::sites};
  const auto word = [&](std::size_t at) { return load<std::uint32_t>(head.data() + at, info.links.order); };
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto extent = static_cast<std::int32_t>(word(extents_at + 4 * mu));
    if (extent < 1 || extent > largest_extent)
      fail(source, fmt::format("byte {}: expected the extent in {}, 1 to {}, found {}", extents_at + 4 * mu,
                               "xyzt"[mu], largest_extent, extent));
    info.extents[mu] = extent;
  }
  if (word(order_at) != 0)
    fail(source, fmt::format("byte {}: expected 0 (sites in natural order, x fastest), found {}: files in "
                             "the order of a machine's nodes are not read",
                             order_at, word(order_at)));
  info.data_offset = milc_header_bytes;
  info.data_bytes = links_bytes(source.name(), info.extents, info.links);
  info.file_bytes = source.size();
  info.checksum_kind = ChecksumKind::milc;
  info.entries.push_back({stamp_key, milc_stamp(std::span(head).subspan<stamp_at, milc_stamp_bytes>())});
  const LinkChecksum sums{ChecksumKind::milc, word(sums_at), word(sums_at + 4)};
  if (sums.a != 0 || sums.b != 0)
    info.checksum = sums;
  else
    info.warnings.push_back(fmt::format(
        "{}: both checksums are 0 and count as absent: damaged links may go unnoticed", source.name()));
  check_links_size(source, info);
  return info;
}

std::optional<std::string> refuse_milc(const LinkFormat& links) {
  if (links.precision != Precision::single_precision) return "MILC v5 holds single precision only";
  if (links.rows != 3) return "MILC v5 holds 3x3 links only";
  return std::nullopt;
}

GaugeFileFrame frame_milc(const GaugeWriteRequest& request, const LinkChecksum& checksum) {
  std::array<std::byte, milc_header_bytes> head{};
  const auto put = [&](std::size_t at, std::uint32_t word) {
    store(head.data() + at, request.links.order, word);
  };
  put(0, milc_gauge_magic);
  for (std::size_t mu = 0; mu < 4; ++mu)
    put(extents_at + 4 * mu, static_cast<std::uint32_t>(request.extents[mu]));
  for (const auto& entry : request.metadata.entries) {
    if (entry.key != stamp_key) continue;
    put_milc_stamp(std::span(head).subspan<stamp_at, milc_stamp_bytes>(), entry.value);
  }
  put(sums_at, checksum.a);
  put(sums_at + 4, checksum.b);
  return {{reinterpret_cast<const char*>(head.data()), head.size()}, {}};
}

}  // namespace

const GaugeFormat& milc_format() {
  static constexpr GaugeFormat format{GaugeFileFormat::milc, ChecksumKind::milc, is_milc,
                                      inspect_milc,          refuse_milc,        frame_milc};
  return format;
}

}  // namespace plaq
