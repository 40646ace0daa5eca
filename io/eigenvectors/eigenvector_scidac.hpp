// The bytes around eigenvectors, and the text of a file about them (io/eigenvectors/eigenvector_file.hpp).
// Serial.
#pragma once

#include <string>
#include <string_view>

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

// The text of a file about its eigenvectors: JSON, a line for each key. Numbers come back as they were, to
// the bit.
std::string to_text(const EigenvectorFileInfo& info);
// Path, checksum and place of the numbers are not in the text. Throws Error(input_file), beginning with
// `place`, for a text that is none of these: it names the key.
EigenvectorFileInfo eigenvector_info_from_text(std::string_view text, const std::string& place);

}  // namespace plaq
