// The bytes around eigenvectors (io/eigenvectors/eigenvector_file.hpp). Serial.
#pragma once

#include "io/bytes/byte_source.hpp"
#include "io/eigenvectors/eigenvector_info.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/vectors/vector_scidac.hpp"

namespace plaq {

inline constexpr VectorKind eigenvector_kind{"eigenvectors of a Dirac operator", "eigenvectors",
                                             "eigenvector", "_Eigenvector"};
VectorShape shape_of(const EigenvectorFileInfo& info);

// True if a LIME file has eigenvectors; false for files that are too damaged to tell.
bool is_scidac_eigenvectors(const ByteSource& source);
// Throws Error(input_file).
EigenvectorFileInfo inspect_scidac_eigenvectors(const ByteSource& source);
// The sizes do not depend on the checksum. Throws Error(output_file) for texts that could not be read back.
GaugeFileFrame frame_scidac_eigenvectors(const EigenvectorFileInfo& info, const LinkChecksum& checksum);

}  // namespace plaq
