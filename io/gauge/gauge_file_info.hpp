// Description of a gauge file, in any format.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "io/gauge/link_checksum.hpp"
#include "io/gauge/link_format.hpp"

namespace plaq {

// Relative error of a number of a header: writers round to some single precision, whatever
// digits they give.
inline constexpr double header_tolerance = 1e-6;

// Half a unit of the last digit of a decimal number ("0.71587" is within 5e-6), at least header_tolerance.
double tolerance_of_digits(std::string_view number);

class ByteSource;

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

constexpr int largest_extent = 1 << 16;  // in any gauge file

// The bytes that fields of a lattice, and links, take in a file. Throws Error(input_file) when they are more
// than any file can hold.
std::uint64_t lattice_bytes(const std::string& name, const Extents& extents, int site_bytes);
std::uint64_t links_bytes(const std::string& name, const Extents& extents, const LinkFormat& links);

// For files that end with the links. Throws Error(input_file) unless the file ends there; one newline more
// is tolerated where a format's writers leave one.
void check_links_size(const ByteSource& source, const GaugeFileInfo& info, bool newline_tolerated = false);

// The number of a configuration in its Markov chain, SEQUENCE_NUMBER of NERSC files and of the texts of LIME
// files. None where the text is anything but an integer.
std::optional<std::int64_t> sequence_number_in(const std::string& text);
// None where the file does not say.
std::optional<std::int64_t> sequence_number_of(const GaugeFileInfo& info);

// The description of a file as bytes, for ranks that do not touch the file.
std::string to_text(const GaugeFileInfo& info);
GaugeFileInfo info_from_text(const std::string& text);

}  // namespace plaq
