// Numbers as bytes of either order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace plaq {

enum class ByteOrder { little, big };
constexpr ByteOrder native_order =
    std::endian::native == std::endian::little ? ByteOrder::little : ByteOrder::big;
constexpr std::string_view name_of(ByteOrder o) {
  return o == ByteOrder::little ? "little-endian" : "big-endian";
}

constexpr std::uint32_t swap_bytes(std::uint32_t word) { return __builtin_bswap32(word); }
constexpr std::uint64_t swap_bytes(std::uint64_t word) { return __builtin_bswap64(word); }

template <class T>
using WordOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

// `bytes` need not be aligned.
template <class T>
T load(const std::byte* bytes, ByteOrder order) {
  WordOf<T> word;
  std::memcpy(&word, bytes, sizeof word);
  return std::bit_cast<T>(order == native_order ? word : swap_bytes(word));
}

template <class T>
void store(std::byte* bytes, ByteOrder order, T value) {
  auto word = std::bit_cast<WordOf<T>>(value);
  if (order != native_order) word = swap_bytes(word);
  std::memcpy(bytes, &word, sizeof word);
}

}  // namespace plaq
