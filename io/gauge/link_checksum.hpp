// The sums by which gauge file formats protect their links.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plaq {

enum class ChecksumKind {
  none,    // openQCD has none
  nersc,   // a: sum of the 32-bit words of the links, modulo 2^32
  milc,    // a: sum29, b: sum31: 32-bit words, each rotated left by its number modulo 29 and 31, xored
  scidac,  // a: suma, b: sumb: CRC-32 of each site, rotated left by its number modulo 29 and 31, xored
};

constexpr std::string_view name_of(ChecksumKind kind) {
  switch (kind) {
    case ChecksumKind::nersc:
      return "NERSC";
    case ChecksumKind::milc:
      return "MILC";
    case ChecksumKind::scidac:
      return "SciDAC";
    case ChecksumKind::none:
      break;
  }
  return "none";
}

struct LinkChecksum {
  ChecksumKind kind = ChecksumKind::none;
  std::uint32_t a = 0, b = 0;  // b is 0 for kinds with one sum

  // "3f80a21c", or "3f80a21c 00be11d5" for kinds with two.
  std::string text() const {
    if (kind == ChecksumKind::none) return "none";
    return kind == ChecksumKind::nersc ? fmt::format("{:08x}", a) : fmt::format("{:08x} {:08x}", a, b);
  }
  bool operator==(const LinkChecksum&) const = default;
};

// Checksums that a user names since a file is known to state a stale one. What is named is the sum of the
// numbers as they are: any other change of them is still noticed.
//
// One sum or two, of up to eight hexadecimal digits each, with blanks, commas or colons between them, as
// LinkChecksum::text() has them. Returns the fault of a text; nothing where it is good.
std::optional<std::string> validate_checksum(const std::string& text);

// True if one of the texts is that of `found`.
bool accepts(const std::vector<std::string>& accepted, const LinkChecksum& found);

// For the message about a file whose numbers have another checksum than it states: how they are taken all the
// same. Of gauge fields job files can say it, too.
std::string how_to_accept(const LinkChecksum& found, bool in_job_files);

}  // namespace plaq
