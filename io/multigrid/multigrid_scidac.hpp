// The bytes around the near-null vectors of a multigrid setup, and the text of a file about it
// (io/multigrid/multigrid_file.hpp). Serial.
#pragma once

#include <string>
#include <string_view>

#include "io/bytes/byte_source.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/lime/scidac_xml.hpp"
#include "io/multigrid/multigrid_info.hpp"
#include "io/vectors/vector_codec.hpp"
#include "io/vectors/vector_scidac.hpp"

namespace plaq {

// Bytes of a vector at a site.
constexpr int near_null_bytes(Precision stored) { return vector_bytes(stored, 24); }

inline constexpr VectorKind near_null_kind{"the near-null vectors of a multigrid setup", "near-null vectors",
                                           "near-null vector", "_NearNullVector"};
VectorShape shape_of(const MultigridFileInfo& info);

// True if a LIME file has a multigrid setup; false for files that are too damaged to tell.
bool is_scidac_multigrid(const ByteSource& source);
// Throws Error(input_file).
MultigridFileInfo inspect_scidac_multigrid(const ByteSource& source);
// The numbers of a file, which are of half the sites.
std::uint64_t near_null_vectors_bytes(const MultigridFileInfo& info);
// The sizes do not depend on the checksum. Throws Error(output_file) for texts that could not be read back.
GaugeFileFrame frame_scidac_multigrid(const MultigridFileInfo& info, const LinkChecksum& checksum);

// The text of a file about its setup: JSON, a line for each key. Numbers come back as they were, to the bit.
std::string to_text(const MultigridFileInfo& info);
// Path, checksum and place of the numbers are not in the text. Throws Error(input_file), beginning with
// `place`, for a text that is none of these: it names the key. `version` is that of the text.
MultigridFileInfo multigrid_info_from_text(std::string_view text, const std::string& place,
                                           std::string_view version = multigrid_text.version);

}  // namespace plaq
