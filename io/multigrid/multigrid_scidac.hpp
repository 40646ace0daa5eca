// The bytes around the near-null vectors of a multigrid setup (io/multigrid/multigrid_file.hpp). Serial.
#pragma once

#include "io/bytes/byte_source.hpp"
#include "io/gauge/gauge_format.hpp"
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

}  // namespace plaq
