#include "io/gauge/nersc_header.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "io/gauge/gauge_file_info.hpp"

namespace plaq {
namespace {

// Distance of the norm of the first row of the first link from 1.
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

GaugeFileInfo nersc_info(const std::string& path, const NerscHeader& header, ByteOrder order,
                         std::uint64_t file_bytes) {
  GaugeFileInfo info;
  info.path = path;
  info.format = GaugeFileFormat::nersc;
  info.extents = header.extents;
  info.links = {header.rows, header.precision, order};
  info.data_offset = header.bytes;
  info.data_bytes = links_bytes(path, info.extents, info.links);
  info.file_bytes = file_bytes;
  info.plaquette = header.plaquette;
  info.link_trace = header.link_trace;
  if (const auto* entry = header.find("PLAQUETTE")) info.plaquette_within = tolerance_of_digits(entry->value);
  if (const auto* entry = header.find("LINK_TRACE"))
    info.link_trace_within = tolerance_of_digits(entry->value);
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
    if (boundary && boundary->value == "ANTIPERIODIC") info.boundary[static_cast<std::size_t>(mu - 1)] = -1;
    if (boundary && boundary->value != "PERIODIC")
      warn(fmt::format("{} = {} is not used: boundary conditions are the job's", boundary->key,
                       boundary->value));
  }
  return info;
}

}  // namespace

GaugeFileInfo read_nersc_info(const ByteSource& source) {
  const NerscHeader header = parse_nersc_header(source);
  GaugeFileInfo info = nersc_info(source.name(), header, find_order(source, header), source.size());
  constexpr bool newline_tolerated = true;
  check_links_size(source, info, newline_tolerated);
  return info;
}

}  // namespace plaq
