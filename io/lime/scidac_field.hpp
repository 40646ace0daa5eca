// One field over the whole lattice, alone in a LIME file, as QIO writes it: what propagators and gauge
// transformations have in common. Big-endian records of the sites, x fastest, then y, z, t.
//   message 1  scidac-private-file-xml, scidac-file-xml
//   message 2  scidac-private-record-xml, scidac-record-xml, scidac-binary-data, scidac-checksum
//   message 3  plaq-info, in files of plaq (io/lime/lime_plaq_info.hpp)
// USQCD, "QIO: SciDAC I/O API". Serial.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_source.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/gauge/link_checksum.hpp"
#include "io/lime/lime_texts.hpp"
#include "io/lime/scidac_xml.hpp"

namespace plaq {

// Contents of the file without its numbers. Members throw Error(input_file): file, record, expected, found.
class ScidacField {
 public:
  // Throws unless there is one record of binary data: `alone`, for the message.
  ScidacField(const ByteSource& source, std::string_view alone);

  const Extents& extents() const { return extents_; }
  const ScidacRecord& record() const { return record_; }
  std::uint64_t data_offset() const { return data_.data_offset; }

  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse(std::string_view record_type, const std::string& what) const;
  void warn(const std::string& what);

  // Throws unless the data are records of this size; `name`: "a propagator". Returns their bytes.
  std::uint64_t expect_records(int bytes, std::string_view name) const;
  std::optional<LinkChecksum> checksum();  // absent: a warning
  std::string user_record() const;         // its text; empty: none
  void check_header_crc();                 // a warning where texts were edited or damaged
  // For files that only plaq writes: all checksums must exist and hold, and nothing may be odd. The last
  // call.
  LinkChecksum demand_as_written();
  // All of them; the last call.
  std::vector<std::string> warnings();

 private:
  const LimeRecord& demand(std::string_view type) const;
  std::optional<std::string> text_complaint(const LimeRecord& own) const;  // by its header_crc

  const ByteSource& source_;
  LimeTexts texts_;
  LimeRecord data_;
  Extents extents_{};
  ScidacRecord record_;
  std::vector<std::string> warnings_;
};

// Does a LIME file hold one field of binary data, and what is it? None for others, and for files that are
// damaged beyond saying.
std::optional<ScidacRecord> find_scidac_record(const ByteSource& source);

// The bytes around the numbers; their sizes do not depend on the checksum. `file_title`: of scidac-file-xml.
GaugeFileFrame frame_scidac_field(const Extents& extents, ScidacRecord record, std::string_view file_title,
                                  const std::string& user_record, const LinkChecksum& checksum);

// Throws Error(output_file) for a text that a user record could not give back: not UTF-8, or too long.
void check_user_text(std::string_view name, const std::string& text);

}  // namespace plaq
