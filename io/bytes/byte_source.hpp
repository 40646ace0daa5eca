// Bytes that parsers read: a file, or memory. Serial.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace plaq {

class ByteSource {
 public:
  // Throws Error(input_file) unless `path` is a regular file that can be read.
  static ByteSource file(const std::string& path);
  // `bytes` must outlive the source. `name` is for messages.
  static ByteSource memory(std::string name, std::span<const std::byte> bytes);

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  // Fills `to` from `offset` on and returns how many bytes there were: fewer than asked only at the end.
  std::size_t read(std::uint64_t offset, std::span<std::byte> to) const;
  // Bytes as text, at most `most` of them.
  std::string text(std::uint64_t offset, std::size_t most) const;

 private:
  ByteSource() = default;

  std::string name_;
  std::uint64_t size_ = 0;
  std::span<const std::byte> memory_;
  std::shared_ptr<const int> descriptor_;  // of a file
};

// CRC-32 (zlib's) of bytes [begin, end), going on from `crc`, which is 0 at first. Throws Error(input_file)
// if the source ends before `end`.
std::uint32_t crc_of_range(std::uint32_t crc, const ByteSource& source, std::uint64_t begin,
                           std::uint64_t end);

// All of a small file. Throws Error(input_file) where it is no regular file, cannot be
// read, or has more than `most` bytes:
// pipes and devices are refused, and never waited for.
std::string text_of_file(const std::string& path, std::uint64_t most);

// Returns true if two regular files have the same bytes. Throws Error(input_file) if one cannot be read.
bool same_bytes(const std::string& one, const std::string& other);

}  // namespace plaq
