// The text records of a LIME file: everything but its binary data. Serial.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_source.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/lime/lime.hpp"

namespace plaq {

// Types of records. ILDG Binary File Format 1.0 to 1.2; QIO.
namespace lime_type {
constexpr std::string_view private_file = "scidac-private-file-xml";
constexpr std::string_view user_file = "scidac-file-xml";
constexpr std::string_view private_record = "scidac-private-record-xml";
constexpr std::string_view user_record = "scidac-record-xml";
constexpr std::string_view scidac_data = "scidac-binary-data";
constexpr std::string_view checksum = "scidac-checksum";
constexpr std::string_view site_list = "scidac-sitelist";  // of a part of a lattice
constexpr std::string_view ildg_format = "ildg-format";
constexpr std::string_view ildg_data = "ildg-binary-data";
constexpr std::string_view ildg_name = "ildg-data-lfn";
constexpr std::string_view parameters = "xlf-info";  // KEY = VALUE, of tmLQCD
constexpr std::string_view plaq_info = "plaq-info";  // io/lime/lime_plaq_info.hpp
}  // namespace lime_type

constexpr std::size_t most_text_bytes = 1 << 24;   // of a record that is kept
constexpr std::size_t most_texts_bytes = 1 << 26;  // of all of them

class LimeTexts {
 public:
  // Throws Error(input_file) as scan_lime does, and for a type that differs in one or two characters from a
  // known one, which only damage makes likely. Records that are no text, or too long, are
  // not kept and give a warning.
  explicit LimeTexts(const ByteSource& source);

  const std::string& name() const { return name_; }
  const std::vector<LimeRecord>& records() const { return file_.records; }
  // key: type, value: text without zeros at its end, line: number of the record
  const std::vector<HeaderEntry>& entries() const { return entries_; }
  const std::vector<std::string>& warnings() const { return file_.warnings; }

  int count(std::string_view type) const;
  // The record of a type that may be there once; null when there is none. Throws Error(input_file).
  const LimeRecord* find(std::string_view type) const;
  // Its text. Throws Error(input_file) when it was not kept.
  const std::string& text(const LimeRecord& record) const;
  // "FILE, record 3 (ildg-format) at byte 512"
  std::string place(const LimeRecord& record) const { return name_ + ", " + record.place(); }

 private:
  void keep(const ByteSource& source, const LimeRecord& record, std::size_t& total);

  std::string name_;
  LimeFile file_;
  std::vector<HeaderEntry> entries_;
};

// Lines KEY = VALUE, as headers and texts of files have them.
std::vector<std::string> lines_of(std::string_view text);  // without their ends

// Entries of lines KEY = VALUE, without blanks around key and value; other lines are passed over. `number`:
// of the record that has them.
std::vector<HeaderEntry> entries_of_lines(const std::vector<std::string>& lines, int number = 0);

// Why the two cannot be such a line and come back as they were; none when they can.
std::optional<std::string> line_complaint(std::string_view key, std::string_view value);

}  // namespace plaq
