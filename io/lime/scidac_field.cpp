#include "io/lime/scidac_field.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/lime/lime_plaq_info.hpp"

namespace plaq {

ScidacField::ScidacField(const ByteSource& source, std::string_view alone) : source_(source), texts_(source) {
  const int fields = texts_.count(lime_type::scidac_data), links = texts_.count(lime_type::ildg_data);
  if (fields != 1 || links != 0)
    refuse(fmt::format("expected one record {}, {}, found {}, and {} of {}", lime_type::scidac_data, alone,
                       fields, links, lime_type::ildg_data));
  data_ = demand(lime_type::scidac_data);
  const LimeRecord& file = demand(lime_type::private_file);
  extents_ = parse_scidac_file(texts_.text(file), texts_.place(file));
  const LimeRecord& record = demand(lime_type::private_record);
  record_ = parse_scidac_record(texts_.text(record), texts_.place(record));
}

void ScidacField::refuse(const std::string& what) const {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", source_.name(), what));
}
void ScidacField::refuse(std::string_view record_type, const std::string& what) const {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", texts_.place(demand(record_type)), what));
}
void ScidacField::warn(const std::string& what) {
  warnings_.push_back(fmt::format("{}: {}", source_.name(), what));
}

const LimeRecord& ScidacField::demand(std::string_view type) const {
  const LimeRecord* record = texts_.find(type);
  if (!record) refuse(fmt::format("expected a record {}, found none", type));
  return *record;
}

std::uint64_t ScidacField::expect_records(int bytes, std::string_view name) const {
  const std::uint64_t expected = lattice_bytes(source_.name(), extents_, bytes);
  if (data_.bytes != expected)
    refuse(lime_type::scidac_data,
           fmt::format("expected {} bytes, {} of {} in {} precision, found {}", expected, name,
                       to_string(extents_), name_of(record_.precision), data_.bytes));
  return expected;
}

std::optional<LinkChecksum> ScidacField::checksum() {
  const LimeRecord* record = texts_.find(lime_type::checksum);
  if (!record) {
    warn(fmt::format("{} is absent: damage may go unnoticed", lime_type::checksum));
    return std::nullopt;
  }
  const ScidacSums sums = parse_scidac_checksum(texts_.text(*record), texts_.place(*record));
  return LinkChecksum{ChecksumKind::scidac, sums[0], sums[1]};
}

std::string ScidacField::user_record() const {
  const LimeRecord* record = texts_.find(lime_type::user_record);
  for (const auto& entry : texts_.entries())
    if (record && entry.line == record->number) return entry.value;
  return {};
}

std::optional<std::string> ScidacField::text_complaint(const LimeRecord& own) const {
  return header_complaint(source_, own, parse_plaq_info(texts_.text(own), texts_.place(own)), data_);
}

void ScidacField::check_header_crc() {
  const LimeRecord* record = texts_.find(lime_type::plaq_info);
  if (!record) return;
  if (const auto complaint = text_complaint(*record)) warn(*complaint);
}

LinkChecksum ScidacField::demand_as_written() {
  if (const auto complaint = text_complaint(demand(lime_type::plaq_info))) refuse(*complaint);
  const auto numbers = checksum();
  if (const auto odd = warnings(); !odd.empty()) throw Error(ErrorKind::input_file, odd.front());
  return *numbers;
}

std::vector<std::string> ScidacField::warnings() {
  for (const auto& warning : texts_.warnings()) warn(warning);
  return std::move(warnings_);
}

std::optional<ScidacRecord> find_scidac_record(const ByteSource& source) {
  try {
    const LimeTexts texts(source);
    const LimeRecord* record = texts.find(lime_type::private_record);
    if (!record || texts.count(lime_type::scidac_data) == 0) return std::nullopt;
    return parse_scidac_record(texts.text(*record), texts.place(*record));
  } catch (const Error&) {
    return std::nullopt;
  }
}

GaugeFileFrame frame_scidac_field(const Extents& extents, ScidacRecord record, std::string_view file_title,
                                  const std::string& user_record, const LinkChecksum& checksum) {
  record.date = "Thu Jan  1 00:00:00 1970 UTC";  // equal contents are equal bytes
  const std::string title =
      fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?><title>{}</title>)", file_title);
  const std::uint64_t bytes =
      lattice_bytes(std::string(file_title), extents, static_cast<int>(record.site_bytes()));
  GaugeFileFrame frame;
  frame.head += lime_text_record(lime_type::private_file, format_scidac_file(extents), true, false);
  frame.head += lime_text_record(lime_type::user_file, title, false, true);
  frame.head += lime_text_record(lime_type::private_record, format_scidac_record(record), true, false);
  frame.head += lime_text_record(lime_type::user_record, user_record, false, false);
  frame.head += lime_header(lime_type::scidac_data, bytes, false, false);
  frame.tail += std::string(lime_padding(bytes), '\0');
  frame.tail +=
      lime_text_record(lime_type::checksum, format_scidac_checksum({checksum.a, checksum.b}), false, true);
  append_plaq_info(frame.head, frame.tail, {});
  return frame;
}

void check_user_text(std::string_view name, const std::string& text) {
  constexpr std::size_t most = most_parsed_xml - 4096;  // the elements around it
  const std::size_t size = escaped_size(text);
  if (!is_plain_utf8(text) || size > most)
    throw Error(ErrorKind::output_file,
                fmt::format("{}: expected at most {} bytes in UTF-8 without control characters, found {} "
                            "bytes",
                            name, most, size));
}

}  // namespace plaq
