// NERSC gauge files: a text in front (io/gauge/nersc_header.hpp), then sites with x fastest, then y, z, t; at
// each the links in x, y, z, t; each row-major, real before imaginary, three rows or the first two. CHECKSUM
// is the sum of all 32-bit words of the links as stored, modulo 2^32, each taken in the file's byte order
// (The Gauge Connection, qcd.nersc.gov).
#include <fmt/format.h>

#include "core/system/error.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/gauge/nersc_header.hpp"

namespace plaq {
namespace {

bool is_nersc(const ByteSource& source) {
  return source.text(0, nersc_first_line.size()) == nersc_first_line;
}

std::optional<std::string> refuse_nersc(const LinkFormat&) { return std::nullopt; }

NerscHeader header_of(const GaugeWriteRequest& request, const LinkChecksum& checksum) {
  const GaugeFileMetadata& metadata = request.metadata;
  NerscHeader header;
  header.extents = request.extents;
  header.rows = request.links.rows;
  header.precision = request.links.precision;
  header.order = request.links.order;
  header.plaquette = request.plaquette;
  header.link_trace = request.link_trace;
  header.checksum = checksum.a;
  if (!metadata.ensemble_id.empty()) header.entries.push_back({"ENSEMBLE_ID", metadata.ensemble_id});
  if (!metadata.ensemble_label.empty()) header.entries.push_back({"ENSEMBLE_LABEL", metadata.ensemble_label});
  if (metadata.sequence_number)
    header.entries.push_back({"SEQUENCE_NUMBER", std::to_string(*metadata.sequence_number)});
  header.entries.insert(header.entries.end(), metadata.entries.begin(), metadata.entries.end());
  return header;
}

// A reader must find what was formatted: a line break in a label would break the file.
GaugeFileFrame frame_nersc(const GaugeWriteRequest& request, const LinkChecksum& checksum) {
  const std::string text = format_nersc_header(header_of(request, checksum));
  try {
    const auto back = parse_nersc_header(ByteSource::memory("header", std::as_bytes(std::span(text))));
    if (back.bytes == text.size()) return {text, {}};
  } catch (const Error& error) {
    throw Error(ErrorKind::output_file, error.what());
  }
  throw Error(ErrorKind::output_file, "END_HEADER inside the header");
}

}  // namespace

const GaugeFormat& nersc_format() {
  static constexpr GaugeFormat format{GaugeFileFormat::nersc, ChecksumKind::nersc, is_nersc,
                                      read_nersc_info,        refuse_nersc,        frame_nersc};
  return format;
}

}  // namespace plaq
