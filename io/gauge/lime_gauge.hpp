// Gauge fields in LIME containers: ILDG files, and SciDAC files as QIO writes them (one file, one field).
//
// Links in ildg-binary-data or scidac-binary-data: big-endian, x fastest, then y, z, t; at each site
// U_mu(x), mu = x, y, z, t; 3x3, row-major, real before imaginary. scidac-checksum: suma and sumb.
// ILDG Binary File Format, revisions 1.0 to 1.2; USQCD, "QIO: SciDAC I/O API". Serial.
#pragma once

#include <optional>
#include <string>

#include "io/gauge/gauge_format.hpp"

namespace plaq {

// Inspects a file of either format; the result says which. Every text record is an entry (key: its type). A
// missing record that the formats ask for but that the links do not need gives a warning only.
GaugeFileInfo inspect_lime_gauge(const ByteSource& source);

std::optional<std::string> refuse_lime_links(const LinkFormat& links);

// request.format is ildg or scidac. Entries whose keys are types of LIME records (lower-case letters, digits,
// and at least one hyphen), or whose values have several lines, become records: scidac-file-xml and
// scidac-record-xml in their places, the others behind the links; records that describe the links are made
// again, with the date of an earlier scidac-private-record-xml. Values of plaquette and link trace in texts
// that are taken over are set right where they contradict the request. All other entries become lines KEY =
// VALUE of usqcdInfo in scidac-record-xml, or of plaq-info (io/lime/lime_plaq_info.hpp) where the record's
// XML is another program's; those that describe the encoding of a NERSC file are left out. An entry "date" is
// the record's date.
GaugeFileFrame frame_lime_gauge(const GaugeWriteRequest& request, const LinkChecksum& checksum);

// The lines KEY = VALUE that frame_lime_gauge has put into a file, found among its entries.
std::vector<HeaderEntry> lime_header_lines(const std::vector<HeaderEntry>& entries);
// True if these lines are all that this entry says: in a record of frame_lime_gauge's own making.
bool is_all_lines(const HeaderEntry& entry);

// The number behind "plaquette =" in xlf-info (tmLQCD): where it stands, and it; none when it is no average.
struct ParametersPlaquette {
  std::size_t begin = 0, size = 0;
  double value = 0;
};
std::optional<ParametersPlaquette> plaquette_of_parameters(std::string_view text);

}  // namespace plaq
