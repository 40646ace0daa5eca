// For the tests of LIME files: files put together in memory, without the code that is tested.
#pragma once

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "io/bytes/byte_source.hpp"
#include "tests/reference/lime.hpp"

namespace plaq::test {

inline ByteSource source_of(const std::string& bytes) {
  return ByteSource::memory("some.file", std::as_bytes(std::span(bytes)));
}

inline const std::string xml_head = R"(<?xml version="1.0" encoding="UTF-8"?>)";

struct LimeExample {
  std::vector<reference::LimeRecord> records;

  reference::LimeRecord& operator[](const std::string& type) {
    for (auto& record : records)
      if (record.type == type) return record;
    throw std::runtime_error("no record " + type);
  }
  void remove(const std::string& type) {
    std::erase_if(records, [&](const auto& record) { return record.type == type; });
  }
  // Replaces `before`, which must be there once, in the record of this type.
  void replace(const std::string& type, const std::string& before, const std::string& after) {
    std::string& data = (*this)[type].data;
    data.replace(data.find(before), before.size(), after);
  }
  std::string bytes() const { return reference::lime_bytes(records); }
};

inline std::string private_file_xml(const std::string& dims) {
  return xml_head + "<scidacFile><version>1.1</version><spacetime>4</spacetime><dims>" + dims +
         " </dims><volfmt>0</volfmt></scidacFile>" + '\0';
}
inline std::string dims_of(const Extents& e) { return fmt::format("{} {} {} {}", e[0], e[1], e[2], e[3]); }

// Letter of numbers of `precision` (32 or 64) bits; spins are not mentioned.
inline std::string letter_of(int precision) { return precision == 32 ? "F" : "D"; }
inline std::string private_record_xml(const std::string& type, int precision, int size, int count,
                                      int spins = 1) {
  return fmt::format(
      "{}<scidacRecord><version>1.1</version><date>Thu Apr 14 17:20:32 2022 UTC</date><recordtype>0"
      "</recordtype><datatype>{}</datatype><precision>{}</precision><colors>3</colors>{}<typesize>{}"
      "</typesize><datacount>{}</datacount></scidacRecord>{}",
      xml_head, type, letter_of(precision), spins == 0 ? "" : fmt::format("<spins>{}</spins>", spins), size,
      count, '\0');
}
inline std::string checksum_xml(const reference::ScidacSums& sums) {
  return fmt::format(
      "{}<scidacChecksum><version>1.0</version><suma>{:x}</suma><sumb>{:x}</sumb></scidacChecksum>{}",
      xml_head, sums.a, sums.b, '\0');
}

// A file of one field as QIO writes it: its texts, the numbers, their checksum.
inline LimeExample scidac_example(const std::string& dims, const std::string& file_text,
                                  const std::string& private_record, const std::string& record_text,
                                  const std::string& data, int site_bytes) {
  return {{{"scidac-private-file-xml", private_file_xml(dims), true, false},
           {"scidac-file-xml", file_text, false, true},
           {"scidac-private-record-xml", private_record, true, false},
           {"scidac-record-xml", record_text, false, false},
           {"scidac-binary-data", data, false, false},
           {"scidac-checksum",
            checksum_xml(reference::scidac_sums(data, static_cast<std::size_t>(site_bytes))), false, true}}};
}
inline std::string xml_text(const std::string& xml) { return xml_head + xml + '\0'; }

// Gauge links on a lattice of 2x4x2x6 unless told otherwise.
inline LimeExample lime_example(bool ildg, int precision, const std::string& data,
                                const std::string& dims = "2 4 2 6") {
  LimeExample file = scidac_example(
      dims, xml_text("<title>a test</title>"),
      private_record_xml("QDP_" + letter_of(precision) + "3_ColorMatrix", precision, 18 * precision / 8, 4),
      xml_text("<usqcdInfo><version>1.0</version><plaq>5.948502e-01</plaq><linktr>-1.25e-01</linktr><info>"
               "beta = 6 &lt; 7\nL = 4\n</info></usqcdInfo>"),
      data, 9 * precision);
  if (!ildg) return file;
  std::string format = xml_head + "<ildgFormat xmlns=\"http://www.lqcd.org/ildg\"><version>1.0</version>" +
                       "<field>su3gauge</field><precision>" + std::to_string(precision) + "</precision>";
  std::istringstream numbers(dims);
  for (const char* name : {"lx", "ly", "lz", "lt"}) {
    std::string extent;
    numbers >> extent;
    format += fmt::format("<{}>{}</{}>", name, extent, name);
  }
  file["scidac-binary-data"].type = "ildg-binary-data";
  file.records.insert(file.records.begin() + 4, {{"ildg-format", format + "</ildgFormat>", false, false},
                                                 {"ildg-data-lfn", "lfn://somewhere/file", false, false}});
  return file;
}

}  // namespace plaq::test
