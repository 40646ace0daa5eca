// For the tests of LIME files: files put together in memory, without the code that is tested.
#pragma once

#include <cstdio>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/system/error.hpp"
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
inline std::string private_record_xml(const std::string& type, const std::string& letter, int size,
                                      int count) {
  return xml_head + "<scidacRecord><version>1.1</version><date>Thu Apr 14 17:20:32 2022 UTC</date>" +
         "<recordtype>0</recordtype><datatype>" + type + "</datatype><precision>" + letter +
         "</precision><colors>3</colors><spins>1</spins><typesize>" + std::to_string(size) +
         "</typesize><datacount>" + std::to_string(count) + "</datacount></scidacRecord>" + '\0';
}
inline std::string checksum_xml(const reference::ScidacSums& sums) {
  char text[200];
  std::snprintf(text, sizeof text,
                "%s<scidacChecksum><version>1.0</version><suma>%x</suma><sumb>%x</sumb></scidacChecksum>",
                xml_head.c_str(), sums.a, sums.b);
  return text + std::string(1, '\0');
}

// A file as QIO writes it, with (precision 32 or 64) `data` on a lattice of 2x4x2x6 unless told otherwise.
inline LimeExample lime_example(bool ildg, int precision, const std::string& data,
                                const std::string& dims = "2 4 2 6") {
  const std::string letter = precision == 32 ? "F" : "D";
  LimeExample file;
  auto& records = file.records;
  records.push_back({"scidac-private-file-xml", private_file_xml(dims), true, false});
  records.push_back({"scidac-file-xml", xml_head + "<title>a test</title>" + '\0', false, true});
  records.push_back({"scidac-private-record-xml",
                     private_record_xml("QDP_" + letter + "3_ColorMatrix", letter, 18 * precision / 8, 4),
                     true, false});
  records.push_back({"scidac-record-xml",
                     xml_head + "<usqcdInfo><version>1.0</version><plaq>5.948502e-01</plaq>" +
                         "<linktr>-1.25e-01</linktr><info>beta = 6 &lt; 7\nL = 4\n</info></usqcdInfo>" + '\0',
                     false, false});
  if (ildg) {
    std::string format = xml_head + "<ildgFormat xmlns=\"http://www.lqcd.org/ildg\"><version>1.0</version>" +
                         "<field>su3gauge</field><precision>" + std::to_string(precision) + "</precision>";
    std::istringstream numbers(dims);
    for (const char* name : {"lx", "ly", "lz", "lt"}) {
      std::string extent;
      numbers >> extent;
      format += std::string("<") + name + ">" + extent + "</" + name + ">";
    }
    records.push_back({"ildg-format", format + "</ildgFormat>", false, false});
    records.push_back({"ildg-data-lfn", "lfn://somewhere/file", false, false});
  }
  records.push_back({ildg ? "ildg-binary-data" : "scidac-binary-data", data, false, false});
  records.push_back(
      {"scidac-checksum", checksum_xml(reference::scidac_sums(data, 9 * precision)), false, true});
  return file;
}

inline std::string refusal_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace plaq::test
