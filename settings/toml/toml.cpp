#include "settings/toml/toml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"

// toml++ 3.3 asserts, and with clang's NDEBUG assumes, what a header like "[.a]" breaks; where it does
// neither, its next lines say what is wrong with the file.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

namespace plaq::settings {
namespace {

RawValue raw(const toml::node& node) {
  if (const auto* x = node.as_boolean()) return {x->get()};
  if (const auto* x = node.as_integer()) return {x->get()};
  if (const auto* x = node.as_floating_point()) return {x->get()};
  if (const auto* x = node.as_string()) return {x->get()};
  if (const auto* list = node.as_array()) {
    std::vector<RawValue> elements;
    for (const auto& element : *list) elements.push_back(raw(element));
    return {std::move(elements)};
  }
  return {RawValue::Other{node.is_table() ? "a table" : "a date or time"}};
}

std::string place(const toml::source_region& region, const std::string& file) {
  return fmt::format("{}:{}:{}", file, region.begin.line, region.begin.column);
}

void flatten(const toml::table& table, const std::string& name, const std::string& file,
             std::vector<RawEntry>& entries) {
  for (auto&& [key, node] : table) {
    const toml::source_region& region = key.source();
    RawEntry entry;
    entry.place = place(region, file);
    entry.line = static_cast<int>(region.begin.line);
    if (const auto* inner = node.as_table()) {
      entry.is_table = true;
      entry.name.table = name.empty() ? std::string(key.str()) : fmt::format("{}.{}", name, key.str());
      // One that only has tables is there because of their names.
      if (inner->empty() ||
          !std::all_of(inner->begin(), inner->end(), [](const auto& one) { return one.second.is_table(); }))
        entries.push_back(entry);
      flatten(*inner, entry.name.table, file, entries);
    } else {
      entry.name = {name, std::string(key.str())};
      entry.value = raw(node);
      entries.push_back(entry);
    }
  }
}

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

}  // namespace

std::vector<RawEntry> read_toml(std::string_view text, const std::string& file) {
  if (const auto stray = find_stray_byte(text))
    throw Error(
        ErrorKind::job_file,
        fmt::format("{}:{}: not valid TOML: a character beyond ASCII outside of strings and comments", file,
                    1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*stray), '\n')));
  try {
    std::vector<RawEntry> entries;
    flatten(toml::parse(text), "", file, entries);
    return entries;
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::job_file,
                fmt::format("{}: not valid TOML: {}", place(error.source(), file), error.description()));
  }
}

RawEntry read_override(std::string_view text) {
  const auto equals = text.find('=');
  const std::string name = trimmed(text.substr(0, equals));
  const auto dot = name.rfind('.');
  const std::string key = dot == std::string::npos ? name : name.substr(dot + 1);
  if (equals == std::string_view::npos || key.empty())
    throw Error(ErrorKind::usage,
                fmt::format("--set '{}': must be TABLE.KEY=VALUE, for example solver.tolerance=1e-8", text));
  RawEntry entry;
  entry.name = {dot == std::string::npos ? "" : name.substr(0, dot), key};
  entry.place = "--set " + name;
  entry.typed = trimmed(text.substr(equals + 1));
  entry.value = {*entry.typed};
  const std::string line = "value = " + *entry.typed;
  if (find_stray_byte(line)) return entry;  // a bare word
  try {
    const toml::table table = toml::parse(line);
    if (table.size() == 1) entry.value = raw(*table.get("value"));
  } catch (const toml::parse_error&) {
    // A bare word, a file name: a string.
  }
  return entry;
}

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
