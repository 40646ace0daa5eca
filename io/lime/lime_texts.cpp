#include "io/lime/lime_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/system/error.hpp"
#include "io/lime/scidac_xml.hpp"

namespace plaq {
namespace {

constexpr std::array known_types = {
    lime_type::private_file, lime_type::user_file, lime_type::private_record, lime_type::user_record,
    lime_type::scidac_data,  lime_type::checksum,  lime_type::site_list,      lime_type::ildg_format,
    lime_type::ildg_data,    lime_type::ildg_name, lime_type::plaq_info,
};
constexpr std::size_t most_text_warnings = 40;

bool nearly(std::string_view type, std::string_view known) {
  if (type.size() == known.size() + 1 && type.starts_with(known)) return true;  // its zero was hit
  if (type.size() != known.size() || type == known) return false;
  int different = 0;
  for (std::size_t i = 0; i < type.size(); ++i) different += type[i] != known[i];
  return different <= 2;
}

}  // namespace

LimeTexts::LimeTexts(const ByteSource& source) : name_(source.name()), file_(scan_lime(source)) {
  std::size_t total = 0;
  for (const LimeRecord& record : file_.records) {
    for (const auto known : known_types)
      if (nearly(record.type, known))
        throw Error(ErrorKind::input_file,
                    fmt::format("{}: its type is damaged: expected {}", place(record), known));
    if (record.type != lime_type::scidac_data && record.type != lime_type::ildg_data)
      keep(source, record, total);
  }
}

void LimeTexts::keep(const ByteSource& source, const LimeRecord& record, std::size_t& total) {
  const auto drop = [&](std::string_view why) {
    if (file_.warnings.size() < most_text_warnings)
      file_.warnings.push_back(fmt::format("{}: it is not kept: {}", record.place(), why));
  };
  if (record.bytes > most_text_bytes || total + record.bytes > most_texts_bytes)
    return drop(fmt::format("{} bytes are too many for a text", record.bytes));
  std::string text = source.text(record.data_offset, static_cast<std::size_t>(record.bytes));
  text.resize(text.find_last_not_of('\0') + 1);
  if (!is_plain_utf8(text)) return drop("it is no text in UTF-8");
  total += text.size();
  if (text.empty()) return;
  entries_.push_back({record.type, std::move(text), record.number});
}

int LimeTexts::count(std::string_view type) const {
  return static_cast<int>(std::count_if(file_.records.begin(), file_.records.end(),
                                        [&](const LimeRecord& r) { return r.type == type; }));
}

const LimeRecord* LimeTexts::find(std::string_view type) const {
  const LimeRecord* found = nullptr;
  for (const LimeRecord& record : file_.records) {
    if (record.type != type) continue;
    if (found)
      throw Error(ErrorKind::input_file, fmt::format("{}: expected one such record, but {} is another",
                                                     place(record), found->place()));
    found = &record;
  }
  return found;
}

const std::string& LimeTexts::text(const LimeRecord& record) const {
  for (const auto& entry : entries_)
    if (entry.line == record.number) return entry.value;
  throw Error(ErrorKind::input_file,
              fmt::format("{}: expected text of 1 to {} bytes in UTF-8, found {} bytes that are none",
                          place(record), most_text_bytes, record.bytes));
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::vector<HeaderEntry> entries_of_lines(const std::vector<std::string>& lines, int number) {
  std::vector<HeaderEntry> found;
  for (const auto& line : lines) {
    const auto equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string_view key = trimmed_blank(std::string_view(line).substr(0, equals));
    const std::string_view value = trimmed_blank(std::string_view(line).substr(equals + 1));
    if (!key.empty()) found.push_back({std::string(key), std::string(value), number});
  }
  return found;
}

std::optional<std::string> line_complaint(std::string_view key, std::string_view value) {
  if (key.empty() || key != trimmed_blank(key) || key.find_first_of("=\n\r") != std::string::npos)
    return "expected a key without '=', line ends and blanks around it";
  if (value != trimmed_blank(value) || value.find_first_of("\n\r") != std::string::npos)
    return "expected a value of one line without blanks around it";
  return std::nullopt;
}

}  // namespace plaq
