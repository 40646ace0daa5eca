// What a propagator file says about itself, whatever its format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/geometry.hpp"
#include "io/byte_order.hpp"
#include "io/link_checksum.hpp"

namespace plaq {

enum class PropagatorFormat { scidac, hdf5 };
constexpr std::string_view name_of(PropagatorFormat format) {
  return format == PropagatorFormat::scidac ? "SciDAC" : "HDF5";
}

struct PropagatorFileInfo {
  std::string path;
  PropagatorFormat format = PropagatorFormat::hdf5;
  Extents extents{};
  Precision precision = Precision::double_precision;
  ByteOrder order = ByteOrder::little;
  std::uint64_t data_offset = 0, data_bytes = 0;
  std::optional<LinkChecksum> checksum;  // none: the file does not say
  std::string metadata;                  // the text
  std::vector<std::string> warnings;     // oddities that do not keep the file from being read

  bool operator==(const PropagatorFileInfo&) const = default;
};

constexpr int propagator_reals = 288;  // of a site
constexpr int propagator_slots = 12;
constexpr int record_bytes(Precision precision) { return propagator_reals * bytes_of(precision); }

}  // namespace plaq
