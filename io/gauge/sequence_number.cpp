#include "io/gauge/sequence_number.hpp"

#include <charconv>

#include "io/gauge/lime_gauge.hpp"

namespace plaq {

std::optional<std::int64_t> sequence_number_in(const std::string& text) {
  const char* end = text.data() + text.size();
  std::int64_t number = 0;
  const auto [stop, status] = std::from_chars(text.data(), end, number);
  if (status != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::optional<std::int64_t> sequence_number_of(const GaugeFileInfo& info) {
  for (const HeaderEntry& entry :
       is_lime_format(info.format) ? lime_header_lines(info.entries) : info.entries)
    if (entry.key == "SEQUENCE_NUMBER")
      if (const auto number = sequence_number_in(entry.value)) return number;
  return std::nullopt;
}

}  // namespace plaq
