// MILC v5 gauge files: one process, the whole file at once. In either byte order:
//   bytes 0: int32 20103;  4: int32 nx, ny, nz, nt;  20: char time_stamp[64];  84: int32 order, 0;
//   88: uint32 sum29, sum31;  96: float32 links, site by site with x fastest, mu = x, y, z, t, row by row, re
//   and im
// sum29 and sum31 are exclusive ors of the data's words, word i rotated left by i mod 29 and i mod 31.
#pragma once

#include <cstdint>
#include <string>

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

struct MilcFile {
  bool big_endian = false;
  std::string time_stamp;
  std::uint32_t header_sum29 = 0, header_sum31 = 0;
  GaugeField gauge;
  std::uint32_t sum29 = 0, sum31 = 0;  // of the data as read
};

// Throws std::runtime_error when the file is not what is described above. Compares no sums.
MilcFile read_milc(const std::string& path);

// The file with these links.
std::string milc_bytes(const GaugeField& gauge, const std::string& time_stamp, bool big_endian);

}  // namespace plaq::reference
