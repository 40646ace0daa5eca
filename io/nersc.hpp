// NERSC gauge files, read and written by all ranks together (MPI-IO).
//
// After the header (io/nersc_header.hpp): sites with x fastest, then y, z, t; at each the links in x, y, z,
// t; each row-major, real before imaginary, three rows or the first two. CHECKSUM is the sum of all 32-bit
// words of the links as stored, modulo 2^32, each taken in the file's byte order (The Gauge Connection,
// qcd.nersc.gov).
//
// Every function that takes a grid is collective and throws the same Error on every rank.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "comms/process_grid.hpp"
#include "core/field.hpp"
#include "io/gauge_file_info.hpp"
#include "io/nersc_info.hpp"

namespace plaq {

struct GaugeReadReport {
  GaugeFileInfo info;
  LinkChecksum checksum;           // of the links as found, of the kind of the format
  double unitarity_violation = 0;  // largest |U U^dagger - 1| and |det U - 1| of any component
};

// `gauge` is a gauge field on the host without halo; its contents are undefined after an error. Throws
// Error(input_file) for anything wrong with the file: damage, links that are not SU(3), another lattice.
// Warnings are logged. The caller then computes plaquette and link trace, and calls verify_nersc.
GaugeReadReport read_nersc(const std::string& path, const ProcessGrid& grid, Field& gauge);

// Throws Error(input_file) when the header says other values than these, beyond 1e-6. Serial.
void verify_nersc(const GaugeFileInfo& info, double plaquette, double link_trace);

struct NerscWriteOptions {
  LinkFormat links;  // 3x3, double, big-endian
  std::string ensemble_id, ensemble_label;
  std::optional<int> sequence_number;
  std::vector<HeaderEntry> more;  // further lines of the header
};

// Writes beside `path` and renames at the end, so that an older file is replaced whole or not at all. The
// bytes do not depend on the grid. Returns the checksum. Throws Error(output_file), also for links that are
// not SU(3).
LinkChecksum write_nersc(const std::string& path, const ProcessGrid& grid, const Field& gauge,
                         const NerscWriteOptions& options, double plaquette, double link_trace);

}  // namespace plaq
