// Every format of gauge files, with what tests need to know of it. A new format is a line in format_kinds().
#pragma once

#include "io/gauge/gauge_file.hpp"
#include "tests/io/gauge/framed_links.hpp"
#include "tests/io/gauge/gauge_files.hpp"
#include "tests/reference/lime.hpp"
#include "tests/reference/milc.hpp"
#include "tests/reference/nersc.hpp"

namespace plaq::test {

// Contents that an independent reader finds.
struct ReferenceFile {
  reference::GaugeField gauge;
  LinkChecksum stored, found;
};

struct FormatKind {
  GaugeFileFormat format;
  ReferenceFile (*read)(const std::string& path);
  // The bytes with this extent in x instead of 4 (of a file that has 4 there).
  std::string (*with_extent)(std::string bytes, int extent);
};

inline ReferenceFile reference_nersc(const std::string& path) {
  auto file = reference::read_nersc(path);
  return {std::move(file.gauge),
          {ChecksumKind::nersc, file.header_checksum()},
          {ChecksumKind::nersc, file.checksum}};
}
inline ReferenceFile reference_milc(const std::string& path) {
  auto file = reference::read_milc(path);
  return {std::move(file.gauge),
          {ChecksumKind::milc, file.header_sum29, file.header_sum31},
          {ChecksumKind::milc, file.sum29, file.sum31}};
}
inline ReferenceFile reference_lime(const std::string& path) {
  auto file = reference::read_lime_gauge(path);
  return {std::move(file.gauge),
          {ChecksumKind::scidac, file.said.a, file.said.b},
          {ChecksumKind::scidac, file.found.a, file.found.b}};
}
inline ReferenceFile reference_openqcd(const std::string& path) {
  return {reference::read_openqcd(path).gauge, {}, {}};
}
inline ReferenceFile reference_ddalphaamg(const std::string& path) {
  return {reference::read_ddalphaamg(path).gauge, {}, {}};
}

inline std::string nersc_with_extent(std::string bytes, int extent) {
  const std::string line = "DIMENSION_1 = 4\n";
  return bytes.replace(bytes.find(line), line.size(), "DIMENSION_1 = " + std::to_string(extent) + "\n");
}
inline std::string with_word(std::string bytes, std::size_t at, ByteOrder order, int word) {
  store(reinterpret_cast<std::byte*>(bytes.data() + at), order, static_cast<std::uint32_t>(word));
  return bytes;
}
inline std::string milc_with_extent(std::string bytes, int extent) {
  return with_word(bytes, 4, bytes[0] == 0 ? ByteOrder::big : ByteOrder::little, extent);
}
inline std::string openqcd_with_extent(std::string bytes, int extent) {
  return with_word(std::move(bytes), 4, ByteOrder::little, extent);
}

inline std::string ddalphaamg_with_extent(std::string bytes, int extent) {
  return with_word(std::move(bytes), 12, bytes[0] == 0 ? ByteOrder::big : ByteOrder::little, extent);
}

// In both places that say it. plaq's sum of the texts then warns, but the extent is looked at first.
inline std::string lime_with_extent(std::string bytes, int extent) {
  auto records = reference::lime_records(bytes);
  const auto replace = [&](std::string& text, const std::string& before, const std::string& after) {
    text.replace(text.find(before), before.size(), after);
  };
  for (auto& record : records) {
    if (record.type == "scidac-private-file-xml")
      replace(record.data, "<dims>4 ", "<dims>" + std::to_string(extent) + " ");
    if (record.type == "ildg-format") replace(record.data, "<lx>4<", "<lx>" + std::to_string(extent) + "<");
  }
  return reference::lime_bytes(records);
}
inline std::string lime_without_checksum(const std::string& bytes) {
  auto records = reference::lime_records(bytes);
  for (std::size_t i = 1; i < records.size(); ++i)
    if (records[i].type == "scidac-checksum") {
      records[i - 1].ends = true;
      records.erase(records.begin() + static_cast<std::ptrdiff_t>(i));
    }
  return reference::lime_bytes(records);
}
inline const std::vector<FormatKind>& format_kinds() {
  static const std::vector<FormatKind> kinds = {
      {GaugeFileFormat::nersc, reference_nersc, nersc_with_extent},
      {GaugeFileFormat::ildg, reference_lime, lime_with_extent},
      {GaugeFileFormat::scidac, reference_lime, lime_with_extent},
      {GaugeFileFormat::milc, reference_milc, milc_with_extent},
      {GaugeFileFormat::openqcd, reference_openqcd, openqcd_with_extent},
      {GaugeFileFormat::ddalphaamg, reference_ddalphaamg, ddalphaamg_with_extent},
  };
  return kinds;
}
inline const FormatKind& kind_of(GaugeFileFormat format) {
  for (const auto& kind : format_kinds())
    if (kind.format == format) return kind;
  throw std::logic_error("a format that tests do not know");
}

// Every way to store links in every format.
inline std::vector<GaugeWriteOptions> all_ways() {
  std::vector<GaugeWriteOptions> ways;
  for (const auto& kind : format_kinds())
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      for (const int rows : {3, 2})
        for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
          const GaugeWriteOptions way{kind.format, precision, rows, order, {}};
          if (!gauge_format(kind.format).refuse(LinkFormat{rows, precision, order, LinkOrder::sites}))
            ways.push_back(way);
        }
  return ways;
}

// One rank tries every way; several ranks, which share the code of a format, one of each.
inline bool is_for_this_many_ranks(const GaugeWriteOptions& way) {
  if (world_size() == 1) return true;
  for (const auto& first : all_ways())
    if (first.format == way.format) return links_to_write(first) == links_to_write(way);
  return false;
}

// "nersc_double_3x2_little"
inline std::string name_of_way(const GaugeWriteOptions& way) {
  const LinkFormat links = links_to_write(way);
  return std::string(short_name(way.format)) + "_" + std::string(name_of(links.precision)) +
         (links.rows == 3 ? "_3x3" : "_3x2") + (links.order == ByteOrder::big ? "_big" : "_little");
}

inline double stored_tolerance(const LinkFormat& links) {
  return links.precision == Precision::single_precision ? 6e-8 : 1e-15;
}

// A file of these links, whatever they are; with the checksum of the links, or without one.
inline std::string unchecked_file(const GaugeWriteOptions& way, const reference::GaugeField& links,
                                  bool with_checksum, double plaquette, double link_trace) {
  const GaugeWriteRequest request{way.format, links.lattice.extents, links_to_write(way), plaquette,
                                  link_trace, way.metadata};
  const std::string bytes = framed_links(request, links, with_checksum);
  return is_lime_format(way.format) && !with_checksum ? lime_without_checksum(bytes) : bytes;
}

}  // namespace plaq::test

namespace plaq {
inline void PrintTo(const GaugeWriteOptions& way, std::ostream* out) { *out << test::name_of_way(way); }
}  // namespace plaq
