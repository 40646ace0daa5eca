// The checksums of gauge file formats (io/gauge/link_checksum.hpp), computed from pieces of the file as they
// are read or written.
//
// NERSC: The Gauge Connection, qcd.nersc.gov. MILC: file_types and io_lat4.c of the MILC code, v5 files.
// SciDAC: QIO, DML_checksum; CRC-32 of zlib.
#pragma once

#include <cstdint>
#include <span>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "io/bytes/byte_order.hpp"
#include "io/gauge/link_checksum.hpp"

namespace plaq {

class LinkSum {
 public:
  // `order`: that of the numbers in the file. `record_bytes`: of a site, a multiple of 4.
  LinkSum(ChecksumKind kind, ByteOrder order, int record_bytes)
      : order_(order), record_bytes_(record_bytes), sum_{kind} {}

  // Whole records, from number `first_record` of the file on. Each record of the file is to be added once,
  // by any rank, in any order.
  void add(std::int64_t first_record, std::span<const std::byte> bytes);
  const LinkChecksum& of_this_rank() const { return sum_; }
  // Collective: the sum of the whole file.
  LinkChecksum combine(const ProcessGrid& grid) const;

 private:
  ByteOrder order_;
  int record_bytes_;
  LinkChecksum sum_;  // of this rank's records
};

// SciDAC's sums over the links in double precision: those of an ILDG file of this field in double precision.
// The field is on the host, without halo (io/gauge/gauge_links.hpp). The same on every process grid.
// Collective. 0 in a dry run.
LinkChecksum checksum_of_links(const ProcessGrid& grid, const Field& gauge);
// Checksum of a field without halo at any location, in any precision.
LinkChecksum checksum_of_any_links(const ProcessGrid& grid, const Field& gauge);

}  // namespace plaq
