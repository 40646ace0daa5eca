// The time stamp in headers of MILC's files: 64 bytes that a null ends.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace plaq {

constexpr std::size_t milc_stamp_bytes = 64;

// Up to the null; characters that could upset a terminal become '?'.
std::string milc_stamp(std::span<const std::byte, milc_stamp_bytes> bytes);
// Why a text cannot be one; nothing where it can.
std::optional<std::string> validate_milc_stamp(const std::string& text);
// Throws Error(output_file) where it cannot.
void put_milc_stamp(std::span<std::byte, milc_stamp_bytes> bytes, const std::string& text);

}  // namespace plaq
