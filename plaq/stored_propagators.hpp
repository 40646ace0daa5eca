// Propagators and quark fields in files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plaq/spinor_field.hpp"

namespace plaq {

/// Settings of read_propagator(). They complete what the file does not say, and must not contradict it.
struct ReadPropagatorSettings {
  std::optional<Extents> source = {};  ///< site of the source
  std::optional<int> time_boundary =
      {};  ///< sign of the quarks around the lattice in time, 1 or -1; 0: Dirichlet
  /// Checksums of numbers whose file states another one; one for each column that has its own.
  std::vector<std::string> accept_checksums = {};
};

/// Reads a propagator from a file of any known format (HDF5, SciDAC, USQCD, MILC, FNAL), recognised by its
/// bytes, in double precision. Spinors become those of the DeGrand-Rossi basis, and phases of staggered
/// quarks those of plaq. The note of the propagator is what the file says. Throws Error(input_file) if
/// anything is wrong with the file, or if it holds a single quark field.
Propagator read_propagator(const std::string& path, const Lattice& lattice,
                           const ReadPropagatorSettings& settings = {});
/// Reads a propagator as above, or a single quark field, which is a column.
SpinorField read_quarks(const std::string& path, const Lattice& lattice,
                        const ReadPropagatorSettings& settings = {});

/// Settings of write_propagator().
struct WritePropagatorSettings {
  std::string format = "hdf5";  ///< "hdf5", "scidac", "milc", "fnal"; the last two in single precision
  Precision precision = Precision::double_precision;  ///< of the numbers in the file
  std::string metadata = {};                          ///< a text of your own, in UTF-8
  bool overwrite = false;                             ///< replaces an older file, whole or not at all
};
/// Writes the 12 or 3 columns of a propagator, or a single quark field, which only "scidac" holds. Files of
/// "hdf5" and "scidac" also keep the note behind the metadata. Returns the checksum. The bytes do not depend
/// on the process grid. Throws Error(usage) if the format has no such fields, and Error(output_file).
std::string write_propagator(const SpinorField& quarks, const std::string& path,
                             const WritePropagatorSettings& settings = {});

}  // namespace plaq
