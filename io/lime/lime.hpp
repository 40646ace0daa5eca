// LIME containers: messages made of records, each a header of 144 bytes and data padded with zeros to a
// multiple of 8. Header, big-endian: magic number, version (16 bits), bits for the beginning and the end of a
// message (16 bits), length of the data without padding (64 bits), type (128 characters, zero-terminated).
// USQCD, "LIME: Lattice-QCD Interchange Message Encapsulation" (c-lime manual, version 1.3). Serial.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_source.hpp"

namespace plaq {

constexpr std::uint32_t lime_magic = 0x456789ab;
constexpr std::size_t lime_header_bytes = 144;
constexpr std::size_t most_lime_type = 127;  // characters
constexpr std::size_t most_lime_records = 10000;

struct LimeRecord {
  std::string type;
  int number = 0;                     // in the file, from 1
  int message = 0;                    // from 1
  bool begins = false, ends = false;  // a message
  std::uint64_t header_offset = 0, data_offset = 0, bytes = 0;

  // "record 3 (ildg-format) at byte 512"
  std::string place() const;
};

struct LimeFile {
  std::vector<LimeRecord> records;
  std::vector<std::string> warnings;  // oddities of the framing, without the name of the file
};

bool is_lime(const ByteSource& source);

// Reads all record headers and no data. Throws Error(input_file), with record, byte, expected and found, for
// headers that are not LIME's, data beyond the end of the file, anything but zeros after the last record.
LimeFile scan_lime(const ByteSource& source);

constexpr std::uint64_t lime_padding(std::uint64_t bytes) { return (8 - bytes % 8) % 8; }

// The type is 1 to 127 printable ASCII characters; throws Error(output_file) for others.
std::string lime_header(std::string_view type, std::uint64_t bytes, bool begins, bool ends);
// Header, data and padding.
std::string lime_record(std::string_view type, std::string_view data, bool begins, bool ends);

}  // namespace plaq
