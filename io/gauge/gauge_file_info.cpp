#include "io/gauge/gauge_file_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/system/error.hpp"
#include "io/gauge/lime_gauge.hpp"

namespace plaq {

double tolerance_of_digits(std::string_view number) {
  const auto exponent_at = std::min(number.find_first_of("eEdD"), number.size());
  int exponent = 0;
  if (exponent_at < number.size()) {
    std::string_view digits = number.substr(exponent_at + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  }
  const std::string_view mantissa = number.substr(0, exponent_at);
  const auto point = mantissa.find('.');
  int decimals = 0;
  if (point != std::string_view::npos)
    decimals = static_cast<int>(std::count_if(mantissa.begin() + static_cast<std::ptrdiff_t>(point),
                                              mantissa.end(), [](char c) { return c >= '0' && c <= '9'; }));
  // A little more, as 0.715875 is no binary number.
  return std::max(header_tolerance, 0.5000001 * std::pow(10.0, exponent - decimals));
}

namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", name, what));
}

}  // namespace

std::uint64_t lattice_bytes(const std::string& name, const Extents& extents, int site_bytes) {
  auto bytes = static_cast<std::uint64_t>(site_bytes);
  for (const int extent : extents) {
    const auto factor = static_cast<std::uint64_t>(extent);
    if (bytes > std::numeric_limits<std::int64_t>::max() / factor)
      fail(name, fmt::format("a lattice of {} is larger than any file", to_string(extents)));
    bytes *= factor;
  }
  return bytes;
}

std::uint64_t links_bytes(const std::string& name, const Extents& extents, const LinkFormat& links) {
  return lattice_bytes(name, extents, links.site_bytes());
}

void check_links_size(const ByteSource& source, const GaugeFileInfo& info, bool newline_tolerated) {
  const std::uint64_t expected = info.data_offset + info.data_bytes, found = source.size();
  if (found == expected) return;
  const std::string sum = fmt::format("expected {} bytes (header {}, links of {} {}), found {}", expected,
                                      info.data_offset, to_string(info.extents), info.data_bytes, found);
  if (found < expected) fail(source.name(), fmt::format("truncated by {} bytes: {}", expected - found, sum));
  if (newline_tolerated && found == expected + 1 && source.text(expected, 1) == "\n") return;
  fail(source.name(), fmt::format("{} bytes too many after the links: {}", found - expected, sum));
}

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
