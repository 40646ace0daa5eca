// LIME files as a list of records, and the gauge fields in them: one process, the whole file at once.
//
// A record is a header of 144 bytes, big-endian: 0x456789ab, version 1 in two bytes, two bytes of which the
// highest bits begin and end a message, length in eight, type in 128 with zeros behind it; then the data,
// filled up with zeros to a multiple of 8. Links (ildg-binary-data or scidac-binary-data): big-endian, x
// fastest, then y, z, t; mu inner; row by row, re and im.
// SciDAC checksum: of site number n (lexicographic) let c be the CRC-32 of its bytes, of polynomial
// 0xedb88320; suma is the exclusive or of all c rotated left by n modulo 29, sumb by n modulo 31.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

struct LimeRecord {
  std::string type, data;
  bool begins = false, ends = false;  // a message
};

// Throws std::runtime_error for bytes that are not what is described above.
std::vector<LimeRecord> lime_records(const std::string& bytes);
std::string lime_bytes(const std::vector<LimeRecord>& records);

// Between <tag> and </tag>, the first time; empty when it is not there.
std::string between_tags(const std::string& xml, const std::string& tag);

std::uint32_t crc32(const std::string& bytes);

struct ScidacSums {
  std::uint32_t a = 0, b = 0;
  bool operator==(const ScidacSums&) const = default;
};
ScidacSums scidac_sums(const std::string& data, std::size_t site_bytes);

// Numbers of `precision` (32 or 64) bits, big-endian.
std::string link_bytes(const GaugeField& gauge, int precision);
GaugeField links_of(const std::string& data, const Lattice& lattice, int precision);

// Bytes of a gauge transformation, one matrix a site.
std::string matrix_bytes(const GaugeTransformation& g, int precision);
GaugeTransformation matrices_of(const std::string& data, const Lattice& lattice, int precision);

struct LimeGauge {
  GaugeField gauge;
  int precision = 64;
  ScidacSums found, said;
  std::map<std::string, std::string> texts;  // by type
};
// Extents and precision from ildg-format, or from the two private records of SciDAC.
LimeGauge read_lime_gauge(const std::string& path);

}  // namespace plaq::reference
