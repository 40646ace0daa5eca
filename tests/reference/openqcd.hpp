// Gauge files of openQCD: one process, the whole file at once. Little-endian:
//   bytes 0: int32 N0, N1, N2, N3 in t, x, y, z;  16: float64 average of Re tr of the plaquettes;  24: links
// Points run with x3 = z fastest, then x2 = y, x1 = x, and x0 = t slowest; at each odd one come U(x, mu) and
// U(x - mu, mu) for mu = 0 (t), 1 (x), 2 (y), 3 (z), each row by row, re and im, as float64.
#pragma once

#include <string>

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

struct OpenqcdFile {
  double plaquette = 0;  // as stored: of Re tr U(p), up to 3
  GaugeField gauge;
};

// Throws std::runtime_error when the file is not what is described above.
OpenqcdFile read_openqcd(const std::string& path);

// The file with these links.
std::string openqcd_bytes(const GaugeField& gauge);

}  // namespace plaq::reference
