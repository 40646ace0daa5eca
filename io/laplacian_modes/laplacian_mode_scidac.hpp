// The bytes around modes of the Laplacian, and the text of a file about them
// (io/laplacian_modes/laplacian_mode_file.hpp). Serial.
#pragma once

#include <string>
#include <string_view>

#include "io/bytes/byte_source.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/laplacian_modes/laplacian_mode_info.hpp"
#include "io/vectors/vector_scidac.hpp"

namespace plaq {

inline constexpr VectorKind laplacian_mode_kind{"modes of the Laplacian in space", "modes of the Laplacian",
                                                "half of a mode of the Laplacian", "_LaplacianMode"};
VectorShape shape_of(const LaplacianModeFileInfo& info);

// True if a LIME file has such modes; false for files that are too damaged to tell.
bool is_scidac_laplacian_modes(const ByteSource& source);
// Throws Error(input_file).
LaplacianModeFileInfo inspect_scidac_laplacian_modes(const ByteSource& source);
// The sizes do not depend on the checksum. Throws Error(output_file) for texts that could not be read back.
GaugeFileFrame frame_scidac_laplacian_modes(const LaplacianModeFileInfo& info, const LinkChecksum& checksum);

// The text of a file about its modes: JSON, a line for each key. Numbers come back as they were, to the bit.
std::string to_text(const LaplacianModeFileInfo& info);
// Path, checksum and place of the numbers are not in the text. Throws Error(input_file), beginning with
// `place`, for a text that is none of these: it names the key.
LaplacianModeFileInfo laplacian_mode_info_from_text(std::string_view text, const std::string& place);

}  // namespace plaq
