#include "io/lime/lime_plaq_info.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/system/error.hpp"
#include "io/lime/scidac_xml.hpp"

namespace plaq {
namespace {

constexpr std::uint64_t most_crc_bytes = 1 << 26;

std::uint32_t extend(std::uint32_t crc, const void* bytes, std::size_t count) {
  return static_cast<std::uint32_t>(::crc32_z(crc, static_cast<const Bytef*>(bytes), count));
}

template <class T, class... Base>
T number(std::string_view text, const std::string& place, std::string_view expected, Base... base) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value, base...);
  if (text.empty() || status != std::errc() || stop != end)
    throw Error(ErrorKind::input_file, fmt::format("{}: expected {}", place, expected));
  return value;
}

}  // namespace

LimePlaqInfo parse_plaq_info(std::string_view text, const std::string& place) {
  LimePlaqInfo info;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const auto equals = std::min(line.find(" = "), line.size());
    const std::string_view key = line.substr(0, equals),
                           value = line.substr(std::min(equals + 3, line.size()));
    if (key == "plaquette" || key == "link_trace") {
      auto& to = key == "plaquette" ? info.plaquette : info.link_trace;
      to = number<double>(value, place, fmt::format("{} = a number", key));
      if (!std::isfinite(*to))
        throw Error(ErrorKind::input_file, fmt::format("{}: expected a finite {}", place, key));
    } else if (key == "header_crc") {
      info.crc = number<std::uint32_t>(value, place, "header_crc = eight hexadecimal digits", 16);
      info.crc_position = begin + equals + 3;
    } else if (!line.empty()) {
      info.lines.emplace_back(line);
    }
    begin = end + 1;
  }
  return info;
}

std::string format_plaq_info(const LimePlaqInfo& info) {
  std::string text;
  if (info.plaquette) text += fmt::format("plaquette = {:.15g}\n", *info.plaquette);
  if (info.link_trace) text += fmt::format("link_trace = {:.15g}\n", *info.link_trace);
  for (const auto& line : info.lines) text += line + "\n";
  return text + fmt::format("header_crc = {:08x}", info.crc.value_or(0));
}

std::optional<std::string> header_complaint(const ByteSource& source, const LimeRecord& record,
                                            const LimePlaqInfo& info, const LimeRecord& data) {
  const std::uint64_t end = record.data_offset + info.crc_position;
  if (end < data.data_offset) return fmt::format("{}: it should stand behind the data", record.place());
  if (!info.crc || end - data.bytes > most_crc_bytes)
    return fmt::format("{}: its header_crc is absent or covers too much", record.place());
  const std::uint32_t found = header_crc(source, data.data_offset, data.bytes, end);
  if (found == *info.crc) return std::nullopt;
  return fmt::format(
      "{}: the texts around the data are not as they were written: expected header_crc = {:08x}, found "
      "{:08x}",
      record.place(), *info.crc, found);
}

void append_plaq_info(const std::string& head, std::string& tail, const LimePlaqInfo& info) {
  tail += lime_text_record(lime_type::plaq_info, format_plaq_info(info), true, true);
  constexpr std::string_view key = "header_crc = ";
  const std::size_t digits = tail.rfind(key) + key.size();
  const std::uint32_t crc = header_crc(head, std::string_view(tail).substr(0, digits));
  tail.replace(digits, 8, fmt::format("{:08x}", crc));
}

std::string lime_text_record(std::string_view type, const std::string& text, bool begins, bool ends) {
  return lime_record(type, text + '\0', begins, ends);
}

std::uint32_t header_crc(const ByteSource& source, std::uint64_t data_offset, std::uint64_t data_bytes,
                         std::uint64_t end) {
  const std::uint32_t crc = crc_of_range(0, source, 0, std::min(data_offset, end));
  return crc_of_range(crc, source, data_offset + data_bytes, end);
}

std::uint32_t header_crc(std::string_view before, std::string_view behind) {
  return extend(extend(0, before.data(), before.size()), behind.data(), behind.size());
}

}  // namespace plaq
