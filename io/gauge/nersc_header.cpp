#include "io/gauge/nersc_header.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/system/error.hpp"
#include "io/gauge/gauge_file_info.hpp"

namespace plaq {
namespace {

constexpr std::array<std::string_view, 4> dimension_keys = {"DIMENSION_1", "DIMENSION_2", "DIMENSION_3",
                                                            "DIMENSION_4"};
constexpr std::array<std::pair<std::string_view, int>, 2> data_types = {
    {{"4D_SU3_GAUGE", 2}, {"4D_SU3_GAUGE_3x3", 3}}};

struct FloatingPoint {
  std::string_view name;
  Precision precision;
  std::optional<ByteOrder> order;
};
constexpr std::array<FloatingPoint, 6> floating_points = {{
    {"IEEE32BIG", Precision::single_precision, ByteOrder::big},
    {"IEEE32LITTLE", Precision::single_precision, ByteOrder::little},
    {"IEEE32", Precision::single_precision, std::nullopt},
    {"IEEE64BIG", Precision::double_precision, ByteOrder::big},
    {"IEEE64LITTLE", Precision::double_precision, ByteOrder::little},
    {"IEEE64", Precision::double_precision, std::nullopt},
}};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

// For messages: short, and nothing in it that could upset a terminal.
std::string shown(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 60)) result += (c >= ' ' && c <= '~') ? c : '?';
  return "'" + result + (text.size() > 60 ? "...'" : "'");
}

class Parser {
 public:
  explicit Parser(const ByteSource& source) : source_(source) {}

  NerscHeader parse() {
    read_lines();
    check_version("HDR_VERSION");
    check_version("STORAGE_FORMAT");
    read_data_type();
    read_floating_point();
    for (std::size_t mu = 0; mu < 4; ++mu) header_.extents[mu] = extent(dimension_keys[mu]);
    header_.plaquette = number("PLAQUETTE");
    header_.link_trace = number("LINK_TRACE");
    if (header_.link_trace == 0.0) header_.link_trace.reset();
    header_.checksum = checksum();
    if (header_.checksum == 0u) header_.checksum.reset();
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::input_file, fmt::format("{}: {}", source_.name(), what));
  }
  [[noreturn]] void fail(int line, const std::string& what) const {
    throw Error(ErrorKind::input_file, fmt::format("{}, line {}: {}", source_.name(), line, what));
  }
  [[noreturn]] void fail(const HeaderEntry& entry, std::string_view expected) const {
    fail(entry.line, fmt::format("{} = {}: expected {}", entry.key, shown(entry.value), expected));
  }

  void read_lines() {
    const std::string text = source_.text(0, most_header_bytes);
    std::size_t position = 0;
    for (int line = 1;; ++line) {
      const std::size_t end = text.find('\n', position);
      if (end == std::string::npos) {
        if (line == 1) fail(line, fmt::format("expected {}, found {}", nersc_first_line, shown(text)));
        fail(line, source_.size() > most_header_bytes
                       ? fmt::format("the header goes on past {} bytes: expected END_HEADER before",
                                     most_header_bytes)
                       : fmt::format("the file ends after {} bytes, inside the header: expected END_HEADER",
                                     source_.size()));
      }
      const std::string_view content = trimmed(std::string_view(text).substr(position, end - position));
      position = end + 1;
      if (line == 1) {
        if (content != nersc_first_line)
          fail(line, fmt::format("expected {}, found {}", nersc_first_line, shown(content)));
      } else if (content == "END_HEADER") {
        header_.bytes = position;
        return;
      } else if (!content.empty()) {
        read_entry(content, line);
      }
    }
  }

  void read_entry(std::string_view content, int line) {
    for (const char c : content)
      if (static_cast<unsigned char>(c) < ' ' && c != '\t')
        fail(line, fmt::format("expected KEY = VALUE or END_HEADER, found the byte 0x{:02x} in {}",
                               static_cast<unsigned char>(c), shown(content)));
    const auto equals = content.find('=');
    const std::string_view key = trimmed(content.substr(0, equals));
    if (equals == std::string_view::npos || key.empty())
      fail(line, fmt::format("expected KEY = VALUE or END_HEADER, found {}", shown(content)));
    header_.entries.push_back({std::string(key), std::string(trimmed(content.substr(equals + 1))), line});
  }

  // The entry of a key that has a meaning here, and may therefore not be there twice.
  const HeaderEntry* find(std::string_view key) const {
    const HeaderEntry* found = nullptr;
    for (const auto& entry : header_.entries) {
      if (entry.key != key) continue;
      if (found) fail(entry.line, fmt::format("{} again: it is in line {} already", key, found->line));
      found = &entry;
    }
    return found;
  }
  const HeaderEntry& demand(std::string_view key, std::string_view expected) const {
    const HeaderEntry* entry = find(key);
    if (!entry) fail(fmt::format("the header has no {}: expected {}", key, expected));
    return *entry;
  }

  void check_version(std::string_view key) const {
    const auto version = number(key);
    if (version && *version != 1.0) fail(*find(key), "1.0, the only version known");
  }

  void read_data_type() {
    constexpr std::string_view expected = "4D_SU3_GAUGE (3x2) or 4D_SU3_GAUGE_3x3";
    const HeaderEntry& entry = demand("DATATYPE", expected);
    for (const auto& [name, rows] : data_types) {
      if (entry.value != name) continue;
      header_.rows = rows;
      return;
    }
    fail(entry, expected);
  }

  void read_floating_point() {
    constexpr std::string_view expected =
        "IEEE32BIG, IEEE32LITTLE, IEEE32, IEEE64BIG, IEEE64LITTLE or IEEE64";
    const HeaderEntry& entry = demand("FLOATING_POINT", expected);
    for (const auto& known : floating_points) {
      if (entry.value != known.name) continue;
      header_.precision = known.precision;
      header_.order = known.order;
      return;
    }
    fail(entry, expected);
  }

  int extent(std::string_view key) const {
    const std::string expected = fmt::format("a whole number from 1 to {}", largest_extent);
    const HeaderEntry& entry = demand(key, expected);
    const char* end = entry.value.data() + entry.value.size();
    int value = 0;
    const auto [stop, status] = std::from_chars(entry.value.data(), end, value);
    if (status != std::errc() || stop != end || value < 1 || value > largest_extent) fail(entry, expected);
    return value;
  }

  std::optional<double> number(std::string_view key) const {
    const HeaderEntry* entry = find(key);
    if (!entry) return std::nullopt;
    const char *begin = entry->value.data(), *end = begin + entry->value.size();
    if (begin != end && *begin == '+') ++begin;
    double value = 0;
    const auto [stop, status] = std::from_chars(begin, end, value);
    if (status != std::errc() || stop != end || !std::isfinite(value)) fail(*entry, "a finite number");
    return value;
  }

  std::optional<std::uint32_t> checksum() const {
    const HeaderEntry* entry = find("CHECKSUM");
    if (!entry) return std::nullopt;
    const char *begin = entry->value.data(), *end = begin + entry->value.size();
    if (entry->value.starts_with("0x") || entry->value.starts_with("0X")) begin += 2;
    std::uint32_t value = 0;
    const auto [stop, status] = std::from_chars(begin, end, value, 16);
    if (status != std::errc() || stop != end) fail(*entry, "at most 32 bits as hexadecimal digits");
    return value;
  }

  const ByteSource& source_;
  NerscHeader header_;
};

}  // namespace

const HeaderEntry* NerscHeader::find(std::string_view key) const {
  for (const auto& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

NerscHeader parse_nersc_header(const ByteSource& source) { return Parser(source).parse(); }

std::string format_nersc_header(const NerscHeader& header) {
  require(header.order.has_value(), "a NERSC header is written with its byte order");
  std::string text = fmt::format("{}\nHDR_VERSION = 1.0\n", nersc_first_line);
  const auto line = [&](std::string_view key, const auto& value) {
    text += fmt::format("{} = {}\n", key, value);
  };
  for (const auto& [name, rows] : data_types)
    if (rows == header.rows) line("DATATYPE", name);
  line("STORAGE_FORMAT", "1.0");
  for (std::size_t mu = 0; mu < 4; ++mu) line(dimension_keys[mu], header.extents[mu]);
  if (header.link_trace) line("LINK_TRACE", fmt::format("{:.15g}", *header.link_trace));
  if (header.plaquette) line("PLAQUETTE", fmt::format("{:.15g}", *header.plaquette));
  for (int mu = 1; mu <= 4; ++mu) line(fmt::format("BOUNDARY_{}", mu), "PERIODIC");
  line("CHECKSUM", fmt::format("{:08x}", header.checksum.value_or(0)));
  for (const auto& known : floating_points)
    if (known.precision == header.precision && known.order == header.order)
      line("FLOATING_POINT", known.name);
  for (const auto& entry : header.entries) line(entry.key, entry.value);
  return text + "END_HEADER\n";
}

}  // namespace plaq
