// Gauge transformations on disk, to be applied later: U_mu(x) -> g(x) U_mu(x) g(x+mu)^dagger. In memory: g(x)
// as of gauge_frame_spec (kernels/gauge/temporal_gauge.hpp) in double on the host, without halo: 3x3, both
// parities, one subfield.
//
// One record scidac-binary-data in LIME (io/lime/scidac_field.hpp): big-endian, x fastest, then y, z, t; 3x3,
// row-major, real before imaginary; precision D or F, colors 3, spins 4, typesize 144 or 72, datacount 1.
// scidac-checksum: suma and sumb over the sites' matrices. The entries are lines KEY = VALUE in <info> of
// <GaugeTransformation> in scidac-record-xml.
//   Data type: QDP_D3_ColorMatrix or QDP_F3_ColorMatrix, as QDP (the C library, QDP_write_M) names one color
//   matrix and wants it named. QDP++ names it "Lattice" (QIOStringTraits<OLattice<T>>, qdp_qdpio.h; the other
//   name is that of multi1d<LatticeColorMatrix>), and reads either, since it looks at the precision alone.
//   plaq reads both. Both write Ns = 4 as spins, whatever the field.
//
// Functions that take a grid are collective and throw the same Error on every rank.
#pragma once

#include <string>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/transformation/transformation_info.hpp"

namespace plaq {

// Does the file seem to hold a gauge transformation, whole or damaged? Serial. Throws Error(input_file) for a
// file that cannot be read.
bool is_transformation(const std::string& path);

// Reads the description of the file, not its matrices. Serial. Throws Error(input_file).
TransformationFileInfo inspect_transformation(const std::string& path);

struct TransformationWriteOptions {
  Precision precision = Precision::double_precision;
  std::vector<HeaderEntry> entries;  // each one line: GAUGE_FIXED = Landau
};

// Writes beside `path` and renames at the end. The bytes do not depend on the grid. Returns the checksum.
// Throws Error(output_file), also for matrices that are not SU(3), and what `check` throws.
LinkChecksum write_transformation(const std::string& path, const ProcessGrid& grid, const Field& g,
                                  const TransformationWriteOptions& options,
                                  const WrittenFileCheck& check = {});

struct TransformationReadReport {
  TransformationFileInfo info;
  LinkChecksum checksum;           // of the matrices as found
  double unitarity_violation = 0;  // largest |g g^dagger - 1| and |det g - 1| of any component
};

// The contents of `g` are undefined after an error. Throws Error(input_file) for anything wrong with the
// file: damage, matrices that are not SU(3) within 1e-5, another lattice. Warnings are logged.
TransformationReadReport read_transformation(const std::string& path, const ProcessGrid& grid, Field& g);

// The bytes around the matrices of a gauge transformation. Serial. True if a LIME file has one;
// false for files that are too damaged to tell.
bool is_scidac_transformation(const ByteSource& source);
// Throws Error(input_file).
TransformationFileInfo inspect_scidac_transformation(const ByteSource& source);
// The sizes do not depend on the checksum. Throws Error(output_file) for entries that could not be read back.
GaugeFileFrame frame_scidac_transformation(const Extents& extents, Precision precision,
                                           const std::vector<HeaderEntry>& entries,
                                           const LinkChecksum& checksum);

}  // namespace plaq
