#include "io/gauge/gauge_format.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "io/gauge/gauge_file.hpp"

namespace plaq {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes, means;
};
constexpr std::array<Magic, 7> others = {{
    {"\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
    {"\x1f\x8b"sv, "a file compressed by gzip"},
    {"\xfd"
     "7zXZ"sv,
     "a file compressed by xz"},
    {"\x28\xb5\x2f\xfd"sv, "a file compressed by zstd"},
    {"BZh"sv, "a file compressed by bzip2"},
    {"PK\x03\x04"sv, "a zip archive"},
    {"plaqJRNL"sv, "the journal of a job of plaq that is not complete"},
}};

}  // namespace

std::string guess_file(const ByteSource& source) {
  if (source.size() == 0) return "it is empty";
  const std::string head = source.text(0, 16);
  for (const auto& magic : others)
    if (head.starts_with(magic.bytes)) return fmt::format("it seems to be {}", magic.means);
  std::string bytes;
  for (const char c : head) bytes += fmt::format(" {:02x}", static_cast<unsigned char>(c));
  return "it begins with the bytes" + bytes;
}

std::string guess_contents(const ByteSource& source) {
  for (const GaugeFormat* format : gauge_formats())
    if (format->recognize(source))
      return fmt::format("it seems to hold a gauge field ({})", name_of(format->format));
  return guess_file(source);
}

}  // namespace plaq
