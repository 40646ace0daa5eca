// The record plaq-info, plaq's own, last in the LIME files that it writes; other programs pass over it. Lines
// KEY = VALUE:
//   plaquette, link_trace   of the links of a gauge field: scidac-record-xml may be another program's
//   any other               metadata for which that XML has no place
//   header_crc              last: CRC-32 (as zlib has it), eight hexadecimal digits, of all bytes of the file
//                           before these digits but the binary data, so that damaged texts are noticed
// Serial.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_source.hpp"
#include "io/lime/lime_texts.hpp"

namespace plaq {

struct LimePlaqInfo {
  std::optional<double> plaquette, link_trace;
  std::vector<std::string> lines;
  std::optional<std::uint32_t> crc;
  std::size_t crc_position = 0;  // of its digits in the text
};

// Throws Error(input_file), beginning with `place`, for numbers that are none.
LimePlaqInfo parse_plaq_info(std::string_view text, const std::string& place);
// With header_crc = 00000000 for the digits at the end of the text.
std::string format_plaq_info(const LimePlaqInfo& info);

// Fault of the texts around `data`, which may have been edited on purpose; none if there is no fault.
std::optional<std::string> header_complaint(const ByteSource& source, const LimeRecord& record,
                                            const LimePlaqInfo& info, const LimeRecord& data);
// Appends the record to the bytes behind the data, with the sum over everything before its digits.
void append_plaq_info(const std::string& head, std::string& tail, const LimePlaqInfo& info);
// The record's data or another text's, as QIO writes them: the zero at the end belongs to the text.
std::string lime_text_record(std::string_view type, const std::string& text, bool begins, bool ends);

// CRC of the bytes [0, end) without the data's [data_offset, data_offset + data_bytes).
std::uint32_t header_crc(const ByteSource& source, std::uint64_t data_offset, std::uint64_t data_bytes,
                         std::uint64_t end);
// CRC of bytes in memory, before and behind the data.
std::uint32_t header_crc(std::string_view before, std::string_view behind);

}  // namespace plaq
