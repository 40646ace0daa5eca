// Multigrid setups on disk. A file keeps the near-null vectors of level 0 on the even sites, in the gauge of
// the field, and their description. The rest of a setup is made again from them.
//
// One record scidac-binary-data in LIME (io/lime/scidac_field.hpp), on a lattice of half the extent in x: the
// even site (x, y, z, t) is at x/2. At a site one vector after the other, of domain walls one slice after the
// other, big-endian, [spin][color][re, im]:
//   single  24 floats
//   half    a float, the largest magnitude m of the vector (slice) at this site, then 24 integers n of 16
//           bits, which stand for n m / 32767
// Half precision that is read and written again is the same bytes; single precision is exact. The bytes do
// not depend on the process grid.
// Their description stands in scidac-record-xml, as JSON in <info> of <MultigridSetup>
// (io/multigrid/multigrid_scidac.hpp). scidac-checksum protects the numbers, header_crc of plaq-info all
// else. A file that lacks one of them, or does not agree with it, is refused.
//
// Functions that take a grid are collective and throw the same Error on every rank.
#pragma once

#include <string>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/multigrid/multigrid_info.hpp"

namespace plaq {

// Does the file seem to hold a multigrid setup? Serial. Throws
// Error(input_file) for a file that cannot be read.
bool is_multigrid_file(const std::string& path);

// Reads the description of the file, not its numbers. Throws Error(input_file) if it is no such file, was
// made by a newer plaq, is cut off, or is damaged around the numbers.
MultigridFileInfo inspect_multigrid_file(const std::string& path);  // serial
MultigridFileInfo read_multigrid_info(const std::string& path, const ProcessGrid& grid);

// Fields that the two functions below take without a copy. They take any spinors that hold the even sites: of
// any precision, order and location, without halo.
FieldSpec near_null_vectors_spec(int vectors, Precision precision, int Ls = 1);

// Writes the even sites. `stored`: half or single precision. The file appears under its name when it is
// complete and on disk: a kill at any moment leaves an older one or this one. Returns the checksum of the
// numbers. Throws Error(output_file), also for numbers that are not finite as they are
// stored, and what `check` throws.
LinkChecksum write_near_null_vectors(const std::string& path, const ProcessGrid& grid, const Field& vectors,
                                     const MultigridSetupInfo& setup,
                                     Precision stored = Precision::half_precision,
                                     const WrittenFileCheck& check = {});

// Reads the even sites; odd ones stay as they are. The even ones are undefined after an error. Throws
// Error(input_file) for anything wrong with the file: what inspect_multigrid_file finds, another lattice or
// number of vectors than that of the field, damage, numbers that are not finite.
MultigridFileInfo read_near_null_vectors(const std::string& path, const ProcessGrid& grid, Field& vectors);

}  // namespace plaq
