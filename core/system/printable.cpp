#include "core/system/log.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

namespace plaq {
namespace {

struct Sequence {
  std::size_t bytes;  // that it begins with this lead byte
  std::uint32_t least;
};

// 0 bytes: no lead byte of UTF-8.
Sequence sequence_of(unsigned char lead) {
  if (lead < 0x80) return {1, 0};
  if (lead >= 0xc2 && lead < 0xe0) return {2, 0x80};
  if (lead >= 0xe0 && lead < 0xf0) return {3, 0x800};
  if (lead >= 0xf0 && lead < 0xf5) return {4, 0x10000};
  return {0, 0};
}

// The character that `text` begins with and its bytes; 0 bytes: it is no UTF-8.
std::pair<std::uint32_t, std::size_t> first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto [bytes, least] = sequence_of(byte(0));
  if (bytes == 0 || bytes > text.size()) return {0, 0};
  constexpr std::array<std::uint32_t, 5> lead_bits = {0, 0x7f, 0x1f, 0x0f, 0x07};
  std::uint32_t code = byte(0) & lead_bits[bytes];
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < least || code > 0x10ffff || surrogate) return {0, 0};
  return {code, bytes};
}

// C0 but newline and tab, DEL, C1, and the marks that turn the direction of writing.
bool is_control(std::uint32_t code) {
  if (code == '\n' || code == '\t') return false;
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string found;
  found.reserve(text.size());
  while (!text.empty()) {
    const auto [code, bytes] = first_character(text);
    const std::string_view character = text.substr(0, bytes == 0 ? 1 : bytes);
    if (bytes > 0 && !is_control(code))
      found += character;
    else
      for (const char byte : character) found += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    text.remove_prefix(character.size());
  }
  return found;
}

}  // namespace plaq
