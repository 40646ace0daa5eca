#include "jobs/common/kept_metadata.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/lime_gauge.hpp"
#include "io/gauge/milc_stamp.hpp"
#include "io/lime/lime_texts.hpp"
#include "io/lime/scidac_xml.hpp"

namespace plaq::jobs {
namespace {

// Keys of a NERSC header that is written again from the links.
bool describes_links(std::string_view key) {
  static constexpr std::array<std::string_view, 11> nersc = {
      "HDR_VERSION", "DATATYPE",   "STORAGE_FORMAT", "DIMENSION_1", "DIMENSION_2",   "DIMENSION_3",
      "DIMENSION_4", "LINK_TRACE", "PLAQUETTE",      "CHECKSUM",    "FLOATING_POINT"};
  return std::find(nersc.begin(), nersc.end(), key) != nersc.end() || key.starts_with("BOUNDARY_");
}

bool is_line(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= ' '; });
}

bool is_lime_text(std::string_view text) {
  return is_line(text) && is_plain_utf8(text) && text.size() < most_text_bytes;
}

bool has_place(GaugeFileFormat format, const HeaderEntry& entry) {
  switch (format) {
    case GaugeFileFormat::nersc:
      return is_line(entry.key) && is_line(entry.value) && !entry.key.empty() &&
             entry.key.find('=') == std::string::npos;
    case GaugeFileFormat::milc:
      return entry.key == "time_stamp" && !validate_milc_stamp(entry.value);
    case GaugeFileFormat::openqcd:
    case GaugeFileFormat::ddalphaamg:
      return false;
    default:  // LIME: text, and plaq-info's own keys stay its own
      return is_lime_text(entry.key + entry.value) && entry.key.find('=') == std::string::npos &&
             entry.key != "plaquette" && entry.key != "link_trace" && entry.key != "header_crc";
  }
}

// Metadata of a LIME file for other formats: its lines KEY = VALUE, and the logical name. Other texts are
// left out, but for those that say how that file holds its links.
std::vector<HeaderEntry> lines_of_lime(const GaugeFileInfo& info, std::vector<std::string>& left_out) {
  static constexpr std::array framing = {lime_type::private_file, lime_type::private_record,
                                         lime_type::ildg_format, lime_type::checksum};
  std::vector<HeaderEntry> entries = lime_header_lines(info.entries);
  for (const auto& entry : info.entries) {
    if (entry.key == lime_type::ildg_name)
      entries.push_back(entry);
    else if (std::find(framing.begin(), framing.end(), entry.key) == framing.end() && !is_all_lines(entry))
      left_out.push_back(entry.key);
  }
  return entries;
}

bool take_sequence_number(const std::string& text, GaugeFileMetadata& metadata) {
  const auto number = sequence_number_in(text);
  if (number) metadata.sequence_number = number;
  return number.has_value();
}

}  // namespace

KeptMetadata keep_metadata(const GaugeFileInfo& info, const ConvertOptions& options, GaugeFileFormat format) {
  KeptMetadata kept;
  GaugeFileMetadata& metadata = kept.metadata;
  const bool from_lime = is_lime_format(info.format), lime = is_lime_format(format);
  const bool nersc = info.format == GaugeFileFormat::nersc || format == GaugeFileFormat::nersc;
  // Between LIME files all texts go on; elsewhere what they say in lines.
  const auto entries = from_lime && !lime ? lines_of_lime(info, kept.left_out) : info.entries;
  for (const auto& entry : entries) {
    if (from_lime && lime) {
      metadata.entries.push_back({entry.key, entry.value});
      continue;
    }
    if (entry.key == "ENSEMBLE_ID")
      metadata.ensemble_id = entry.value;
    else if (entry.key == "ENSEMBLE_LABEL")
      metadata.ensemble_label = entry.value;
    else if (entry.key == "ildg-data-lfn")
      metadata.ildg_lfn = entry.value;
    else if (entry.key == "SEQUENCE_NUMBER" && take_sequence_number(entry.value, metadata))
      continue;
    else if (nersc && describes_links(entry.key))
      continue;
    else if (has_place(format, entry))
      metadata.entries.push_back({entry.key, entry.value});
    else if (!entry.value.empty())
      kept.left_out.push_back(entry.key);
  }
  if (!options.ensemble_id.empty()) metadata.ensemble_id = options.ensemble_id;
  if (!options.ensemble_label.empty()) metadata.ensemble_label = options.ensemble_label;
  if (!options.ildg_lfn.empty()) metadata.ildg_lfn = options.ildg_lfn;

  // Keys of older NERSC files.
  for (auto [text, key] : {std::pair{&metadata.ensemble_id, "ENSEMBLE_ID"},
                           std::pair{&metadata.ensemble_label, "ENSEMBLE_LABEL"}}) {
    if (!lime || is_lime_text(*text)) continue;
    kept.left_out.push_back(key);
    text->clear();
  }
  const bool labels = lime || format == GaugeFileFormat::nersc;
  if (!labels && !metadata.ensemble_id.empty()) kept.left_out.push_back("ENSEMBLE_ID");
  if (!labels && !metadata.ensemble_label.empty()) kept.left_out.push_back("ENSEMBLE_LABEL");
  if (!labels && metadata.sequence_number) kept.left_out.push_back("SEQUENCE_NUMBER");
  if (!lime && !metadata.ildg_lfn.empty()) kept.left_out.push_back("ildg-data-lfn");
  return kept;
}

void add_gauge_entries(KeptMetadata& kept, const std::vector<HeaderEntry>& of_transformation,
                       GaugeFileFormat format) {
  std::vector<HeaderEntry> added, entries;
  for (const auto& entry : of_transformation)
    if (entry.key.starts_with("GAUGE")) added.push_back({entry.key, entry.value});
  const auto replaced = [&](const HeaderEntry& entry) {
    return std::any_of(added.begin(), added.end(), [&](const auto& by) { return by.key == entry.key; });
  };
  // Records that hold lines only are taken apart: a line of theirs may be one that is replaced.
  for (auto& entry : kept.metadata.entries) {
    if (!added.empty() && is_lime_format(format) && is_all_lines(entry))
      for (auto& line : lime_header_lines({entry})) entries.push_back(std::move(line));
    else
      entries.push_back(std::move(entry));
  }
  std::erase_if(entries, replaced);
  for (auto& entry : added)
    if (has_place(format, entry))
      entries.push_back(std::move(entry));
    else
      kept.left_out.push_back(entry.key);
  kept.metadata.entries = std::move(entries);
}

}  // namespace plaq::jobs
