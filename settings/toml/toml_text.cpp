#include "settings/toml/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace plaq::settings {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Just behind the string that begins at `at`; the end where it does not end, or not on its line.
std::size_t behind_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool many_lines = text.substr(at, 3) == three;
  const std::size_t length = many_lines ? 3 : 1;
  for (at += length; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\')
      ++at;
    else if (text.substr(at, length) == three.substr(0, length))
      return at + length;
    else if (!many_lines && text[at] == '\n')
      return at;
  }
  return text.size();
}

// A key or a part of the name of a table, in quotes where it is no bare word.
std::string key_text(const std::string& name) {
  const bool bare = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? name : value_text(Value(name));
}

}  // namespace

std::optional<std::size_t> find_stray_byte(std::string_view text) {
  std::size_t at = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  while (at < text.size()) {
    if (text[at] == '"' || text[at] == '\'') {
      at = behind_string(text, at);
    } else if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (static_cast<unsigned char>(text[at]) >= 0x80) {
      return at;
    } else {
      ++at;
    }
  }
  return std::nullopt;
}

std::string toml_text(const std::vector<RawEntry>& entries) {
  std::vector<std::string> tables = {""};
  for (const auto& entry : entries)
    if (std::find(tables.begin(), tables.end(), entry.name.table) == tables.end())
      tables.push_back(entry.name.table);
  std::string text;
  for (const std::string& table : tables) {
    if (!table.empty()) text += fmt::format("[{}]\n", key_text(table));
    for (const auto& entry : entries)
      if (entry.name.table == table && !entry.is_table)
        text += fmt::format("{} = {}\n", key_text(entry.name.key), value_text(entry.value));
  }
  return text;
}

}  // namespace plaq::settings
