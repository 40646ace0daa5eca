#include "io/bytes/checksum_trailer.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/system/error.hpp"
#include "io/bytes/byte_order.hpp"

namespace plaq {
namespace {

constexpr std::string_view magic = "plaqSEAL", edge_magic = "plaqEDGE";

std::uint32_t crc_of(std::uint32_t before, std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

[[noreturn]] void refuse(const ByteSource& source, const std::string& what) {
  throw Error(ErrorKind::input_file, fmt::format("{}: {}", source.name(), what));
}

// The last bytes, if they begin as a trailer.
template <std::size_t size>
std::optional<std::array<std::byte, size>> trailer_at_end(const ByteSource& source, std::string_view begin) {
  std::array<std::byte, size> stored{};
  if (source.size() < size || source.read(source.size() - size, stored) < size ||
      std::memcmp(stored.data(), begin.data(), begin.size()) != 0)
    return std::nullopt;
  return stored;
}

void check_size_and_crc(const ByteSource& source, std::uint64_t covered, std::uint64_t found,
                        std::uint32_t expected_crc, auto&& crc) {
  if (covered != found)
    refuse(source, fmt::format("the file is damaged: its checksum trailer is for {} bytes, found {}", covered,
                               found));
  if (const std::uint32_t found_crc = crc(); found_crc != expected_crc)
    refuse(source,
           fmt::format("the file is damaged: expected CRC-32 {:08x}, found {:08x}", expected_crc, found_crc));
}

std::uint32_t crc_around(const ByteSource& source, std::uint64_t bytes, const FieldPlace& field,
                         std::span<const std::byte> numbers_of_trailer) {
  if (field.offset > bytes || field.bytes > bytes - field.offset)
    refuse(source, fmt::format("the file is damaged: its checksum trailer says {} bytes of numbers from byte "
                               "{} on, of {} in all",
                               field.bytes, field.offset, bytes));
  const std::uint32_t before = crc_of_range(0, source, 0, field.offset);
  return crc_of(crc_of_range(before, source, field.offset + field.bytes, bytes), numbers_of_trailer);
}

}  // namespace

std::array<std::byte, trailer_bytes> make_trailer(std::span<const std::byte> bytes) {
  std::array<std::byte, trailer_bytes> trailer{};
  std::memcpy(trailer.data(), magic.data(), magic.size());
  store(trailer.data() + 8, ByteOrder::little, static_cast<std::uint64_t>(bytes.size()));
  store(trailer.data() + 16, ByteOrder::little, crc_of(0, bytes));
  return trailer;
}

bool has_trailer(const ByteSource& source) {
  return trailer_at_end<trailer_bytes>(source, magic).has_value();
}

ChecksumTrailer check_trailer(const ByteSource& source) {
  const auto stored = trailer_at_end<trailer_bytes>(source, magic);
  if (!stored)
    refuse(source,
           "this HDF5 file does not end with the checksum trailer of plaq's result files: plaq did not write "
           "it, or "
           "it is not "
           "whole; of other programs plaq reads propagators in HDF5 whose dataset /propagator is contiguous");
  const std::uint64_t size = source.size() - trailer_bytes;
  const ChecksumTrailer trailer{load<std::uint64_t>(stored->data() + 8, ByteOrder::little),
                                load<std::uint32_t>(stored->data() + 16, ByteOrder::little)};
  check_size_and_crc(source, trailer.bytes, size, trailer.crc,
                     [&] { return crc_of_range(0, source, 0, size); });
  return trailer;
}

std::array<std::byte, edge_trailer_bytes> make_edge_trailer(const ByteSource& source, std::uint64_t bytes,
                                                            const FieldPlace& field) {
  std::array<std::byte, edge_trailer_bytes> trailer{};
  std::memcpy(trailer.data(), edge_magic.data(), edge_magic.size());
  store(trailer.data() + 8, ByteOrder::little, bytes);
  store(trailer.data() + 16, ByteOrder::little, field.offset);
  store(trailer.data() + 24, ByteOrder::little, field.bytes);
  store(trailer.data() + 32, ByteOrder::little,
        crc_around(source, bytes, field, std::span(trailer).subspan(8, 24)));
  return trailer;
}

bool has_edge_trailer(const ByteSource& source) {
  return trailer_at_end<edge_trailer_bytes>(source, edge_magic).has_value();
}

std::optional<FieldPlace> check_edge_trailer(const ByteSource& source) {
  const auto stored = trailer_at_end<edge_trailer_bytes>(source, edge_magic);
  if (!stored) return std::nullopt;
  const auto number = [&](std::size_t at) {
    return load<std::uint64_t>(stored->data() + at, ByteOrder::little);
  };
  const FieldPlace field{number(16), number(24)};
  const std::uint64_t size = source.size() - edge_trailer_bytes;
  check_size_and_crc(source, number(8), size, load<std::uint32_t>(stored->data() + 32, ByteOrder::little),
                     [&] { return crc_around(source, size, field, std::span(*stored).subspan(8, 24)); });
  return field;
}

}  // namespace plaq
