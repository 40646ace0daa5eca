#include "io/nersc_info.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace plaq {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", path, what));
}

std::uint64_t data_bytes(const std::string& path, const GaugeFileInfo& info) {
  auto bytes = static_cast<std::uint64_t>(info.links.site_bytes());
  for (const int extent : info.extents) {
    const auto factor = static_cast<std::uint64_t>(extent);
    if (bytes > std::numeric_limits<std::int64_t>::max() / factor)
      fail(path, fmt::format("a lattice of {} is larger than any file", to_string(info.extents)));
    bytes *= factor;
  }
  return bytes;
}

void check_size(const ByteSource& source, const GaugeFileInfo& info) {
  const std::uint64_t expected = info.data_offset + info.data_bytes, found = source.size();
  if (found == expected) return;
  const std::string sum = fmt::format("expected {} bytes (header {}, links of {} {}), found {}", expected,
                                      info.data_offset, to_string(info.extents), info.data_bytes, found);
  if (found < expected) fail(source.name(), fmt::format("truncated by {} bytes: {}", expected - found, sum));
  if (found == expected + 1 && source.text(expected, 1) == "\n") return;
  fail(source.name(), fmt::format("{} bytes too many after the links: {}", found - expected, sum));
}

// How far the norm of the first row of the first link is from 1.
double oddity(const ByteSource& source, const NerscHeader& header, ByteOrder order) {
  std::array<std::byte, 48> row{};
  source.read(header.bytes, row);
  double norm = 0;
  for (int i = 0; i < 6; ++i) {
    const double value = header.precision == Precision::single_precision
                             ? load<float>(row.data() + 4 * i, order)
                             : load<double>(row.data() + 8 * i, order);
    norm += value * value;
  }
  return std::isfinite(norm) ? std::abs(norm - 1) : std::numeric_limits<double>::infinity();
}

// IEEE32 was big-endian in the archive's days, but some programs mean little-endian by it: the links tell.
ByteOrder find_order(const ByteSource& source, const NerscHeader& header) {
  if (header.order) return *header.order;
  const bool little = oddity(source, header, ByteOrder::little) < oddity(source, header, ByteOrder::big);
  return little ? ByteOrder::little : ByteOrder::big;
}

}  // namespace

GaugeFileInfo nersc_info(const std::string& path, const NerscHeader& header, ByteOrder order,
                         std::uint64_t file_bytes) {
  GaugeFileInfo info;
  info.path = path;
  info.format = GaugeFileFormat::nersc;
  info.extents = header.extents;
  info.links = {header.rows, header.precision, order};
  info.data_offset = header.bytes;
  info.data_bytes = data_bytes(path, info);
  info.file_bytes = file_bytes;
  info.plaquette = header.plaquette;
  info.link_trace = header.link_trace;
  info.checksum_kind = ChecksumKind::nersc;
  if (header.checksum) info.checksum = LinkChecksum{ChecksumKind::nersc, *header.checksum};
  info.entries = header.entries;

  const auto warn = [&](const std::string& what) {
    info.warnings.push_back(fmt::format("{}: {}", path, what));
  };
  const auto warn_absent = [&](const char* key, const char* consequence) {
    warn(fmt::format("{} is {}: {}", key, header.find(key) ? "0 and counts as absent" : "absent",
                     consequence));
  };
  if (!info.checksum) warn_absent("CHECKSUM", "damaged links may go unnoticed");
  if (!info.plaquette) warn_absent("PLAQUETTE", "it is not compared");
  if (!info.link_trace) warn_absent("LINK_TRACE", "it is not compared");
  if (!header.order)
    warn(fmt::format("FLOATING_POINT = {} leaves the byte order open: the first link says {}",
                     header.find("FLOATING_POINT")->value, name_of(order)));
  for (int mu = 1; mu <= 4; ++mu) {
    const HeaderEntry* boundary = header.find(fmt::format("BOUNDARY_{}", mu));
    if (boundary && boundary->value != "PERIODIC")
      warn(fmt::format("{} = {} is not used: boundary conditions are the job's", boundary->key,
                       boundary->value));
  }
  return info;
}

GaugeFileInfo read_nersc_info(const ByteSource& source) {
  const NerscHeader header = parse_nersc_header(source);
  const GaugeFileInfo info = nersc_info(source.name(), header, find_order(source, header), source.size());
  check_size(source, info);
  return info;
}

GaugeFileInfo read_nersc_info(const std::string& path) { return read_nersc_info(ByteSource::file(path)); }

}  // namespace plaq
