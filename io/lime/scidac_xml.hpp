// The small XML documents of ILDG and SciDAC (QIO) files. Sources: USQCD, "QIO: SciDAC I/O API" (private
// file and record XML, checksum, usqcdInfo); ILDG Metadata Working Group, "ILDG Binary File Format",
// revisions 1.0 to 1.2 (ildg-format).
//
// Readers throw Error(input_file), beginning with `place` (file, record, byte), for XML that is broken, too
// large, lacks an element, has one twice or a value that cannot be. Serial.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/system/location.hpp"

namespace plaq {

constexpr std::size_t most_parsed_xml = 1 << 24;    // bytes
constexpr std::size_t most_parsed_elements = 2000;  // opening and closing tags

// scidac-private-file-xml: one file of four dimensions, which is all that is accepted.
Extents parse_scidac_file(std::string_view xml, const std::string& place);
std::string format_scidac_file(const Extents& extents);

// End of the data types of QUDA's quark fields: QUDA_DNs4Nc3_ColorSpinorField (lib/qio_field.cpp there).
inline constexpr std::string_view quda_spinors = "_ColorSpinorField";

// scidac-private-record-xml
struct ScidacRecord {
  std::string date, datatype;  // QDP_D3_ColorMatrix, QUDA_DNc3_GaugeField; old files: Lattice
  Precision precision = Precision::double_precision;
  int colors = 3;
  int spins = 0;                      // 0: not given
  int type_size = 0, data_count = 0;  // bytes of an object, objects a site

  std::int64_t site_bytes() const { return std::int64_t{type_size} * data_count; }
};
// Refuses records that are not fields over the whole lattice.
ScidacRecord parse_scidac_record(std::string_view xml, const std::string& place);
std::string format_scidac_record(const ScidacRecord& record);

// ildg-format, field su3gauge
struct IldgFormat {
  Extents extents{};
  Precision precision = Precision::double_precision;
};
IldgFormat parse_ildg_format(std::string_view xml, const std::string& place);
std::string format_ildg_format(const IldgFormat& format);

// scidac-checksum: suma and sumb, at most eight hexadecimal digits on reading, eight on writing.
using ScidacSums = std::array<std::uint32_t, 2>;
ScidacSums parse_scidac_checksum(std::string_view xml, const std::string& place);
std::string format_scidac_checksum(const ScidacSums& sums);

// usqcdInfo, which many put into scidac-record-xml: plaq is the average of Re tr P / 3 over all plaquettes,
// linktr that of Re tr U / 3 over all links (so write MILC, Grid and the NERSC converters of QIO).
struct UsqcdInfo {
  std::string plaquette, link_trace;  // as they stand; empty: not there
  std::string info;
};
// None unless it is one that can be parsed: programs put any text there.
std::optional<UsqcdInfo> parse_usqcd_info(std::string_view xml);
std::string format_usqcd_info(double plaquette, double link_trace, std::string_view info);
// Text with other numbers where it has numbers.
std::string with_usqcd_values(std::string xml, std::optional<double> plaquette,
                              std::optional<double> link_trace);

// Propagator, plaq's own in scidac-record-xml of propagator files. Any other text is none.
struct PropagatorInfo {
  std::string spin_basis, metadata;
};
std::string format_propagator_info(std::string_view metadata);
std::optional<PropagatorInfo> parse_propagator_info(std::string_view xml);

// usqcdKSPropInfo in scidac-record-xml of staggered propagators (QIO: version, color, info), with two
// elements of plaq's own. Any other text is none.
struct StaggeredInfo {
  std::string phase_order, metadata;  // empty: not there
};
std::string format_staggered_info(std::string_view metadata, std::string_view phase_order,
                                  std::string_view normalization);
std::optional<StaggeredInfo> parse_staggered_info(std::string_view xml);

// Bytes of a text in XML, where characters that mean something stand for themselves.
std::size_t escaped_size(std::string_view text);

// GaugeTransformation, plaq's own in scidac-record-xml of files of g(x): the text in it. Any other is none.
std::string format_transformation_info(std::string_view text);
std::optional<std::string> parse_transformation_info(std::string_view xml);

// A kind of text of plaq's own in scidac-record-xml: the root of the document, the version that is written,
// and its subject in messages.
struct OwnTextKind {
  std::string_view root, version, called;
};
inline constexpr OwnTextKind multigrid_text{"MultigridSetup", "1.1", "multigrid setups"};
inline constexpr OwnTextKind eigenvector_text{"Eigenvectors", "1.0", "eigenvectors"};
inline constexpr OwnTextKind laplacian_mode_text{"LaplacianModes", "1.0", "modes of the Laplacian"};

struct OwnText {
  std::string version, text;
};
std::string format_own_text(const OwnTextKind& kind, std::string_view text);
// None for a document with another root.
std::optional<OwnText> parse_own_text(const OwnTextKind& kind, std::string_view xml);

// The number in such a field when it can be an average trace: finite, not 0, and from -1/3 (plaquettes) or
// -1/2 (links) to 1 but for rounding.
std::optional<double> average_plaquette_of(std::string_view text);
std::optional<double> average_link_trace_of(std::string_view text);

std::string_view trimmed_blank(std::string_view text);  // without blanks and line ends around it
bool is_plain_utf8(std::string_view text);              // and no control characters but tabs and line ends

}  // namespace plaq
