// The text in front of a NERSC gauge file: BEGIN_HEADER, lines KEY = VALUE, END_HEADER, then the links at
// once. Format: The Gauge Connection, qcd.nersc.gov ("QCD archive format"), with the extensions _3x3,
// IEEE64BIG and the names of byte orders that later programs added.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/gauge/gauge_file_info.hpp"

namespace plaq {

struct NerscHeader {
  Extents extents{};
  int rows = 3;  // DATATYPE
  Precision precision = Precision::double_precision;
  std::optional<ByteOrder> order;               // none: IEEE32 and IEEE64 leave it open
  std::optional<double> plaquette, link_trace;  // none: missing, or a link trace of 0
  std::optional<std::uint32_t> checksum;        // none: missing, or 0
  std::vector<HeaderEntry> entries;             // all of the file; what is to be added when formatting
  std::size_t bytes = 0;                        // of the header: where the links begin

  const HeaderEntry* find(std::string_view key) const;
};

constexpr std::size_t most_header_bytes = 65536;
constexpr std::string_view nersc_first_line = "BEGIN_HEADER";

// Throws Error(input_file) with the line, what was expected and what was found. Looks at no more than
// most_header_bytes.
NerscHeader parse_nersc_header(const ByteSource& source);

// Its size does not depend on the checksum. Needs an order; entries follow the standard ones.
std::string format_nersc_header(const NerscHeader& header);

// A NERSC file with its header, its size and its byte order agreed. Reads the header and checks the size,
// which must be that of header and links exactly; one newline after them is tolerated. Throws
// Error(input_file).
GaugeFileInfo read_nersc_info(const ByteSource& source);

}  // namespace plaq
