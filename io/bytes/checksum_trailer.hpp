// Checksum trailers behind the HDF5 bytes of plaq's files. They show damage before libhdf5, which may crash
// or hang on damaged files, reads them. HDF5 ignores what follows its own end of the file. Serial.
//
// Trailer over all bytes, for results:
//   8 bytes "plaqSEAL", the number of bytes before the trailer (64 bits), their CRC-32 as of zlib (32 bits)
// Trailer over all but a field, whose numbers have a checksum of their own:
//   8 bytes "plaqEDGE", the number of bytes before the trailer, where the numbers begin, how many bytes they
//   have (64 bits each), CRC-32 of the other bytes before the trailer and of these three (32 bits)
// All little-endian.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "io/bytes/byte_source.hpp"

namespace plaq {

constexpr std::size_t trailer_bytes = 20;
std::array<std::byte, trailer_bytes> make_trailer(std::span<const std::byte> bytes);

struct ChecksumTrailer {
  std::uint64_t bytes = 0;  // that it protects
  std::uint32_t crc = 0;
};
bool has_trailer(const ByteSource& source);
// Reads the whole file. Throws Error(input_file) when it has no checksum trailer or does not match it.
ChecksumTrailer check_trailer(const ByteSource& source);

constexpr std::size_t edge_trailer_bytes = 36;
struct FieldPlace {
  std::uint64_t offset = 0, bytes = 0;  // of the numbers
  bool operator==(const FieldPlace&) const = default;
};
// Trailer over the first `bytes` of `source`, behind which it goes.
std::array<std::byte, edge_trailer_bytes> make_edge_trailer(const ByteSource& source, std::uint64_t bytes,
                                                            const FieldPlace& field);
bool has_edge_trailer(const ByteSource& source);
// Returns the place of the numbers; none without such a trailer. Throws Error(input_file) if the bytes around
// the numbers do not match the trailer.
std::optional<FieldPlace> check_edge_trailer(const ByteSource& source);

}  // namespace plaq
