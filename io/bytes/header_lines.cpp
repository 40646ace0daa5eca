#include "io/bytes/header_lines.hpp"

#include <algorithm>

#include "io/lime/scidac_xml.hpp"

namespace plaq {

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
