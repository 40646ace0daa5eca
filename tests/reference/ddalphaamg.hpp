// Gauge files of DDalphaAMG: one process, the whole file at once. In either byte order:
//   bytes 0: int32 extents in t, z, y, x;  16: float64 average of Re tr of the plaquettes;  24: links
// Sites run with x fastest, then y, z, t; at each come U(x, mu) for mu = t, z, y, x,
// row by row, re and im, as float64.
#pragma once

#include <string>

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

struct DdalphaamgFile {
  double plaquette = 0;  // as stored: of Re tr U(p), up to 3
  GaugeField gauge;
};

// Throws std::runtime_error when the file is not what is described above. The byte order is
// that in which t is less than 65536.
DdalphaamgFile read_ddalphaamg(const std::string& path);

// The file with these links.
std::string ddalphaamg_bytes(const GaugeField& gauge, bool big_endian);

}  // namespace plaq::reference
