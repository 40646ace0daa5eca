// The bytes that links and other fields take in a file, against those that are there.
#pragma once

#include <cstdint>
#include <string>

#include "io/bytes/byte_source.hpp"
#include "io/gauge/gauge_file_info.hpp"

namespace plaq {

constexpr int largest_extent = 1 << 16;  // in any gauge file

// Throws Error(input_file) when it is more than any file can hold.
std::uint64_t lattice_bytes(const std::string& name, const Extents& extents, int site_bytes);
std::uint64_t links_bytes(const std::string& name, const Extents& extents, const LinkFormat& links);

// For files that end with the links. Throws Error(input_file) unless the file ends there; one newline more
// is tolerated where a format's writers leave one.
void check_links_size(const ByteSource& source, const GaugeFileInfo& info, bool newline_tolerated = false);

}  // namespace plaq
