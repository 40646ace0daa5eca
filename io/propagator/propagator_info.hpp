// Description of a propagator file, in any format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "io/bytes/byte_order.hpp"
#include "io/gauge/link_checksum.hpp"

namespace plaq {

enum class PropagatorFormat { scidac, hdf5, milc, fnal };
constexpr std::string_view name_of(PropagatorFormat format) {
  switch (format) {
    case PropagatorFormat::scidac:
      return "SciDAC";
    case PropagatorFormat::hdf5:
      return "HDF5";
    case PropagatorFormat::milc:
      return "MILC v5";
    case PropagatorFormat::fnal:
      return "FNAL";
  }
  return "unknown";
}
// Name on the command line.
constexpr std::string_view short_name(PropagatorFormat format) {
  constexpr std::string_view names[] = {"scidac", "hdf5", "milc", "fnal"};
  return names[static_cast<std::size_t>(format)];
}
/// All formats that can be written.
inline constexpr PropagatorFormat propagator_formats[] = {PropagatorFormat::hdf5, PropagatorFormat::scidac,
                                                          PropagatorFormat::milc, PropagatorFormat::fnal};
constexpr bool is_binary_format(PropagatorFormat format) {  // with a header of MILC's, in single precision
  return format == PropagatorFormat::milc || format == PropagatorFormat::fnal;
}

// Spinors have 12 columns of 12 complex numbers a site, color vectors of staggered quarks 3 of 3.
enum class PropagatorKind { spinors, staggered };

// The numbers of a site, slowest first: one column after the other, [source spin][source color][sink
// spin][sink color], or as QDP++ has them, [sink spin][source spin][sink color][source color].
enum class SiteNumbers { columns, qdp };

// Phases of staggered quarks: eta_mu = (-1)^(the coordinates of the directions before mu in this order). In
// memory they are always xyzt (kernels/dirac/staggered/staggered_hop.hpp); MILC has txyz. A quark field of
// one is that of the other times zeta = (-1)^(t (x+y+z)), and so is its source: column S b of one is zeta
// S (zeta b) of the other.
enum class StaggeredPhases { xyzt, txyz };
constexpr std::string_view name_of(StaggeredPhases phases) {
  return phases == StaggeredPhases::xyzt ? "xyzt" : "txyz";
}

// The spinors of a file: in the DeGrand-Rossi basis, of M = 4 + m - D/2 with projectors 1 - gamma_mu for hops
// forward; as MILC has them, with the other sign of all gamma matrices; or as FNAL files have them
// (io/propagator/spin_basis.hpp). In memory they are always the first.
enum class SpinBasis { degrand_rossi, milc, fnal };
constexpr std::string_view name_of(SpinBasis basis) {
  constexpr std::string_view names[] = {"DeGrand-Rossi", "MILC", "FNAL"};
  return names[static_cast<std::size_t>(basis)];
}
/// The basis that SciDAC and HDF5 files of propagators name.
constexpr std::string_view spin_basis_of_files = name_of(SpinBasis::degrand_rossi);

// Records of a column, in files where each column has records of its own.
struct ColumnRecord {
  std::uint64_t offset = 0;  // of its first number in the file
  std::optional<LinkChecksum> checksum;

  bool operator==(const ColumnRecord&) const = default;
};

struct PropagatorFileInfo {
  std::string path;
  PropagatorFormat format = PropagatorFormat::hdf5;
  PropagatorKind quarks = PropagatorKind::spinors;
  StaggeredPhases phases = StaggeredPhases::xyzt;  // as in the file; of staggered quarks
  SiteNumbers numbers = SiteNumbers::columns;
  SpinBasis basis = SpinBasis::degrand_rossi;  // as in the file; of spinors
  int count = 12;                              // columns: those of a propagator, or 1: a single quark field
  Extents extents{};
  Precision precision = Precision::double_precision;
  ByteOrder order = ByteOrder::little;
  std::uint64_t data_offset = 0, data_bytes = 0;  // of the first column, and of all, where there are such
  // Records of the columns, if they have their own: in USQCD's files (io/propagator/propagator_formats.hpp),
  // MILC's and some of FNAL's.
  std::vector<ColumnRecord> columns;
  ChecksumKind checksum_kind = ChecksumKind::scidac;
  std::optional<LinkChecksum> checksum;  // none: the file does not say; of several columns all, xored
  std::string metadata;                  // the text
  std::vector<std::string> warnings;     // oddities that do not keep the file from being read

  bool operator==(const PropagatorFileInfo&) const = default;
};

// Columns, which are also the components of each; reals of a site; bytes of its record.
constexpr int columns_of(PropagatorKind quarks) { return quarks == PropagatorKind::spinors ? 12 : 3; }
constexpr int propagator_reals(PropagatorKind quarks) { return 2 * columns_of(quarks) * columns_of(quarks); }
constexpr int record_bytes(PropagatorKind quarks, Precision precision) {
  return propagator_reals(quarks) * bytes_of(precision);
}
// Bytes at a site of a field with these columns: all of a propagator, or one.
constexpr int record_bytes(PropagatorKind quarks, Precision precision, int columns) {
  return record_bytes(quarks, precision) / columns_of(quarks) * columns;
}
// Numbers at a site in the files that plaq writes.
constexpr SiteNumbers site_numbers(PropagatorFormat format, PropagatorKind quarks) {
  return format == PropagatorFormat::scidac && quarks == PropagatorKind::spinors ? SiteNumbers::qdp
                                                                                 : SiteNumbers::columns;
}
constexpr int column_bytes(PropagatorKind quarks, Precision precision) {
  return record_bytes(quarks, precision) / columns_of(quarks);
}
// Definition of the numbers of staggered propagators, for the texts of files.
constexpr std::string_view staggered_normalization = "M^-1 b, M = m + D/2; M^-1 = 2 (2 m + D)^-1";

}  // namespace plaq
