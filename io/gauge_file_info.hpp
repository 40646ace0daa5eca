// What a gauge file says about itself, whatever its format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/geometry.hpp"
#include "io/link_format.hpp"

namespace plaq {

enum class GaugeFileFormat { nersc };
constexpr std::string_view name_of(GaugeFileFormat) { return "NERSC"; }

struct HeaderEntry {
  std::string key, value;
  int line = 0;  // 0: not from a file
};

struct GaugeFileInfo {
  std::string path;
  GaugeFileFormat format = GaugeFileFormat::nersc;
  Extents extents{};
  LinkFormat links;
  std::uint64_t data_offset = 0, data_bytes = 0, file_bytes = 0;
  // None: the file does not say.
  std::optional<double> plaquette, link_trace;
  std::optional<std::uint32_t> checksum;
  std::vector<HeaderEntry> entries;   // everything in the header, in its order
  std::vector<std::string> warnings;  // oddities that do not keep the file from being read
};

}  // namespace plaq
