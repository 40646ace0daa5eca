#include "jobs/schema/toml_text.hpp"

#include <algorithm>
#include <string>

namespace plaq::jobs {
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

}  // namespace plaq::jobs
