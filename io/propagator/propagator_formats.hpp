// The bytes around the numbers of propagator files (io/propagator/propagator_file.hpp). Serial.
#pragma once

#include <string>

#include "io/bytes/byte_source.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/propagator/propagator_info.hpp"

namespace plaq {

// What the bytes around the numbers say.
struct PropagatorFrame {
  Extents extents{};
  PropagatorKind quarks = PropagatorKind::spinors;
  Precision precision = Precision::double_precision;
  std::string metadata;
  StaggeredPhases phases = StaggeredPhases::xyzt;
};

// Throws Error(input_file) when it is more than any file can hold.
std::uint64_t propagator_bytes(const std::string& name, const Extents& extents, PropagatorKind quarks,
                               Precision precision);

// Whether the file seems to hold a propagator. False for files that are damaged beyond saying.
bool is_scidac_propagator(const ByteSource& source);
bool is_hdf5_propagator(const ByteSource& source);

PropagatorFileInfo inspect_scidac_propagator(const ByteSource& source);
// The sizes do not depend on the checksum. Throws Error(output_file) for texts that could not be read back.
GaugeFileFrame frame_scidac_propagator(const PropagatorFrame& frame, const LinkChecksum& checksum);

PropagatorFileInfo inspect_hdf5_propagator(const std::string& path);
// Fills the file `name` with everything but the numbers and the checksum. Messages call it `shown_path`.
struct Hdf5Place {
  std::uint64_t data_offset = 0, file_bytes = 0;
};
// About how many bytes such a file has beside the numbers.
std::size_t about_hdf5_propagator_bytes(const PropagatorFrame& frame);
Hdf5Place create_hdf5_propagator(const std::string& name, const std::string& shown_path,
                                 const PropagatorFrame& frame);
void set_hdf5_checksum(const std::string& name, const std::string& shown_path, const LinkChecksum& checksum);

}  // namespace plaq
