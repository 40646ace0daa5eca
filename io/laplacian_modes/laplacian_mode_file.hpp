// Modes of the Laplacian in space on disk, those of all time slices, in the gauge of the field, with all that
// says what they are.
//
// One record scidac-binary-data in LIME, as io/vectors/vector_scidac.hpp and vector_codec.hpp have it: of
// color vectors on a lattice of half the extent in x. Vectors 2 i and 2 i + 1 at (x/2, y, z, t) are mode i of
// slice t at the even and at the odd site of the pair 2 (x/2), 2 (x/2) + 1. A description stands in
// scidac-record-xml, as JSON in <info> of <LaplacianModes> (io/laplacian_modes/laplacian_mode_scidac.hpp).
// scidac-checksum protects the numbers, header_crc of plaq-info all else. A file that lacks one of them, or
// does not agree with it, is refused. The bytes do not depend on the process grid.
//
// Modes in memory are color vectors of a spinor field on both parities: mode 4 i + s is spin s of subfield i.
// Functions that take a grid are collective and throw the same Error on every rank.
#pragma once

#include <string>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/laplacian_modes/laplacian_mode_info.hpp"

namespace plaq {

// Does the file seem to hold modes of the Laplacian? Serial. Throws Error(input_file) for a file that cannot
// be read.
bool is_laplacian_mode_file(const std::string& path);

// Reads the description of the file, not its numbers. Throws Error(input_file).
LaplacianModeFileInfo inspect_laplacian_mode_file(const std::string& path);  // serial
LaplacianModeFileInfo read_laplacian_mode_info(const std::string& path, const ProcessGrid& grid);

// A field for so many modes of each slice.
FieldSpec laplacian_modes_spec(int modes, Precision precision, Location location);

// `modes`: a field of that spec, without halo; as many modes as info.values has for each slice. `stored`:
// half or single precision. Returns the checksum of the numbers. Throws Error(output_file), also for numbers
// that are not finite as they are stored, and what `check` throws.
LinkChecksum write_laplacian_modes(const std::string& path, const ProcessGrid& grid, const Field& modes,
                                   const LaplacianModeInfo& info, Precision stored,
                                   const WrittenFileCheck& check = {});

// Color vectors beyond the modes of the file become 0. Throws Error(input_file) for anything wrong with the
// file: what inspect_laplacian_mode_file finds, another lattice or number of modes than those of the field,
// damage, numbers that are not finite. The field is undefined afterwards.
LaplacianModeFileInfo read_laplacian_modes(const std::string& path, const ProcessGrid& grid, Field& modes);

}  // namespace plaq
