// Description of a file of a gauge transformation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/system/location.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/link_checksum.hpp"
#include "io/gauge/link_format.hpp"

namespace plaq {

struct TransformationFileInfo {
  std::string path;
  Extents extents{};
  Precision precision = Precision::double_precision;
  std::uint64_t data_offset = 0, data_bytes = 0;
  std::optional<LinkChecksum> checksum;  // none: the file does not say
  // The lines KEY = VALUE of plaq's files; of another program's the text of scidac-record-xml as it is.
  std::vector<HeaderEntry> entries;
  std::vector<std::string> warnings;  // oddities that do not keep the file from being read
};

// Format of the matrices in a file.
constexpr LinkFormat transformation_matrices(Precision precision) {
  return {3, precision, ByteOrder::big, LinkOrder::sites, 1};
}

// The description of a file as bytes, for ranks that do not touch the file.
std::string to_text(const TransformationFileInfo& info);
TransformationFileInfo transformation_info_from_text(const std::string& text);

}  // namespace plaq
