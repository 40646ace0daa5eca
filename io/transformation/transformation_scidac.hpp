// The bytes around the matrices of a gauge transformation
// (io/transformation/transformation_file.hpp). Serial.
#pragma once

#include "io/bytes/byte_source.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/transformation/transformation_info.hpp"

namespace plaq {

// True if a LIME file has a gauge transformation; false for files that are too damaged to tell.
bool is_scidac_transformation(const ByteSource& source);
// Throws Error(input_file).
TransformationFileInfo inspect_scidac_transformation(const ByteSource& source);
// The sizes do not depend on the checksum. Throws Error(output_file) for entries that could not be read back.
GaugeFileFrame frame_scidac_transformation(const Extents& extents, Precision precision,
                                           const std::vector<HeaderEntry>& entries,
                                           const LinkChecksum& checksum);

}  // namespace plaq
