// Numbers and texts one after the other as little-endian bytes, and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/bytes/byte_order.hpp"

namespace plaq {

class ByteWriter {
 public:
  template <class T>  // of 4 or 8 bytes
  void number(T value) {
    std::byte bytes[sizeof(T)];
    store(bytes, ByteOrder::little, value);
    bytes_.append(reinterpret_cast<const char*>(bytes), sizeof bytes);
  }
  void raw(std::string_view text) { bytes_.append(text); }
  void text(std::string_view text) {
    number(static_cast<std::uint64_t>(text.size()));
    raw(text);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Every function gives nothing where the bytes end too early, and then stays where it is.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size(); }
  template <class T>
  std::optional<T> number() {
    const auto from = raw(sizeof(T));
    if (!from) return std::nullopt;
    return load<T>(reinterpret_cast<const std::byte*>(from->data()), ByteOrder::little);
  }
  std::optional<std::string_view> raw(std::uint64_t size) {
    if (size > bytes_.size()) return std::nullopt;
    const auto result = bytes_.substr(0, static_cast<std::size_t>(size));
    bytes_.remove_prefix(result.size());
    return result;
  }
  std::optional<std::string_view> text() {
    ByteReader ahead = *this;
    const auto size = ahead.number<std::uint64_t>();
    const auto result = size ? ahead.raw(*size) : std::nullopt;
    if (result) *this = ahead;
    return result;
  }

 private:
  std::string_view bytes_;
};

}  // namespace plaq
