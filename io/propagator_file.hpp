// Propagators on disk. In memory: a spinor field on the host without halo, full lattice, 12 slots; slot
// 3 * spin + color is the column of that spin and color of the source, S(x) b with b its unit vector, in the
// DeGrand-Rossi basis, lattice units, normalised as the solver left it. Every site of the lattice is a record
// of 288 numbers, x fastest, then y, z, t.
//
// SciDAC: one record scidac-binary-data in LIME (io/lime.hpp) as QDP++ (and Chroma) write a
// LatticePropagator:
//   big-endian; [sink spin][source spin][sink color][source color][re, im]; data type "Lattice", typesize
//   1152 or 2304, datacount 1, colors 3, spins 4. The text is <info> of <Propagator> in scidac-record-xml.
//   (QDP++: PSpinMatrix<PColorMatrix<RComplex>>, rows are the sink; QIOStringTraits.)
// HDF5: a contiguous dataset /propagator of float32 or float64, little-endian when plaq writes it,
//   [t][z][y][x][source spin][source color][sink spin][sink color][re, im], with attributes axes, units,
//   spin_basis (DeGrand-Rossi), job (the text), and checksum: two uint32, suma and sumb. Behind the HDF5
//   bytes a seal of all that is not numbers (io/file_seal.hpp).
//
// suma and sumb are QIO's, over the sites' records as the file has them (io/link_checksum.hpp).
// Every function that takes a grid is collective and throws the same Error on every rank.
#pragma once

#include <string>

#include "comms/process_grid.hpp"
#include "core/field.hpp"
#include "io/propagator_info.hpp"
#include "io/written_file.hpp"

namespace plaq {

// Does the file seem to hold a propagator, whole or damaged? Serial. Throws Error(input_file) for a file that
// cannot be read.
bool is_propagator(const std::string& path);

// What the file says about itself; its numbers are not looked at. Serial. Throws Error(input_file).
PropagatorFileInfo inspect_propagator(const std::string& path);

struct PropagatorWriteOptions {
  PropagatorFormat format = PropagatorFormat::hdf5;
  Precision precision = Precision::double_precision;
  std::string metadata;  // text in UTF-8
};

// Writes beside `path` and renames at the end. The bytes do not depend on the grid. Returns the checksum.
// Throws Error(output_file), also for numbers that are not finite in the file's precision, and what `check`
// throws.
LinkChecksum write_propagator(const std::string& path, const ProcessGrid& grid, const Field& propagator,
                              const PropagatorWriteOptions& options, const WrittenFileCheck& check = {});

struct PropagatorReadReport {
  PropagatorFileInfo info;
  LinkChecksum checksum;  // of the numbers as found
};

// The contents of `propagator` are undefined after an error. Throws Error(input_file) for anything wrong
// with the file: damage, numbers that are not finite, another lattice. Warnings are logged.
PropagatorReadReport read_propagator(const std::string& path, const ProcessGrid& grid, Field& propagator);

}  // namespace plaq
