// Propagators on disk. In memory: a field on the host without halo, full lattice, a subfield for each column,
// normalised as the solver left it, lattice units; every site of the lattice is a record, x fastest, then y,
// z, t. Spinors: 12 subfields, subfield 3 * spin + color being the column of that spin and color of the
// source, S(x) b with b its unit vector, in the DeGrand-Rossi basis; records of 288 numbers. Staggered
// quarks: color vectors, 3 subfields, a color of the source each; 18 numbers.
//
// SciDAC: one record scidac-binary-data in LIME (io/lime/lime.hpp), big-endian.
//   Spinors as QDP++ (and Chroma) write a LatticePropagator: [sink spin][source spin][sink color][source
//   color][re, im]; data type "Lattice", typesize 1152 or 2304, datacount 1, colors 3, spins 4. The text is
//   <info> of <Propagator> in scidac-record-xml. (QDP++: PSpinMatrix<PColorMatrix<RComplex>>, rows are the
//   sink; QIOStringTraits.)
//   Color vectors as MILC writes several a site: data type "USQCD_F3_ColorVector" or "USQCD_D3_ColorVector",
//   typesize 24 or 48, datacount 3, colors 3: [source color][sink color][re, im]. The text is <info> of
//   <usqcdKSPropInfo>, which has <phase_order> and <normalization> beside what USQCD's has.
//   A record for each color, as in USQCD's KS propagator files, is read alone
//   (io/propagator/propagator_formats.hpp).
// HDF5: a contiguous dataset /propagator of float32 or float64, little-endian when plaq writes it,
//   [t][z][y][x][source spin][source color][sink spin][sink color][re, im], without spins for staggered
//   quarks, with attributes axes, units, job (the text), and checksum: two uint32, suma and sumb; spin_basis
//   (DeGrand-Rossi), or staggered_phases (xyzt or txyz) and normalization. Behind the HDF5 bytes a trailer of
//   all that is not numbers (io/bytes/checksum_trailer.hpp).
//
// MILC, FNAL: binary files in single precision (io/propagator/propagator_binary.cpp).
// Spinors have other signs or another
//   basis there (io/propagator/spin_basis.hpp), phases are txyz. MILC: the text is the time
//     stamp, sums are sum29 and sum31
//   of each column. FNAL: no text and no sums.
// A single quark field, instead of the columns of a propagator, is a SciDAC file
// of one "USQCD_F3_DiracFermion" or
//   "USQCD_F3_ColorVector" (or D3) a site; a field of one subfield in memory.
//     It may be a column, or a source.
//
// suma and sumb are QIO's, over the sites' records as the file has them (io/gauge/link_checksum.hpp).
// Every function that takes a grid is collective and throws the same Error on every rank.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/propagator/propagator_info.hpp"

namespace plaq {

PropagatorKind quarks_of(const Field& propagator);
// On the host.
FieldSpec propagator_spec(PropagatorKind quarks, Precision precision);
FieldSpec propagator_spec(PropagatorKind quarks, Precision precision, int columns);

// Does the file seem to hold a propagator, whole or damaged? Serial. Throws Error(input_file) for a file that
// cannot be read.
bool is_propagator(const std::string& path);

// Reads the description of the file, not its numbers. Serial. Throws Error(input_file).
PropagatorFileInfo inspect_propagator(const std::string& path);

struct PropagatorWriteOptions {
  PropagatorFormat format = PropagatorFormat::hdf5;
  Precision precision = Precision::double_precision;
  std::string metadata;                            // text in UTF-8
  StaggeredPhases phases = StaggeredPhases::xyzt;  // in the file; of staggered quarks. MILC, FNAL: txyz
  ByteOrder order = ByteOrder::big;                // MILC, FNAL
};

// Why a field like this cannot be written so; nothing where it can.
std::optional<std::string> refuse_to_write(PropagatorKind quarks, int columns,
                                           const PropagatorWriteOptions& options);

// The kind of quarks is that of the field, which has all columns or one. Writes beside `path` and renames at
// the end. The bytes do not depend on the grid. Returns the checksum. Throws Error(output_file), also for
// numbers that are not finite in the file's precision, and what `check` throws.
LinkChecksum write_propagator(const std::string& path, const ProcessGrid& grid, const Field& propagator,
                              const PropagatorWriteOptions& options, const WrittenFileCheck& check = {});

struct PropagatorReadOptions {
  // Checksums to accept, like GaugeReadOptions; if columns have checksums of their own, one for each that
  // differs.
  std::vector<std::string> accept_checksums = {};
};

struct PropagatorReadReport {
  PropagatorFileInfo info;
  LinkChecksum checksum;        // of the numbers as found
  bool stale_checksum = false;  // the file states another one, and this was accepted
};

// The phases of staggered quarks become xyzt. The contents of `propagator` are undefined after an error.
// Throws Error(input_file) for anything wrong with the file: damage, numbers that are not finite, another
// lattice, kind of quarks or number of columns. Warnings are logged.
PropagatorReadReport read_propagator(const std::string& path, const ProcessGrid& grid, Field& propagator,
                                     const PropagatorReadOptions& options = {});

}  // namespace plaq
