#include "io/gauge/links_size.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/system/error.hpp"

namespace plaq {
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

}  // namespace plaq
