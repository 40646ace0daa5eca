// Gauge fields in files of any format that this version reads, recognised from their bytes.
//
// Every function that takes a grid is collective and throws the same Error on every rank.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "comms/start/shared_lattice.hpp"
#include "core/field/field.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/gauge_format.hpp"
#include "kernels/gauge/observables.hpp"

namespace plaq {

// All that this version reads and writes, in the order in which they are looked for.
std::span<const GaugeFormat* const> gauge_formats();
const GaugeFormat& gauge_format(GaugeFileFormat format);

// "nersc", "ildg", "scidac", "milc", "openqcd", "ddalphaamg": as on the command line.
std::string_view short_name(GaugeFileFormat format);

// Throws Error(input_file), saying what the file seems to be, when no reader knows it. Serial.
const GaugeFormat& recognize_gauge_file(const ByteSource& source);

// Reads the description of the file, not its links. A file that does not say its lattice (ILDG without
// ildg-format) gets `lattice` if its links fit. Serial. Throws Error(input_file).
GaugeFileInfo inspect_gauge_file(const std::string& path, const std::optional<Extents>& lattice = {});

struct GaugeReadOptions {
  // Multiply links U_t of the last time slice with determinant -1 by -1 (of 3x2 links all of that slice);
  // without it such a file is refused.
  bool strip_antiperiodic = false;
  // Files that state another checksum than their links have are taken where that of the links is among these
  // (io/gauge/link_checksum.hpp).
  std::vector<std::string> accept_checksums = {};
};

struct GaugeReadReport {
  GaugeFileInfo info;
  LinkChecksum checksum;           // of the links as found, of the kind of the format
  bool stale_checksum = false;     // info.checksum is another one, and `checksum` was accepted
  bool stripped = false;           // the option was given
  double stripped_link_trace = 0;  // by so much taking the sign off has raised the link trace
  double unitarity_violation = 0;  // largest |U U^dagger - 1| and |det U - 1| of any component
};

// `gauge` is a gauge field on the host without halo; its contents are undefined after an error. Throws
// Error(input_file) for anything wrong with the file: damage, links that are not SU(3), another lattice.
// Warnings are logged. The caller then computes plaquette and link trace, and calls verify_gauge_file.
GaugeReadReport read_gauge_file(const std::string& path, const ProcessGrid& grid, Field& gauge,
                                const GaugeReadOptions& options = {});

// Throws Error(input_file) when the file says other values than these, beyond 1e-6. Where a sign was taken
// off, the link trace may be that of the links as stored. Serial.
void verify_gauge_file(const GaugeReadReport& report, double plaquette, double link_trace);

/// Names of the quantities that the header states and verification has compared: "checksum", "plaquette",
/// "link trace". With `stated` false: names of those that it does not state. A checksum that was accepted
/// although it differs is in neither list.
std::vector<std::string> compared_with_header(const GaugeReadReport& report, bool stated = true);

struct GaugeWriteOptions {
  GaugeFileFormat format = GaugeFileFormat::nersc;
  // None: double, 3x3 and big-endian, as far as the format has them.
  std::optional<Precision> precision;
  std::optional<int> rows;
  std::optional<ByteOrder> order;
  GaugeFileMetadata metadata;  // a format leaves out what it has no place for
};

// Format in which the links will be stored. Throws Error(usage) that says what the file format can hold.
LinkFormat links_to_write(const GaugeWriteOptions& options);

// Writes beside `path` and renames at the end, so that an older file is replaced whole or not at all. The
// bytes do not depend on the grid. Returns the checksum. Throws Error(output_file), also for links that are
// not SU(3), and what links_to_write and `check` throw.
LinkChecksum write_gauge_file(const std::string& path, const ProcessGrid& grid, const Field& gauge,
                              const GaugeWriteOptions& options, double plaquette, double link_trace,
                              const WrittenFileCheck& check = {});

struct LoadedGauge {
  Field field;  // at the lattice's location, double, on the extended(1) geometry with a filled halo
  GaugeReadReport report;
  GaugeObservables observables;
};

/// Reads a gauge field, checks its links, fills its halo, and compares its plaquette and link trace with the
/// header. Collective.
LoadedGauge load_gauge(const SharedLattice& lattice, const std::string& path,
                       const GaugeReadOptions& options);

}  // namespace plaq
