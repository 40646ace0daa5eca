// What a gauge file says about itself, whatever its format.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "io/gauge/header_digits.hpp"
#include "io/gauge/link_checksum.hpp"
#include "io/gauge/link_format.hpp"

namespace plaq {

enum class GaugeFileFormat { nersc, ildg, scidac, milc, openqcd, ddalphaamg };
constexpr std::string_view name_of(GaugeFileFormat format) {
  switch (format) {
    case GaugeFileFormat::nersc:
      return "NERSC";
    case GaugeFileFormat::ildg:
      return "ILDG";
    case GaugeFileFormat::scidac:
      return "SciDAC";
    case GaugeFileFormat::milc:
      return "MILC v5";
    case GaugeFileFormat::openqcd:
      return "openQCD";
    case GaugeFileFormat::ddalphaamg:
      return "DDalphaAMG";
  }
  return "unknown";
}

constexpr bool is_lime_format(GaugeFileFormat format) {
  return format == GaugeFileFormat::ildg || format == GaugeFileFormat::scidac;
}

constexpr LinkOrder link_order(GaugeFileFormat format) {
  if (format == GaugeFileFormat::openqcd) return LinkOrder::openqcd;
  return format == GaugeFileFormat::ddalphaamg ? LinkOrder::ddalphaamg : LinkOrder::sites;
}

// A line of a NERSC header, a text record of a LIME file (key: its type), the time stamp of a MILC file.
struct HeaderEntry {
  std::string key, value;
  int line = 0;  // 0: not from a file
};

struct GaugeFileInfo {
  std::string path;
  GaugeFileFormat format = GaugeFileFormat::nersc;
  Extents extents{};  // 0: the file does not say them, and its links have one precision or the other
  LinkFormat links;
  std::uint64_t data_offset = 0, data_bytes = 0, file_bytes = 0;
  // None: the file does not say.
  std::optional<double> plaquette, link_trace;
  // The links may differ from the header by half a unit of the last digit that the file gives.
  double plaquette_within = header_tolerance, link_trace_within = header_tolerance;
  std::optional<LinkChecksum> checksum;
  std::array<int, 4> boundary{1, 1, 1,
                              1};  // signs that a header states, in x, y, z, t; 1 where it states none
  ChecksumKind checksum_kind = ChecksumKind::none;  // that of the format, which reading computes
  std::vector<HeaderEntry> entries;                 // everything in the header, in its order
  std::vector<std::string> warnings;                // oddities that do not keep the file from being read

  bool says_extents() const { return extents[0] > 0; }
};

}  // namespace plaq
