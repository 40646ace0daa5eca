// The bytes around the numbers of propagator files (io/propagator/propagator_file.hpp). Serial.
#pragma once

#include <string>
#include <vector>

#include "io/bytes/byte_source.hpp"
#include "io/gauge/gauge_format.hpp"
#include "io/propagator/propagator_info.hpp"

namespace plaq {

// Contents of the bytes around the numbers.
struct PropagatorFrame {
  Extents extents{};
  PropagatorKind quarks = PropagatorKind::spinors;
  Precision precision = Precision::double_precision;
  std::string metadata;
  StaggeredPhases phases = StaggeredPhases::xyzt;
  int columns = 0;                   // 0: all of a propagator
  ByteOrder order = ByteOrder::big;  // of the binary formats
  int count() const { return columns > 0 ? columns : columns_of(quarks); }
};

// Throws Error(input_file) when it is more than any file can hold.
std::uint64_t propagator_bytes(const std::string& name, const Extents& extents, PropagatorKind quarks,
                               Precision precision, int columns);

// True if the file seems to hold a propagator. False for files that are damaged beyond saying.
bool is_scidac_propagator(const ByteSource& source);
bool is_hdf5_propagator(const ByteSource& source);

PropagatorFileInfo inspect_scidac_propagator(const ByteSource& source);
// The sizes do not depend on the checksum. Throws Error(output_file) for texts that could not be read back.
GaugeFileFrame frame_scidac_propagator(const PropagatorFrame& frame, const LinkChecksum& checksum);

// True if the file is one of MILC or FNAL (io/propagator/propagator_binary.cpp).
bool is_binary_propagator(const ByteSource& source);
PropagatorFileInfo inspect_binary_propagator(const ByteSource& source);
// Sizes and places of a file to be written, and the bytes around its columns.
class BinaryPropagatorLayout {
 public:
  // Throws Error(output_file) for a text that is not one line of at most 63 bytes.
  BinaryPropagatorLayout(const std::string& path, PropagatorFormat format, const PropagatorFrame& frame);

  std::size_t columns() const { return offsets_.size(); }  // that have records of their own
  std::uint64_t data_offset(std::size_t column) const { return offsets_.at(column); }
  std::uint64_t file_bytes() const { return file_bytes_; }
  std::string head() const;
  // Bytes before the records of a column.
  std::string check(std::size_t column, const LinkChecksum& checksum) const;

 private:
  PropagatorFormat format_;
  PropagatorFrame frame_;
  std::vector<std::uint64_t> offsets_;
  std::uint64_t file_bytes_ = 0;
};

PropagatorFileInfo inspect_hdf5_propagator(const std::string& path);
// Fills the file `name` with everything but the numbers and the checksum. Messages call it `shown_path`.
struct Hdf5Place {
  std::uint64_t data_offset = 0, file_bytes = 0;
};
// About how many bytes such a file has beside the numbers.
std::size_t about_hdf5_propagator_bytes(const PropagatorFrame& frame);
Hdf5Place create_hdf5_propagator(const std::string& name, const std::string& shown_path,
                                 const PropagatorFrame& frame);
void set_hdf5_checksum(const std::string& name, const std::string& shown_path, const LinkChecksum& checksum);

// Staggered propagators in LIME files of USQCD, as QIO and MILC write them (qioxml_usqcdksprop.h of QIO;
// generic_ks/io_scidac_ks.c of MILC): scidac-file-xml is <usqcdKSPropFile>, and then come several fields,
// each a message of private record, user record, binary data and checksum. Those whose scidac-record-xml is
// <usqcdKSPropInfo> are the columns, a color vector a site of typesize 24 or 48, <color> saying that of the
// source. Sources (<usqcdSourceInfo>), which may stand before them, are passed over. Serial, for reading
// alone.
//
// True if the file seems to be one; false for files that are damaged beyond saying.
bool is_usqcd_propagator(const ByteSource& source);
// Throws Error(input_file) unless there are three columns over the whole lattice, of one precision.
PropagatorFileInfo inspect_usqcd_propagator(const ByteSource& source);

}  // namespace plaq
