#include "io/gauge/milc_stamp.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"

namespace plaq {
namespace {

bool upsets_terminals(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

}  // namespace

std::string milc_stamp(std::span<const std::byte, milc_stamp_bytes> bytes) {
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  text.resize(std::min(text.find('\0'), text.size()));
  std::replace_if(text.begin(), text.end(), upsets_terminals, '?');
  return text;
}

std::optional<std::string> validate_milc_stamp(const std::string& text) {
  if (text.size() >= milc_stamp_bytes)
    return fmt::format("a MILC v5 file has a time stamp of at most {} bytes, found {}", milc_stamp_bytes - 1,
                       text.size());
  if (std::any_of(text.begin(), text.end(), upsets_terminals))
    return "the time stamp of a MILC v5 file is one line of text";
  return std::nullopt;
}

void put_milc_stamp(std::span<std::byte, milc_stamp_bytes> bytes, const std::string& text) {
  if (const auto fault = validate_milc_stamp(text)) throw Error(ErrorKind::output_file, *fault);
  std::ranges::copy(std::as_bytes(std::span(text)), bytes.begin());
}

}  // namespace plaq
