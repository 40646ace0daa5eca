#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/system/error.hpp"
#include "io/gauge/lime_gauge.hpp"
#include "io/lime/lime_plaq_info.hpp"
#include "io/lime/lime_texts.hpp"
#include "io/lime/scidac_xml.hpp"

namespace plaq {
namespace {

constexpr double value_tolerance = 1e-6;
constexpr std::string_view no_date = "Thu Jan  1 00:00:00 1970 UTC";  // equal contents are equal bytes
constexpr std::string_view no_user_file =
    R"(<?xml version="1.0" encoding="UTF-8"?><title>gauge configuration</title>)";
constexpr std::array made_again = {
    lime_type::private_file, lime_type::private_record, lime_type::scidac_data, lime_type::ildg_data,
    lime_type::ildg_format,  lime_type::checksum,       lime_type::plaq_info,   lime_type::site_list,
};
// Keys of a NERSC header that say how that file holds its links.
constexpr std::array encoding_keys = {"HDR_VERSION", "DATATYPE",    "STORAGE_FORMAT", "DIMENSION_1",
                                      "DIMENSION_2", "DIMENSION_3", "DIMENSION_4",    "LINK_TRACE",
                                      "PLAQUETTE",   "CHECKSUM",    "FLOATING_POINT"};

template <class List>
bool contains(const List& list, std::string_view key) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

bool is_lime_type(std::string_view key) {
  return key.find('-') != std::string_view::npos && std::all_of(key.begin(), key.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

[[noreturn]] void refuse_entry(std::string_view key, const std::string& what) {
  std::string shown;
  for (const char c : key.substr(0, 60)) shown += c >= ' ' && c <= '~' ? c : '?';
  throw Error(ErrorKind::output_file,
              fmt::format("cannot write the metadata '{}' into a LIME file: {}", shown, what));
}

void check_text(std::string_view key, std::string_view text) {
  if (!is_plain_utf8(text)) refuse_entry(key, "expected text in UTF-8 without control characters");
  if (text.size() >= most_text_bytes)
    refuse_entry(key, fmt::format("expected less than {} bytes, found {}", most_text_bytes, text.size()));
}

// Texts that are made of the metadata.
struct Parts {
  std::string date{no_date}, user_file{no_user_file}, ildg_name;
  std::optional<std::string> user_record;
  std::vector<HeaderEntry> records;  // others
  std::vector<std::string> lines;    // KEY = VALUE
};

class Sorter {
 public:
  explicit Sorter(const GaugeWriteRequest& request) : request_(request) {}

  Parts sort() {
    const GaugeFileMetadata& metadata = request_.metadata;
    add_line("ENSEMBLE_ID", metadata.ensemble_id);
    add_line("ENSEMBLE_LABEL", metadata.ensemble_label);
    if (metadata.sequence_number) add_line("SEQUENCE_NUMBER", std::to_string(*metadata.sequence_number));
    const std::size_t given = parts_.lines.size();
    for (const auto& entry : metadata.entries) add(entry, given);
    if (!metadata.ildg_lfn.empty()) parts_.ildg_name = metadata.ildg_lfn;
    check_text("ildg_lfn", parts_.ildg_name);
    return std::move(parts_);
  }

 private:
  void add(const HeaderEntry& entry, std::size_t given) {
    const auto& [key, value, line] = entry;
    check_text(key, value);
    if (value.empty() && is_lime_type(key)) return;
    if (key == "date") {
      if (value != trimmed_blank(value) || value.find_first_of("\n\r") != std::string::npos)
        refuse_entry(key, "expected one line without blanks around it");
      parts_.date = value;
    } else if (key == lime_type::private_record) {
      if (const std::string date = parse_scidac_record(value, key).date; !date.empty()) parts_.date = date;
    } else if (key == lime_type::plaq_info) {
      for (auto& kept : parse_plaq_info(value, key).lines) add_line(std::move(kept));
    } else if (key == lime_type::user_file) {
      once(key);
      parts_.user_file = value;
    } else if (key == lime_type::user_record) {
      once(key);
      parts_.user_record = with_true_values(value);
    } else if (key == lime_type::ildg_name) {
      once(key);
      parts_.ildg_name = value;
    } else if (is_lime_type(key) || value.find('\n') != std::string::npos) {
      if (contains(made_again, key)) return;
      if (key.size() > most_lime_type)
        refuse_entry(key,
                     fmt::format("expected at most {} characters, found {}", most_lime_type, key.size()));
      parts_.records.push_back({key, key == lime_type::parameters ? with_true_plaquette(value) : value});
    } else if (!contains(encoding_keys, key) && !given_as(key, given)) {
      add_line(key, value);
    }
  }

  void once(const std::string& key) {
    if (contains(seen_, key)) refuse_entry(key, "it is there twice");
    seen_.push_back(key);
  }

  // Fields of the metadata come before entries of the same name.
  bool given_as(std::string_view key, std::size_t given) const {
    return std::any_of(parts_.lines.begin(), parts_.lines.begin() + static_cast<std::ptrdiff_t>(given),
                       [&](const std::string& line) { return line.substr(0, line.find(" = ")) == key; });
  }

  void add_line(const std::string& key, const std::string& value) {
    if (value.empty() && (key == "ENSEMBLE_ID" || key == "ENSEMBLE_LABEL")) return;
    check_text(key, key + value);
    if (const auto complaint = line_complaint(key, value)) refuse_entry(key, *complaint);
    if (contains(std::array{"plaquette", "link_trace", "header_crc"}, key))
      refuse_entry(key, "the key belongs to plaq-info");
    add_line(key + " = " + value);
  }
  void add_line(std::string line) {
    if (!contains(parts_.lines, line)) parts_.lines.push_back(std::move(line));
  }

  std::optional<double> unless_near(std::optional<double> said, double truth) const {
    if (!said || std::abs(*said - truth) <= value_tolerance) return std::nullopt;
    return truth;
  }
  std::string with_true_values(const std::string& xml) const {
    const auto usqcd = parse_usqcd_info(xml);
    if (!usqcd) return xml;
    return with_usqcd_values(xml, unless_near(average_plaquette_of(usqcd->plaquette), request_.plaquette),
                             unless_near(average_link_trace_of(usqcd->link_trace), request_.link_trace));
  }
  std::string with_true_plaquette(std::string text) const {
    const auto said = plaquette_of_parameters(text);
    if (said && unless_near(said->value, request_.plaquette))
      text.replace(said->begin, said->size, fmt::format("{:.12f}", request_.plaquette));
    return text;
  }

  const GaugeWriteRequest& request_;
  Parts parts_;
  std::vector<std::string> seen_;
};

// Records of an earlier file that are looked into may be broken.
Parts sorted(const GaugeWriteRequest& request) {
  try {
    return Sorter(request).sort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    throw Error(ErrorKind::output_file, fmt::format("cannot write the metadata: {}", error.what()));
  }
}

std::string user_record_and_rest(const GaugeWriteRequest& request, Parts& parts, LimePlaqInfo& own) {
  if (!parts.user_record) {
    std::string text;
    for (const auto& line : parts.lines) text += line + "\n";
    check_text(lime_type::user_record, text);
    return format_usqcd_info(request.plaquette, request.link_trace, text);
  }
  std::vector<std::string> there;
  const auto usqcd = parse_usqcd_info(*parts.user_record);
  if (usqcd) there = lines_of(usqcd->info);
  for (auto& line : parts.lines)
    if (!contains(there, line)) own.lines.push_back(std::move(line));
  return *parts.user_record;
}

ScidacRecord record_of(const GaugeWriteRequest& request, const std::string& date) {
  ScidacRecord record;
  record.date = date;
  record.precision = request.links.precision;
  const char letter = request.links.precision == Precision::single_precision ? 'F' : 'D';
  record.datatype = fmt::format("QDP_{}3_ColorMatrix", letter);
  record.type_size = request.links.link_bytes();
  record.data_count = 4;
  return record;
}

}  // namespace

std::optional<std::string> refuse_lime_links(const LinkFormat& links) {
  if (links.rows != 3) return fmt::format("{} stored rows: ILDG and SciDAC files hold all 3", links.rows);
  if (links.order != ByteOrder::big)
    return fmt::format("{} numbers: ILDG and SciDAC files are big-endian", name_of(links.order));
  if (links.sequence != LinkOrder::sites)
    return "links in the order of openQCD or DDalphaAMG: ILDG and SciDAC files go by sites";
  return std::nullopt;
}

GaugeFileFrame frame_lime_gauge(const GaugeWriteRequest& request, const LinkChecksum& checksum) {
  require(!refuse_lime_links(request.links), "links that a LIME file does not hold");
  const bool ildg = request.format == GaugeFileFormat::ildg;
  Parts parts = sorted(request);
  LimePlaqInfo own;
  own.plaquette = request.plaquette;
  own.link_trace = request.link_trace;
  const std::string user_record = user_record_and_rest(request, parts, own);

  auto bytes = static_cast<std::uint64_t>(request.links.site_bytes());
  for (const int extent : request.extents) bytes *= static_cast<std::uint64_t>(extent);
  GaugeFileFrame frame;
  frame.head += lime_text_record(lime_type::private_file, format_scidac_file(request.extents), true, false);
  frame.head += lime_text_record(lime_type::user_file, parts.user_file, false, true);
  frame.head += lime_text_record(lime_type::private_record,
                                 format_scidac_record(record_of(request, parts.date)), true, false);
  frame.head += lime_text_record(lime_type::user_record, user_record, false, false);
  if (ildg)
    frame.head += lime_text_record(
        lime_type::ildg_format, format_ildg_format({request.extents, request.links.precision}), false, false);
  frame.head += lime_header(ildg ? lime_type::ildg_data : lime_type::scidac_data, bytes, false, false);

  frame.tail += std::string(lime_padding(bytes), '\0');
  frame.tail +=
      lime_text_record(lime_type::checksum, format_scidac_checksum({checksum.a, checksum.b}), false, true);
  if (!parts.ildg_name.empty())
    frame.tail += lime_text_record(lime_type::ildg_name, parts.ildg_name, true, true);
  for (const auto& record : parts.records)
    frame.tail += lime_text_record(record.key, record.value, true, true);
  if (frame.head.size() + frame.tail.size() > most_texts_bytes / 2)
    refuse_entry("entries", fmt::format("expected less than {} bytes in all", most_texts_bytes / 2));

  append_plaq_info(frame.head, frame.tail, own);
  return frame;
}

bool is_all_lines(const HeaderEntry& entry) {
  if (entry.key == lime_type::user_file) return entry.value == no_user_file;
  if (entry.key == lime_type::plaq_info) return true;
  const auto usqcd = entry.key == lime_type::user_record ? parse_usqcd_info(entry.value) : std::nullopt;
  if (!usqcd) return false;
  const auto lines = lines_of(usqcd->info);
  return std::all_of(lines.begin(), lines.end(),
                     [](const std::string& line) { return line.find('=') != std::string::npos; });
}

std::vector<HeaderEntry> lime_header_lines(const std::vector<HeaderEntry>& entries) {
  std::vector<HeaderEntry> found;
  for (const auto& entry : entries) {
    std::vector<std::string> lines;
    if (entry.key == lime_type::plaq_info) lines = parse_plaq_info(entry.value, entry.key).lines;
    if (entry.key == lime_type::user_record)
      if (const auto usqcd = parse_usqcd_info(entry.value)) lines = lines_of(usqcd->info);
    for (auto& entry_of_line : entries_of_lines(lines, entry.line)) found.push_back(std::move(entry_of_line));
  }
  return found;
}

}  // namespace plaq
