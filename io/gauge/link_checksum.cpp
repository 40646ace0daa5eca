#include "io/gauge/link_checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/system/wording.hpp"

namespace plaq {
namespace {

constexpr std::string_view between_sums = " ,:";

// Nothing where the text is none.
std::optional<std::vector<std::uint32_t>> sums_of(std::string_view text) {
  std::vector<std::uint32_t> sums;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(between_sums), text.size()));
    if (text.empty()) break;
    std::string_view digits = text.substr(0, text.find_first_of(between_sums));
    text.remove_prefix(digits.size());
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    std::uint32_t sum = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), sum, 16);
    if (failure != std::errc() || end != digits.data() + digits.size() || digits.size() > 8)
      return std::nullopt;
    sums.push_back(sum);
  }
  if (sums.empty() || sums.size() > 2) return std::nullopt;
  return sums;
}

}  // namespace

std::optional<std::string> validate_checksum(const std::string& text) {
  if (sums_of(text)) return std::nullopt;
  return fmt::format(
      "found \"{}\", must be a checksum: one or two hexadecimal numbers of up to 8 digits, such as "
      "\"3f80a21c\" or \"3f80a21c 00be11d5\"",
      text);
}

bool accepts(const std::vector<std::string>& accepted, const LinkChecksum& found) {
  if (found.kind == ChecksumKind::none) return false;
  std::vector<std::uint32_t> expected = {found.a};
  if (found.kind != ChecksumKind::nersc) expected.push_back(found.b);
  return std::any_of(accepted.begin(), accepted.end(),
                     [&](const std::string& text) { return sums_of(text) == expected; });
}

std::string how_to_accept(const LinkChecksum& found, bool in_job_files) {
  const bool from_python = &wording() != &job_file_wording();  // which has the argument for all files
  const std::string of_commands = fmt::format("--accept-checksum \"{}\"", found.text());
  return "where the numbers are known to be right and the checksum in the file is not, " +
         (in_job_files || from_python
              ? fmt::format(
                    "{} (of plaq info and convert: {}) takes them",
                    wording().setting("gauge", "accept_checksums", fmt::format("[\"{}\"]", found.text())),
                    of_commands)
              : fmt::format("plaq convert {} writes a file with the right one", of_commands));
}

}  // namespace plaq
