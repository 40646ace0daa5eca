// A reader of NERSC gauge files: one process, the whole file at once.
// An ASCII header from BEGIN_HEADER to END_HEADER with lines KEY = VALUE, then links site by site, x fastest,
// mu inner, row by row, re and im; DATATYPE 4D_SU3_GAUGE holds two rows, 4D_SU3_GAUGE_3x3 three.
// FLOATING_POINT is IEEE32BIG, IEEE32LITTLE, IEEE64BIG, IEEE64LITTLE, or IEEE32 and IEEE64, which programs
// understand differently: there the byte order is the one in which the first link is unitary. CHECKSUM is the
// sum of the data's 32-bit words, read in that byte order, modulo 2^32. One trailing newline is tolerated,
// anything more is an error.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

struct NerscFile {
  std::map<std::string, std::string> header;
  GaugeField gauge;
  std::uint32_t checksum = 0;  // of the data as read

  // Entries of the header; zero (as some writers put) or a missing entry gives 0.
  std::uint32_t header_checksum() const;
  double header_plaquette() const;
  double header_link_trace() const;
};

// Throws std::runtime_error when the file is not what is described above. Compares no checksum.
NerscFile read_nersc(const std::string& path);

}  // namespace plaq::reference
