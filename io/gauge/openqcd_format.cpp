// Gauge files of openQCD (modules/archive/archive.c there, export_cnfg), little-endian:
//
//   int32 extents t, x, y, z; float64 average of Re tr U(p), three times our plaquette; then the odd sites
//   with z fastest, then y, x, t; at each the links U_mu(x), U_mu(x - mu) for mu = t, x, y, z as 3x3 float64
//
// It has no magic number, no checksum and no link trace.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/gauge_format.hpp"

namespace plaq {
namespace {

constexpr std::size_t openqcd_header_bytes = 24, plaquette_at = 16;
constexpr LinkFormat links{3, Precision::double_precision, ByteOrder::little, LinkOrder::openqcd};

struct Head {
  Extents extents{};  // x, y, z, t
  double plaquette = 0;

  bool is_sane() const {
    return std::all_of(extents.begin(), extents.end(), [](int e) { return e >= 1 && e <= largest_extent; });
  }
  bool is_even() const {
    return std::all_of(extents.begin(), extents.end(), [](int e) { return e % 2 == 0; });
  }
};

std::optional<Head> read_head(const ByteSource& source) {
  std::array<std::byte, openqcd_header_bytes> bytes{};
  if (source.read(0, bytes) < bytes.size()) return std::nullopt;
  Head head;
  for (std::size_t i = 0; i < 4; ++i)
    head.extents[(i + 3) % 4] =
        static_cast<std::int32_t>(load<std::uint32_t>(bytes.data() + 4 * i, ByteOrder::little));
  head.plaquette = load<double>(bytes.data() + plaquette_at, ByteOrder::little) / 3;
  return head;
}

double expected_bytes(const Head& head) {
  double bytes = links.site_bytes();
  for (const int extent : head.extents) bytes *= extent;
  return bytes + openqcd_header_bytes;
}

// By its size; one of a wrong size by a lattice and a plaquette that could be meant.
bool is_openqcd(const ByteSource& source) {
  const auto head = read_head(source);
  if (!head || !head->is_sane()) return false;
  if (is_ddalphaamg(source)) return false;
  if (expected_bytes(*head) == static_cast<double>(source.size())) return true;
  return head->is_even() && std::abs(head->plaquette) <= 1 && std::abs(head->plaquette) > 1e-6;
}

GaugeFileInfo inspect_openqcd(const ByteSource& source) {
  const auto head = read_head(source);
  if (!head || !head->is_sane())
    throw Error(ErrorKind::input_file, fmt::format("{}: not an openQCD file", source.name()));
  if (!head->is_even())
    throw Error(
        ErrorKind::input_file,
        fmt::format("{}: it seems to be an openQCD file of a {} lattice: expected even extents, since "
                    "odd sites alone are stored",
                    source.name(), to_string(head->extents)));
  if (!std::isfinite(head->plaquette))
    throw Error(ErrorKind::input_file,
                fmt::format("{}: byte {}: expected the average of Re tr U(p), found {}", source.name(),
                            plaquette_at, head->plaquette));
  GaugeFileInfo info;
  info.path = source.name();
  info.format = GaugeFileFormat::openqcd;
  info.extents = head->extents;
  info.links = links;
  info.data_offset = openqcd_header_bytes;
  info.data_bytes = links_bytes(source.name(), info.extents, info.links);
  info.file_bytes = source.size();
  info.plaquette = head->plaquette;
  info.checksum_kind = ChecksumKind::none;
  info.warnings.push_back(fmt::format(
      "{}: openQCD files have no checksum and no link trace: damaged links are noticed only by the plaquette "
      "and where they are no longer SU(3)",
      source.name()));
  check_links_size(source, info);
  return info;
}

std::optional<std::string> refuse_openqcd(const LinkFormat& wanted) {
  if (wanted.precision != Precision::double_precision) return "openQCD holds double precision only";
  if (wanted.rows != 3) return "openQCD holds 3x3 links only";
  if (wanted.order != ByteOrder::little) return "openQCD is little-endian only";
  return std::nullopt;
}

GaugeFileFrame frame_openqcd(const GaugeWriteRequest& request, const LinkChecksum&) {
  std::array<std::byte, openqcd_header_bytes> head{};
  for (std::size_t i = 0; i < 4; ++i)
    store(head.data() + 4 * i, ByteOrder::little, static_cast<std::uint32_t>(request.extents[(i + 3) % 4]));
  store(head.data() + plaquette_at, ByteOrder::little, 3 * request.plaquette);
  return {{reinterpret_cast<const char*>(head.data()), head.size()}, {}};
}

}  // namespace

const GaugeFormat& openqcd_format() {
  static constexpr GaugeFormat format{GaugeFileFormat::openqcd, ChecksumKind::none, is_openqcd,
                                      inspect_openqcd,          refuse_openqcd,     frame_openqcd};
  return format;
}

}  // namespace plaq
