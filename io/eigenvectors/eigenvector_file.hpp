// Eigenvectors on disk: low modes of the even-odd form of a Dirac operator, on the even sites, in the gauge
// of the field, with all that says what they are.
//
// One record scidac-binary-data in LIME, as io/vectors/vector_scidac.hpp and vector_codec.hpp have it; in
// five dimensions a mode is `Ls` vectors, one after the other. What they are stands in scidac-record-xml,
// as JSON in <info> of <Eigenvectors> (io/eigenvectors/eigenvector_scidac.hpp). scidac-checksum protects the
// numbers, header_crc of plaq-info all else. A file that lacks one of them, or does not agree with it, is
// refused. The bytes do not depend on the process grid.
//
// Functions that take a grid are collective and throw the same Error on every rank.
#pragma once

#include <string>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/eigenvectors/eigenvector_info.hpp"

namespace plaq {

// Does the file seem to hold eigenvectors? Serial. Throws Error(input_file) for a file that cannot be read.
bool is_eigenvector_file(const std::string& path);

// Reads the description of the file, not its numbers. Throws Error(input_file).
EigenvectorFileInfo inspect_eigenvector_file(const std::string& path);  // serial
EigenvectorFileInfo read_eigenvector_info(const std::string& path, const ProcessGrid& grid);

// A field for all modes of a file.
FieldSpec eigenvectors_spec(const EigenvectorFileInfo& file, Precision precision, Location location);

// `modes`: fields of modes that hold the even sites, any precision, order and location, without halo; as many
// as info.values. `stored`: half or single precision. Returns the checksum of the numbers. Throws
// Error(output_file), also for numbers that are not finite as they are stored, and what `check` throws.
LinkChecksum write_eigenvectors(const std::string& path, const ProcessGrid& grid, const Field& modes,
                                const EigenvectorInfo& info, Precision stored,
                                const WrittenFileCheck& check = {});

// Reads the even sites; odd ones stay as they are. The even ones are undefined after an error. Throws
// Error(input_file) for anything wrong with the file: what inspect_eigenvector_file finds, another shape than
// that of the field, damage, numbers that are not finite.
EigenvectorFileInfo read_eigenvectors(const std::string& path, const ProcessGrid& grid, Field& modes);

}  // namespace plaq
